import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { decodeOutcome, encodeOutcome } from '../page/codec.ts';
import { encodeHint, type Hint } from '../page/hint.ts';
import type { Outcome } from '../page/outcome.ts';
import {
  encodePageData,
  encodePageLinks,
  encodePageText,
  type PageData,
  type PageLinks,
  type PageText,
  type SegmentPart,
  segmentFolder,
  segmentPart,
} from '../page/segment.ts';
import { RecordReader, RecordWriter, readRecords } from '../store/records.ts';
import { type Captured, contentFile, cutFile, WarcWriter } from '../store/warc.ts';
import { keyOf } from '../url/key.ts';
import { SpentClock } from './spent.ts';

/**
 * What one shard leaves in a segment: a file a part, its content, what its robots.txt files said, and checkpoints.
 *
 * A checkpoint is the length of every file at a moment when each page in them is in all of them. A shard that was killed
 * is taken up by cutting its files back to the last one; so a page is either wholly there, with its outcome, or has not
 * been fetched, and at most a quarter of a second of work is done again.
 *
 *     checkpoint := a record file: "at" -> (length:f64)[7], in the order of `filesOf`
 */
const PARTS = ['crawl_fetch', 'parse_data', 'parse_text', 'crawl_parse'] as const satisfies readonly SegmentPart[];

/** Robots rules as fetched in this round: authority -> value of fetch/rules.ts. */
export const rulesFile = (dir: string, segment: string, shard: number): string =>
  join(segmentFolder(dir, segment), 'robots', `${String(shard).padStart(5, '0')}.rec`);
const checkpointFile = (dir: string, segment: string, shard: number): string =>
  join(segmentFolder(dir, segment), 'checkpoint', `${String(shard).padStart(5, '0')}.rec`);

function filesOf(dir: string, segment: string, shard: number): string[] {
  return [
    ...PARTS.map((part) => segmentPart(dir, segment, part, shard)),
    rulesFile(dir, segment, shard),
    contentFile(segmentFolder(dir, segment), shard),
    segmentPart(dir, segment, 'crawl_sitemap', shard),
  ];
}

/** Work lost at most when a shard is killed: what came after the last checkpoint. */
const CHECKPOINT_MS = 250;
const CHECKPOINT_BYTES = 4 << 20;

export class SegmentLog {
  readonly #outcomes: RecordWriter;
  readonly #data: RecordWriter;
  readonly #text: RecordWriter;
  readonly #links: RecordWriter;
  readonly #rules: RecordWriter;
  readonly #content: WarcWriter;
  readonly #checkpoints: RecordWriter;
  readonly #lengths = new Float64Array(7);
  /** Made for the first hint: most shards see no sitemap. */
  #hints: RecordWriter | null = null;
  readonly #hintsFile: string;
  #pending = 0;
  #last = performance.now();

  readonly #spent: SpentClock;

  constructor(dir: string, segment: string, shard: number, agent: string, spent = new SpentClock()) {
    this.#spent = spent;
    const files = filesOf(dir, segment, shard);
    const checkpoints = checkpointFile(dir, segment, shard);
    this.#hintsFile = files.pop()!;
    for (const file of [...files, checkpoints]) mkdirSync(dirname(file), { recursive: true });
    this.#checkpoints = new RecordWriter(checkpoints);
    this.#checkpoints.flush();
    const [outcomes, data, text, links, rules, content] = files as [string, string, string, string, string, string];
    this.#outcomes = new RecordWriter(outcomes);
    this.#data = new RecordWriter(data);
    this.#text = new RecordWriter(text);
    this.#links = new RecordWriter(links);
    this.#rules = new RecordWriter(rules);
    this.#content = new WarcWriter(content, agent);
  }

  /** `asked`: the headers of its request, names and values in turn; null: not kept. */
  content(page: Captured, asked: readonly string[] | null = null): void {
    this.#spent.storing(() => {
      const id = this.#content.response(page);
      if (asked !== null) this.#content.request(page.url, page.date, asked, id);
    });
    this.#pending += page.body.length;
  }

  notModified(page: Captured, asked: readonly string[] | null = null): void {
    const id = this.#content.notModified(page);
    if (asked !== null) this.#content.request(page.url, page.date, asked, id);
  }

  parsed(url: string, data: PageData, text: PageText, links: PageLinks): void {
    this.encoded(url, encodePageData(data), encodePageText(text), encodePageLinks(links));
  }

  /** As `parsed`, of a page that was encoded where it was read. */
  encoded(url: string, data: Uint8Array, text: Uint8Array, links: Uint8Array): void {
    this.#spent.storing(() => {
      const key = keyOf(url);
      this.#data.append(key, data);
      this.#text.append(key, text);
      this.#links.append(key, links);
    });
  }

  /** Of what has links and no text: a sitemap. */
  links(url: string, links: PageLinks): void {
    this.linksAlone(url, encodePageLinks(links));
  }
  /** The same, encoded: of a page that was read for them alone. */
  linksAlone(url: string, links: Uint8Array): void {
    this.#spent.storing(() => this.#links.append(keyOf(url), links));
  }

  /** What a sitemap says of the time of a page. */
  hint(url: string, hint: Hint): void {
    if (this.#hints === null) {
      mkdirSync(dirname(this.#hintsFile), { recursive: true });
      this.#hints = new RecordWriter(this.#hintsFile);
    }
    this.#hints.append(keyOf(url), encodeHint(hint));
  }

  rules(authority: string, value: Uint8Array): void {
    this.#rules.append(authority, value);
  }

  /** The last thing said of a page: everything else of it must be in. */
  outcome(url: string, outcome: Outcome): void {
    this.#pending += 100;
    this.#spent.storing(() => {
      this.#outcomes.append(keyOf(url), encodeOutcome(outcome));
      if (this.#pending > CHECKPOINT_BYTES) this.checkpoint();
    });
  }

  /** Cheap to call often: does nothing unless a quarter of a second has passed and something is new. */
  tick(): void {
    if (this.#pending > 0 && performance.now() - this.#last >= CHECKPOINT_MS)
      this.#spent.storing(() => this.checkpoint());
  }

  checkpoint(): void {
    this.#content.flush();
    const writers = [this.#outcomes, this.#data, this.#text, this.#links, this.#rules];
    // The outcomes last: a file of them never knows a page that the others do not.
    for (let i = writers.length - 1; i >= 0; i--) {
      writers[i]!.flush();
      this.#lengths[i] = writers[i]!.bytes;
    }
    this.#lengths[5] = this.#content.bytes;
    if (this.#hints !== null) {
      this.#hints.flush();
      this.#lengths[6] = this.#hints.bytes;
    }
    this.#checkpoints.append('at', new Uint8Array(this.#lengths.buffer));
    this.#checkpoints.flush();
    this.#pending = 0;
    this.#last = performance.now();
  }

  close(): void {
    const all = [this.#content, this.#rules, this.#links, this.#text, this.#data];
    closeAll([
      { close: () => this.checkpoint() },
      ...all,
      ...(this.#hints ? [this.#hints] : []),
      this.#outcomes,
      this.#checkpoints,
    ]);
  }
}

/** Closes each in turn, also when one cannot be, and throws the first error. */
function closeAll(files: readonly { close(): void }[]): void {
  const errors: unknown[] = [];
  for (const file of files) {
    try {
      file.close();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Whether a shard of that number has begun, in this attempt or an earlier one. */
export const begun = (dir: string, segment: string, shard: number): boolean =>
  existsSync(checkpointFile(dir, segment, shard));

/**
 * Takes up what a shard left that no longer writes: cuts its files back to the last checkpoint and gives each outcome in
 * them. A shard without a whole checkpoint leaves nothing.
 */
export function takeUp(
  dir: string,
  segment: string,
  shard: number,
  each: (key: string, outcome: Outcome) => void,
): void {
  const files = filesOf(dir, segment, shard);
  const lengths = lastCheckpoint(checkpointFile(dir, segment, shard));
  for (const [i, file] of files.entries()) {
    if (!existsSync(file)) continue;
    if (!lengths?.[i]) rmSync(file);
    else cutFile(file, lengths[i]);
  }
  if (lengths === null) return;
  for (const { key, value } of readRecords(files[0]!)) each(key, decodeOutcome(value));
}

/** Checkpoints are of use only while a segment is being fetched. */
export const dropCheckpoints = (dir: string, segment: string): void =>
  rmSync(join(segmentFolder(dir, segment), 'checkpoint'), { recursive: true, force: true });

function lastCheckpoint(path: string): Float64Array | null {
  // A shard whose thread did not even start has written nothing; what stopped it is told, not this.
  if (!existsSync(path)) return null;
  const reader = new RecordReader(path);
  let last: Float64Array | null = null;
  try {
    while (reader.next()) last = new Float64Array(new Uint8Array(reader.value).buffer);
  } finally {
    reader.close();
  }
  return last;
}
