/**
 * index: the pages of crawl segments, joined with what crawldb and linkdb know of them, as index segments.
 *
 *     crawl_fetch, parse_data, parse_text  -- index-join (map/reduce) -->  one verdict a page, newest fetch
 *     + crawldb + linkdb, in key order                                -->  pages of one crawl segment, a file each
 *     on the pool, a file each                                       -->  index segments
 *
 * Files are cut by size, never by threads. Memory: a block a file, a batch of verdicts with their table records, and the
 * builders.
 */
import { mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltSegment } from '../../index/index.ts';
import { CrawlError } from '../errors.ts';
import { type AnchorLink, chooseAnchors } from '../fields/anchors.ts';
import { decodeState, stateAt } from '../page/codec.ts';
import { keyOf, urlOf } from '../page/key.ts';
import type { Reason } from '../page/reason.ts';
import { statusCode } from '../page/status.ts';
import type { Counters, JobContext } from '../run/context.ts';
import { runJob } from '../run/run.ts';
import { MergeReader } from '../store/merge.ts';
import { RecordWriter } from '../store/records.ts';
import type { Table } from '../store/tables.ts';
import { type BuildTask, buildSegments, encodePage } from './build-segments.ts';
import { type Claims, type Settlement, settleClaims } from './canonical.ts';
import { mergeBlocks } from './host-blocks.ts';
import { type Decided, decodeDecided, indexJoin, indexSplits } from './index-join.ts';
import { anchorsOf } from './invertlinks.ts';
import { KeySet } from './key-set.ts';

/**
 * Bytes of pages in one file, and so for one builder. It holds about three times as much, and there is one a thread; where
 * pages need more, its own budget cuts once more.
 */
const BUILD_BYTES = 16 << 20;
/** Below this many bytes of pages no thread is used. */
const INLINE_BYTES = 4 << 20;
/**
 * Bytes of pages for each builder that works at once. A second one is a thread's heap more, compiles anew what the first
 * has compiled, and saves seconds at most below this.
 */
const BYTES_A_BUILDER = 128 << 20;
/** Verdicts looked up at once: so many, or so many bytes. */
const BATCH = 500;
const BATCH_BYTES = 1 << 20;

export interface Indexed {
  /** In the order of crawl segments and keys: the order in which they are to be attached. */
  readonly built: readonly BuiltSegment[];
  /** Pages to be taken out of the index, and why. */
  readonly refused: ReadonlyMap<string, Reason>;
  readonly counters: Counters;
  /** Which pages name another address, and which gave way to it. */
  readonly claims: Claims;
  /** Pages that are not looked at here and stand again, since what they gave way to is none any more. */
  readonly returned: readonly string[];
  /** What hosts repeat, as far as is known now (host-blocks.ts); null: nothing. */
  readonly hostBlocks: Uint8Array | null;
}

/** What the index is, before. */
export interface Standing {
  readonly claims: Claims;
  /** Whether an address is a document of it, or lost to one with its text. */
  readonly holds: (url: string) => boolean;
}

/**
 * @param nameOf a name for the next index segment; names must be new in the index folder
 * @param known the file of what hosts were known to repeat; null: nothing
 * @param only addresses to look at; all when absent. Then claims are taken as decided
 */
export async function indexPages(
  context: JobContext,
  segments: readonly string[],
  nameOf: () => string,
  known: string | null,
  standing: Standing,
  only?: readonly string[],
): Promise<Indexed> {
  const splits = indexSplits(context.dir, segments);
  const bytes = splits.reduce((sum, { path }) => sum + statSync(path).size, 0);
  const args = { only: only?.map(keyOf) ?? null, now: context.now };
  const joined = await runJob(indexJoin, { splits, args, bytes }, context);
  await context.pool.rest(); // threads that fetched hold what a builder needs none of
  const folder = join(context.dir, 'tmp', 'index-pages');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const { crawldb, linkdb } = context.tables;
    const { anchors, maxAnchors } = context.options.index;
    const { claims } = standing;
    const settled =
      only || (claims.size === 0 && !joined.counters.canonicalised)
        ? { claims, gaveWay: [], returned: [] }
        : await settle(joined.files, standing, context);
    const builders = bytes < INLINE_BYTES ? 0 : Math.min(context.pool.threads, Math.ceil(bytes / BYTES_A_BUILDER));
    const builds = new Builds(context, folder, segments, nameOf, builders, known);
    const refused = new Map<string, Reason>();
    for await (const { key, decided, state, links } of pagesOf(joined.files, crawldb, linkdb, context.signal)) {
      const url = urlOf(key.toString());
      const reason = refusalOf(decided, state);
      if (reason === null && decided.failed) continue;
      if (reason !== null) refused.set(url, reason);
      else if (settled.claims.get(url)?.stands) refused.set(url, 'canonical');
      else {
        const chosen = chooseAnchors(links, anchors, maxAnchors);
        await builds.add(decided.ordinal, key, encodePage(state, chosen, decided.data, decided.text));
      }
    }
    const built = await builds.end();
    for (const url of settled.gaveWay) refused.set(url, 'canonical');
    return {
      built,
      refused,
      claims: settled.claims,
      returned: settled.returned,
      hostBlocks: mergeBlocks(known, builds.hostBlocks(), join(folder, 'blocks.rec')),
      counters: {
        indexed: built.reduce((sum, { docs }) => sum + docs, 0),
        refused: refused.size,
        ...reasonsOf(refused),
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
    joined.discard();
  }
}

/**
 * Why a page is to be taken out; null: it is a document, or stays as it is. What crawldb has given up or does not know is
 * out, whatever the last fetch that decided anything said.
 */
function refusalOf(decided: Decided, state: Buffer | undefined): Reason | null {
  if (!decided.document && !decided.failed) return decided.reason;
  if (!state) return 'forgotten';
  return state[stateAt.status] === statusCode.gone ? decodeState(state).reason : null;
}

interface JoinedPage {
  readonly key: Buffer;
  readonly decided: Decided;
  readonly state: Buffer | undefined;
  readonly links: readonly AnchorLink[];
}

/**
 * Verdicts in key order with what the tables know, some hundred at a time. Keys and what was decided are views of one
 * buffer, good until the next page is asked for.
 */
async function* pagesOf(
  files: readonly string[],
  crawldb: Table,
  linkdb: Table,
  signal: AbortSignal,
): AsyncGenerator<JoinedPage, void, undefined> {
  const reader = new MergeReader(files);
  let room = Buffer.allocUnsafeSlow(BATCH_BYTES + (BATCH_BYTES >> 2));
  try {
    for (let more = true; more; ) {
      // Where each key begins and ends, and its value ends.
      const places: (readonly [start: number, middle: number, end: number])[] = [];
      let used = 0;
      while (places.length < BATCH && used < BATCH_BYTES && (more = reader.next())) {
        const { block, keyStart, keyEnd, valueEnd } = reader.top;
        const end = used + valueEnd - keyStart;
        if (end > room.length) {
          const larger = Buffer.allocUnsafeSlow(end + BATCH_BYTES);
          room.copy(larger, 0, 0, used);
          room = larger;
        }
        block.copy(room, used, keyStart, valueEnd);
        places.push([used, used + keyEnd - keyStart, end]);
        used = end;
      }
      const keys = places.map(([start, middle]) => room.subarray(start, middle));
      const [states, inlinks] = await Promise.all([crawldb.getMany(keys), linkdb.getMany(keys)]);
      if (signal.aborted) throw new CrawlError('interrupted', 'index was stopped; the index is as it was');
      for (let i = 0; i < keys.length; i++)
        yield {
          key: keys[i]!,
          decided: decodeDecided(room.subarray(places[i]![1], places[i]![2])),
          state: states[i],
          links: inlinks[i] ? anchorsOf(inlinks[i]!) : [],
        };
    }
  } finally {
    reader.close();
  }
}

/** Decides all claims, with those of these verdicts in place of what their pages claimed before; one pass over them. */
async function settle(files: readonly string[], { claims, holds }: Standing, context: JobContext): Promise<Settlement> {
  const before = new Map(claims);
  const named = new Map([...claims].map(([page, claim]) => [page, claim.named]));
  const documents = new KeySet();
  const refused = new Set<string>();
  const reader = new MergeReader(files);
  try {
    while (reader.next()) {
      const { block, keyStart, keyEnd, valueStart, valueEnd } = reader.top;
      const decided = decodeDecided(block.subarray(valueStart, valueEnd));
      if (decided.failed) continue;
      if (decided.document) documents.add(block, keyStart, keyEnd);
      if (decided.document && decided.canonical === '' && named.size === 0) continue;
      const url = urlOf(block.toString('utf8', keyStart, keyEnd));
      before.delete(url);
      named.delete(url);
      if (!decided.document) refused.add(url);
      else if (decided.canonical !== '') named.set(url, decided.canonical);
    }
  } finally {
    reader.close();
  }
  const isDocument = (url: string): boolean =>
    !refused.has(url) && (documents.has(Buffer.from(keyOf(url))) || holds(url));
  return settleClaims(named, before, isDocument, context.tables.crawldb);
}

/** Files of pages on their way to being index segments: one open a crawl segment, finished ones on the pool. */
class Builds {
  private readonly context: JobContext;
  private readonly folder: string;
  private readonly segments: readonly string[];
  private readonly nameOf: () => string;
  private readonly builders: number;
  private readonly known: string | null;
  private readonly open = new Map<number, { writer: RecordWriter; part: number }>();
  /** Files begun, by crawl segment. */
  private readonly started = new Map<number, number>();
  private readonly running = new Set<Promise<unknown>>();
  private readonly done: { ordinal: number; part: number; built: readonly BuiltSegment[] }[] = [];
  private failure: { error: unknown } | undefined;

  /** `builders`: threads that build at once; 0: it is done here. */
  constructor(
    context: JobContext,
    folder: string,
    segments: readonly string[],
    nameOf: () => string,
    builders: number,
    known: string | null,
  ) {
    this.builders = builders;
    this.known = known;
    this.context = context;
    this.folder = folder;
    this.segments = segments;
    this.nameOf = nameOf;
  }

  async add(ordinal: number, key: Uint8Array, page: Uint8Array): Promise<void> {
    let file = this.open.get(ordinal);
    if (!file) {
      const part = this.started.get(ordinal) ?? 0;
      this.started.set(ordinal, part + 1);
      file = { writer: new RecordWriter(join(this.folder, `${this.segments[ordinal]}-${part}.rec`)), part };
      this.open.set(ordinal, file);
    }
    file.writer.appendBytes(key, 0, key.length, page, 0, page.length);
    if (file.writer.bytes >= BUILD_BYTES) await this.close(ordinal);
  }

  /** @throws what the first failed build threw */
  async end(): Promise<BuiltSegment[]> {
    for (const ordinal of [...this.open.keys()].sort((a, b) => a - b)) await this.close(ordinal);
    await Promise.all(this.running);
    if (this.failure) throw this.failure.error;
    return this.done.sort((a, b) => a.ordinal - b.ordinal || a.part - b.part).flatMap(({ built }) => built);
  }

  /** What the builds saw hosts repeat, in the order of crawl segments and keys. */
  hostBlocks(): string[] {
    return this.done.map(({ ordinal, part }) => join(this.folder, `${this.segments[ordinal]}-${part}.rec.blocks`));
  }

  private async close(ordinal: number): Promise<void> {
    const { writer, part } = this.open.get(ordinal)!;
    this.open.delete(ordinal);
    writer.close();
    const shown = this.context.options.scope.normalizers.indexer;
    const task: BuildTask = {
      pages: writer.path,
      hostBlocks: { known: this.known, seen: `${writer.path}.blocks` },
      directory: join(this.context.dir, 'index'),
      name: this.nameOf(),
      segment: this.segments[ordinal]!,
      options: this.context.options.index,
      ...(shown ? { shown } : {}),
    };
    // A small index is built where we are: a thread would first have to load what analyses text.
    const turn = this.running.size < Math.max(1, this.builders) ? Promise.resolve() : Promise.race(this.running);
    const built = turn.then(() =>
      this.builders === 0
        ? buildSegments(task)
        : this.context.pool.run<BuiltSegment[]>('build', task, { signal: this.context.signal }),
    );
    const build = built
      .then((built) => {
        this.done.push({ ordinal, part, built });
        rmSync(task.pages, { force: true });
      })
      .catch((error) => void (this.failure ??= { error }))
      .finally(() => this.running.delete(build));
    this.running.add(build);
    // The next file is written while these are built; more would only wait, with their files on the disk.
    if (this.running.size > this.builders) await Promise.race(this.running);
    if (this.failure) throw this.failure.error;
  }
}

/** `refused.REASON` -> pages: a person who reads that some were refused wants to know why. */
function reasonsOf(refused: ReadonlyMap<string, Reason>): Counters {
  const counts: Record<string, number> = {};
  for (const reason of refused.values()) counts[`refused.${reason}`] = (counts[`refused.${reason}`] ?? 0) + 1;
  return counts;
}
