/**
 * The index of a crawl folder, held for changing: any of index, dedup, merge, add and clean, then `publish`, which makes
 * all of it visible in one commit or none of it. What is not published is forgotten by `close`.
 *
 * The commit keeps, beside the index: which crawl segments are in it (`crawled`), and the files of
 * commit-files.ts.
 */
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import {
  FsDirectory,
  findLive,
  type IndexError,
  IndexWriter,
  isLive,
  openSnapshot,
  PostingsCursor,
  type Snapshot,
} from '../../index/index.ts';
import { CrawlError } from '../errors.ts';
import { explain, type Reason } from '../page/reason.ts';
import { segmentsOf } from '../read/segment.ts';
import type { Counters, JobContext } from '../run/context.ts';
import { type Claims, isCanonicalFile, readClaims, settleClaims } from './canonical.ts';
import { keepClaims, keepHostBlocks, keepLosses, keepNear, keepSuggestions } from './commit-files.ts';
import { nearGroups, removeDuplicates, removeNear } from './dedup-index.ts';
import { isBlocksFile } from './host-blocks.ts';
import { indexPages } from './index-pages.ts';
import { isLossesFile, type Losses, readLosses } from './losses.ts';
import { mergeIndex } from './merge-index.ts';
import { isInverted, isUpdated, stamp } from './progress.ts';
import { passGate } from './publish.ts';

export interface IndexCall {
  /** Every segment again, into a new index, instead of those that are not in it yet. */
  readonly all?: boolean;
  /** Only this one. */
  readonly segment?: string;
}

export class IndexSession {
  readonly context: JobContext;
  readonly writer: IndexWriter;
  private readonly published: Snapshot | null;
  private readonly losses: Losses;
  private lossesChanged = false;
  /** Pages that name another address as their canonical one. */
  private claims: Claims;
  private claimsChanged = false;
  private undone = false;
  /** What hosts repeat, when it is not what the commit holds; null: nothing new. */
  private hostBlocks: Uint8Array | null = null;
  /** Why documents went in this session. */
  private readonly refused = new Map<string, Reason>();
  /** Crawl segments in the index, as `stamp` names them. */
  private crawled: Set<string>;

  private constructor(context: JobContext, directory: FsDirectory, writer: IndexWriter) {
    this.context = context;
    this.writer = writer;
    this.published = openSnapshot(directory);
    this.crawled = new Set((writer.user.crawled ?? '').split(' ').filter(Boolean));
    const file = writer.extras.find(isLossesFile);
    this.losses = file ? readLosses(join(context.dir, 'index', file)) : new Map();
    const claims = writer.extras.find(isCanonicalFile);
    this.claims = claims ? readClaims(join(context.dir, 'index', claims)) : new Map();
  }

  /**
   * With `anew`, for an index of all segments, one that is damaged or of an older format is set aside (`index.damaged-1`,
   * `index.old-1`) instead of refused.
   * @throws IndexError 'locked' | 'corrupt' | 'too-old' | 'too-new'
   */
  static async open(context: JobContext, { anew = false } = {}): Promise<IndexSession> {
    const folder = join(context.dir, 'index');
    try {
      return IndexSession.over(context, folder);
    } catch (error) {
      const { code } = error as IndexError;
      if (!anew || (code !== 'corrupt' && code !== 'too-old')) throw error;
      const what = code === 'corrupt' ? 'damaged' : 'old';
      let n = 1;
      while (existsSync(`${folder}.${what}-${n}`)) n++;
      renameSync(folder, `${folder}.${what}-${n}`);
      const session = IndexSession.over(context, folder);
      // Which pages were duplicates was written in what is set aside: without dedup all of them would be published.
      session.undone = true;
      session.warn(
        `${(error as Error).message}: it is set aside as index.${what}-${n}, and built anew of the segments; ` +
          'documents that came from nuthatch add are to be added again',
      );
      return session;
    }
  }

  private static over(context: JobContext, folder: string): IndexSession {
    const directory = new FsDirectory(folder);
    const writer = IndexWriter.open(directory);
    try {
      return new IndexSession(context, directory, writer);
    } catch (error) {
      writer.close();
      throw error;
    }
  }

  /** Pages of fetched segments into the index; redirected, gone, refused and canonicalised ones out of it. */
  async indexPages(call: IndexCall = {}): Promise<Counters> {
    const { context, writer } = this;
    const known = segmentsOf(context.dir);
    if (call.segment !== undefined && !known.includes(call.segment))
      throw new CrawlError(
        'usage',
        `there is no segment ${call.segment} in ${context.dir}; nuthatch readseg lists them`,
      );
    const ready: string[] = [];
    for (const segment of known)
      if ((await isUpdated(context.tables, segment)) && (await isInverted(context.tables, segment)))
        ready.push(segment);
    let segments = ready.filter((segment) => call.all || segment === call.segment || !this.has(segment));
    if (call.segment !== undefined) segments = segments.filter((segment) => segment === call.segment);
    // An older segment than one that is indexed could overwrite newer pages: then all are looked at, and the newest wins.
    const newest = [...this.crawled].sort().at(-1)?.split('@')[0] ?? '';
    const all = call.all === true || segments.some((segment) => segment <= newest);
    if (all) segments = ready;
    const waiting = known.filter(
      (name) => !ready.includes(name) && (call.segment === undefined || call.segment === name),
    );
    for (const segment of waiting)
      this.warn(`segment ${segment} is left out: it has not been fetched, updated and inverted yet`);
    if (all) this.claims = new Map();
    const indexed = await this.whatCanBeRead(segments, all);
    const leftOut = waiting.length + segments.length - indexed.segments.length;
    if (indexed.hostBlocks !== null) this.hostBlocks = indexed.hostBlocks;
    if (all) this.dropCrawled();
    let replaced = 0;
    for (const built of indexed.built) replaced += writer.attach(built, { replace: true });
    for (const [url, reason] of indexed.refused) this.refused.set(url, reason);
    this.claimsChanged ||= all || this.claims !== indexed.claims;
    this.claims = indexed.claims;
    const removed = writer.deleteByKey(indexed.refused.keys());
    const revived = await this.revive(indexed.segments, indexed.refused, indexed.returned);
    for (const segment of indexed.segments) this.crawled.add(stamp(context.dir, segment));
    return {
      segments: indexed.segments.length,
      ...indexed.counters,
      replaced,
      removed,
      revived,
      ...(leftOut > 0 ? { leftOut } : {}),
    };
  }

  /** The three jobs over all live documents; then, where it is asked for, those with nearly the same text. */
  async dedup(): Promise<Counters> {
    const { context, writer, losses } = this;
    const counters = await removeDuplicates(context, writer, losses);
    this.undone = false;
    const near = context.options.index.nearDuplicates === 'delete' ? await removeNear(context, writer, losses) : null;
    const duplicates = (counters.duplicates ?? 0) + (near ?? 0);
    this.lossesChanged ||= duplicates > 0;
    return near === null ? counters : { ...counters, duplicates, near };
  }

  /** One segment of all, or as few as pay; deleted documents vanish. */
  async merge(how: 'one' | 'tiered' = 'one'): Promise<Counters> {
    const merged = await mergeIndex(this.context, this.writer, how);
    return { merged, segments: this.writer.segments.length };
  }

  /**
   * The gate, then one commit.
   * @throws CrawlError 'publish-refused'
   */
  async publish(): Promise<Counters> {
    const { writer, context } = this;
    const next = writer.readers();
    const lost = passGate(this.published?.segments ?? [], next, context.options.index.maxLoss, (id) =>
      this.reasonOf(id),
    );
    await this.keepFiles();
    writer.setUser({ crawled: [...this.crawled].sort().join(' ') });
    writer.commit();
    return { published: writer.readers().reduce((sum, { liveDocs }) => sum + liveDocs, 0), lost };
  }

  async close(): Promise<void> {
    this.published?.close();
    this.writer.close();
  }

  /** True when a commit would hold what the published one holds: nothing was attached, deleted or merged. */
  get unchanged(): boolean {
    const { committed, segments } = this.writer;
    return (
      committed.generation > 0 &&
      !this.lossesChanged &&
      segments.length === committed.segments.length &&
      segments.every(({ name, deleted }, at) => {
        const before = committed.segments[at]!;
        return before.name === name && before.deleted === deleted;
      }) &&
      [...this.crawled].sort().join(' ') === (this.writer.user.crawled ?? '')
    );
  }
  /** Pages that dedup had taken out are in again: it has to run before they are published. */
  get dedupUndone(): boolean {
    return this.undone;
  }
  /** Documents that a search can find now. */
  get documents(): number {
    return this.published?.docs ?? 0;
  }

  /** Takes documents out, each for a reason; how many there were. `settle` is to be called when all are out. */
  drop(pages: ReadonlyMap<string, Reason>): number {
    const removed = this.writer.deleteByKey(pages.keys());
    // Most of what is gone was so before.
    const winners = new Set([...this.losses.values()].map(({ winner }) => winner));
    for (const [id, reason] of pages)
      if (removed > 0 || winners.has(id) || this.losses.has(id)) this.refused.set(id, reason);
    return removed;
  }
  /** What gave way to documents that were dropped is in again, and dedup has decided anew; how many came back. */
  async settle(): Promise<number> {
    const now = new Map([...this.claims].map(([page, { named }]) => [page, named]));
    const settled = await settleClaims(now, this.claims, this.holds(), this.context.tables.crawldb);
    for (const page of settled.gaveWay) this.refused.set(page, 'canonical');
    this.writer.deleteByKey(settled.gaveWay);
    this.claimsChanged ||= this.claims.size > 0;
    this.claims = settled.claims;
    const revived = await this.revive([], this.refused, settled.returned);
    if (this.undone) await this.dedup();
    return revived;
  }
  /** The crawl segment is in the index. */
  has(segment: string): boolean {
    return this.crawled.has(stamp(this.context.dir, segment));
  }
  /** Crawl segments of which a live document is in the index. */
  segmentsInUse(): Set<string> {
    const used = new Set<string>();
    for (const reader of this.writer.readers()) {
      const from = reader.column('segment');
      if (from?.kind !== 'string') continue;
      for (let doc = 0; doc < reader.docs; doc++)
        if (isLive(reader.live, doc)) used.add(from.dictionary.value(from.ordinals[doc]!) ?? '');
    }
    return used;
  }
  /** Leaves out, with a warning, segments that are damaged, as long as others are whole. */
  private async whatCanBeRead(
    segments: readonly string[],
    anew: boolean,
  ): Promise<Awaited<ReturnType<typeof indexPages>> & { segments: readonly string[] }> {
    for (let left = segments; ; ) {
      if (left.length === 0)
        return {
          built: [],
          refused: new Map(),
          claims: this.claims,
          returned: [],
          hostBlocks: null,
          counters: { indexed: 0, refused: 0 },
          segments: [],
        };
      try {
        return { ...(await this.build(left, anew ? () => false : this.holds())), segments: left };
      } catch (error) {
        const bad = left.find((segment) => (error as Error).message.includes(join('segments', segment)));
        if (bad === undefined || this.context.signal.aborted) throw error;
        this.warn(`segment ${bad} is left out: ${(error as Error).message}`);
        left = left.filter((segment) => segment !== bad);
      }
    }
  }

  /** Whether an id is a document of the next commit as it is by now, or lost to one with its text. */
  private holds(): (id: string) => boolean {
    const readers = this.writer.readers();
    const cursor = new PostingsCursor();
    return (id) => this.losses.has(id) || readers.some((reader) => findLive(reader, id, cursor) >= 0);
  }

  private build(
    segments: readonly string[],
    holds: (id: string) => boolean,
    only?: readonly string[],
  ): ReturnType<typeof indexPages> {
    const known = [...this.writer.committed.extras.keys()].find(isBlocksFile);
    const file = known === undefined ? null : join(this.context.dir, 'index', known);
    const standing = { claims: this.claims, holds };
    return indexPages(this.context, segments, () => this.writer.newName(), file, standing, only);
  }

  /** Takes every document that came from a crawl out of the next commit. */
  private dropCrawled(): void {
    for (const reader of this.writer.readers()) {
      const from = reader.column('segment');
      if (from?.kind !== 'string') continue;
      const docs: number[] = [];
      for (let doc = 0; doc < reader.docs; doc++) if (from.ordinals[doc] !== 0) docs.push(doc);
      this.writer.deleteDocs(reader.name, docs);
    }
    this.crawled = new Set();
    this.undone ||= this.losses.size > 0;
    this.losses.clear();
    this.lossesChanged = true;
  }

  /**
   * Pages that lost to one that has changed or gone come back, from the segment that holds them, and so do those that
   * `returned` names; dedup decides anew. How many.
   */
  private async revive(
    done: readonly string[],
    refused: ReadonlyMap<string, Reason>,
    returned: readonly string[],
  ): Promise<number> {
    const changed = (id: string): boolean =>
      refused.has(id) ||
      this.writer.readers().some((reader) => isFresh(reader.name) && reader.terms('id').find(id) >= 0);
    const before = new Set(this.published?.segments.map(({ name }) => name));
    const isFresh = (name: string): boolean => !before.has(name);
    const again = [...this.losses].filter(([id, { winner }]) => !refused.has(id) && changed(winner)).map(([id]) => id);
    for (const id of again) this.losses.delete(id);
    for (const id of refused.keys()) this.losses.delete(id);
    this.lossesChanged ||= again.length > 0;
    const have = this.writer.readers();
    const missing = [...new Set([...again, ...returned])].filter(
      (id) => !have.some((reader) => isFresh(reader.name) && reader.terms('id').find(id) >= 0),
    );
    const older = segmentsOf(this.context.dir).filter((segment) => this.has(segment) || done.includes(segment));
    if (missing.length === 0 || older.length === 0) return 0;
    const { built } = await this.build(older, () => false, missing);
    for (const one of built) this.writer.attach(one, { replace: true });
    const revived = built.reduce((sum, { docs }) => sum + docs, 0);
    this.undone ||= revived > 0;
    return revived;
  }

  /** What belongs to a commit besides its segments. */
  private async keepFiles(): Promise<void> {
    const { writer, context } = this;
    if (this.lossesChanged) keepLosses(context, writer, this.losses);
    this.lossesChanged = false;
    if (this.claimsChanged) keepClaims(context, writer, this.claims);
    this.claimsChanged = false;
    if (this.hostBlocks !== null) keepHostBlocks(writer, this.hostBlocks);
    this.hostBlocks = null;
    await keepSuggestions(context, writer);
    // A commit leaves out what has no live document.
    const readers = writer.readers().filter(({ liveDocs }) => liveDocs > 0);
    keepNear(
      writer,
      context.options.index.nearDuplicates === 'group' ? await nearGroups(context, readers) : [],
      readers,
    );
  }

  private reasonOf(id: string): string {
    const reason = this.refused.get(id);
    if (reason) return `${reason}: ${explain(reason)}`;
    return this.losses.has(id) ? 'duplicates' : 'not in any segment any more';
  }

  private warn(message: string): void {
    this.context.onEvent({ kind: 'warning', message });
  }
}
