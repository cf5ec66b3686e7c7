/** add: documents from elsewhere, a JSON object a line, into the index under their own ids. */
import { join } from 'node:path';
import {
  type BuiltSegment,
  type FieldValue,
  FsDirectory,
  type IndexWriter,
  isLive,
  PostingsCursor,
  SegmentBuilder,
} from '../../index/index.ts';
import { addSketch } from '../fields/document.ts';
import { pageSchema } from '../fields/schema.ts';
import { sitesOf } from '../fields/sites.ts';
import type { Settled } from '../options.ts';
import type { Counters } from '../run/context.ts';
import { domainOf, hostOf } from '../url/host.ts';
import type { IndexSession } from './index-session.ts';

/** Refused lines that are warned of one by one. */
const MOST_WARNINGS = 20;
/** UTF-16 units of lines that become one index segment, in a thread; what is less in all is read where we are. */
const CHUNK = 24 << 20;
/** Columns that hold a time, ms since the epoch; and the largest that a Date holds (ECMA-262, time values). */
const dateFields: ReadonlySet<string> = new Set(['modified', 'published', 'fetched']);
const LATEST_DATE = 8.64e15;

export interface AddTask {
  /** Lines, each with its line end. */
  readonly text: string;
  /** Number of the first one. */
  readonly from: number;
  readonly directory: string;
  /** Names a segment; further ones, after deletions, get a number behind it. */
  readonly name: string;
  readonly options: Settled['index'];
}
export interface AddDone {
  /** In the order of the lines. */
  readonly steps: readonly ({ readonly built: BuiltSegment } | { readonly deleted: readonly string[] })[];
  readonly warnings: readonly string[];
  readonly rejected: number;
  /** Fields that the index does not have. */
  readonly unknown: readonly string[];
}

/**
 * A line is `{"id" or "url", "title", "text", ...}` with any field of the page schema, or `{"id", "deleted": true}`. Of
 * two lines with one id the later counts. Fields that the index does not have are left out, and named in a warning; a
 * line that cannot be used is counted and warned of, and the others go on.
 *
 * Memory: a chunk of lines and a builder a thread, whatever the number of lines.
 */
export async function addDocuments(
  session: IndexSession,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<Counters> {
  const { writer, context } = session;
  const before = writer.segments.length;
  const unknown = new Set<string>();
  let [docs, replaced, deleted, rejected, line] = [0, 0, 0, 0, 0];
  const apply = (done: AddDone): void => {
    for (const step of done.steps) {
      if ('deleted' in step) deleted += writer.deleteByKey(step.deleted);
      else {
        writer.attach(step.built);
        docs += step.built.docs;
        replaced += step.built.replaced.length;
      }
    }
    for (const message of done.warnings) if (rejected++ < MOST_WARNINGS) context.onEvent({ kind: 'warning', message });
    rejected += done.rejected - done.warnings.length;
    for (const name of done.unknown) unknown.add(name);
  };
  // Chunks are read on threads, a few at once, and attached in their order.
  const running: Promise<AddDone>[] = [];
  const start = (text: string, from: number, inline: boolean): void => {
    const task: AddTask = {
      text,
      from,
      directory: join(context.dir, 'index'),
      name: writer.newName(),
      options: context.options.index,
    };
    running.push(
      inline
        ? Promise.resolve().then(() => addChunk(task))
        : context.pool.run<AddDone>('add', task, { signal: context.signal }),
    );
  };
  let chunk: string[] = [];
  let size = 0;
  let first = 1;
  try {
    for await (const text of lines) {
      line++;
      chunk.push(text);
      size += text.length;
      if (size < CHUNK) continue;
      start(chunk.join('\n'), first, false);
      [chunk, size, first] = [[], 0, line + 1];
      if (running.length > context.pool.threads) apply(await running.shift()!);
    }
    if (chunk.length > 0) start(chunk.join('\n'), first, running.length === 0);
    while (running.length > 0) apply(await running.shift()!);
  } finally {
    // A failure of one is told; the others only have to have ended.
    await Promise.allSettled(running);
  }
  replaced += lastOfEach(writer, before);
  if (unknown.size > 0)
    context.onEvent({ kind: 'warning', message: `the index has no field ${[...unknown].sort().join(', ')}; left out` });
  return { added: docs - replaced, updated: replaced, deleted, ...(rejected > 0 ? { rejected } : {}) };
}

/** Deletes each document of which a later segment, among those from `fresh` on, has a newer one; how many. */
function lastOfEach(writer: IndexWriter, fresh: number): number {
  const readers = writer.readers();
  if (readers.length < 2 || fresh === readers.length) return 0;
  const cursors = readers.map((reader) => {
    const ids = reader.terms('id');
    return { reader, ids, n: 0, term: ids.size > 0 ? ids.term(0) : undefined };
  });
  const postings = new PostingsCursor();
  const gone: number[][] = readers.map(() => []);
  for (;;) {
    let least: string | undefined;
    for (const { term } of cursors) if (term !== undefined && (least === undefined || term < least)) least = term;
    if (least === undefined) break;
    // From the last segment to the first: the first live one found stays.
    let found = false;
    for (let at = cursors.length - 1; at >= 0; at--) {
      const cursor = cursors[at]!;
      if (cursor.term !== least) continue;
      cursor.ids.postings(cursor.n, postings);
      let here = false;
      for (let doc = postings.next(); doc < cursor.reader.docs; doc = postings.next()) {
        if (!isLive(cursor.reader.live, doc)) continue;
        here = true;
        if (found) gone[at]!.push(doc);
      }
      found ||= here;
      cursor.term = ++cursor.n < cursor.ids.size ? cursor.ids.term(cursor.n) : undefined;
    }
  }
  return readers.reduce(
    (sum, { name }, at) => sum + (gone[at]!.length > 0 ? writer.deleteDocs(name, gone[at]!) : 0),
    0,
  );
}

/** Reads one chunk of lines. Runs in a thread. */
export function addChunk({ text, from, directory, name, options }: AddTask): AddDone {
  const schema = pageSchema(options);
  const fields = new Map(schema.fields.map((field) => [field.name, field]));
  const place = new FsDirectory(directory);
  const unknown = new Set<string>();
  const steps: ({ built: BuiltSegment } | { deleted: string[] })[] = [];
  const warnings: string[] = [];
  let rejected = 0;
  let builder = new SegmentBuilder(schema);
  const flush = (): void => {
    if (builder.docs === 0) return;
    steps.push({ built: builder.write(place, steps.length === 0 ? name : `${name}-${steps.length}`) });
    builder = new SegmentBuilder(schema);
  };
  let line = from - 1;
  for (let at = 0; at < text.length; ) {
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    const one = text.slice(at, end);
    at = end + 1;
    line++;
    if (one.trim() === '') continue;
    try {
      const given = JSON.parse(one) as Record<string, unknown>;
      const document = documentOf(given, fields, unknown);
      addSketch(document, options);
      if (given.deleted === true) {
        flush();
        const last = steps.at(-1);
        if (last && 'deleted' in last) last.deleted.push(document.id as string);
        else steps.push({ deleted: [document.id as string] });
      } else builder.add(document);
    } catch (error) {
      if (rejected++ < MOST_WARNINGS) warnings.push(`line ${line} is left out: ${(error as Error).message}`);
    }
    if (builder.full) flush();
  }
  flush();
  return { steps, warnings, rejected, unknown: [...unknown] };
}

function documentOf(
  given: Record<string, unknown>,
  fields: ReadonlyMap<string, { readonly column?: string; readonly index: string }>,
  unknown: Set<string>,
): Record<string, FieldValue> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Error('it is no JSON object');
  const url = typeof given.url === 'string' && given.url !== '' ? given.url : undefined;
  // An empty id names nothing, and neither does an empty address.
  const key = given.id === '' ? url : (given.id ?? url);
  if ((typeof key !== 'string' && typeof key !== 'number') || key === '') throw new Error('it has neither id nor url');
  if (/\p{Surrogate}/u.test(String(key))) throw new Error('its id has half a character (a lone surrogate)');
  const document: Record<string, FieldValue> = { id: String(key) };
  const address = url ?? (/^https?:\/\//.test(String(key)) ? String(key) : undefined);
  if (address !== undefined) {
    const host = hostOf(address);
    document.url = address;
    document.site = [...sitesOf(host, domainOf(host))];
    document.domain = domainOf(host) || host;
  }
  for (const [name, value] of Object.entries(given)) {
    if (name === 'id' || name === 'url' || name === 'deleted' || value === null) continue;
    const field = fields.get(name);
    if (!field || field.column?.startsWith('hash') || name === 'segment') unknown.add(name);
    else document[name] = fieldValue(name, value, field.column);
  }
  return document;
}

function fieldValue(name: string, value: unknown, column: string | undefined): FieldValue {
  if (column === 'f64' || column === 'u32') {
    const number = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (!Number.isFinite(number)) throw new Error(`${name} is neither a number nor a date`);
    if (dateFields.has(name) && Math.abs(number) > LATEST_DATE)
      throw new Error(`${name} is no date: in milliseconds since 1970 it may be at most ${LATEST_DATE}`);
    return number;
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new Error(`${name} is neither a text nor a list of texts`);
}
