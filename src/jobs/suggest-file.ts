/** The type-ahead file of an index commit, `suggest-<generation>`: titles and hosts of all live documents. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import {
  buildSuggest,
  FsDirectory,
  isLive,
  openShared,
  type SegmentReader,
  type SharedSegment,
  type SuggestEntry,
} from '../../index/index.ts';
import type { JobContext } from '../run/context.ts';

export const isSuggestFile = (name: string): boolean => /^suggest-\d+$/.test(name);
export const suggestFile = (generation: number): string => `suggest-${generation}`;

/**
 * Entries up to which headings join the titles. Pages of reference works have dozens each: all of them made publishing
 * ten thousand such pages the third largest cost of a crawl, and its peak of memory.
 */
const WITH_HEADINGS = 20_000;

const SHOWN: ReadonlySet<string> = new Set(['id', 'title', 'headings']);

/** The file's bytes. Heavier documents first when there are more than a type-ahead should hold. */
export const suggestOf = (readers: readonly SegmentReader[]): Uint8Array => buildSuggest(suggestEntries(readers));

export interface SuggestTask {
  readonly directory: string;
  readonly segments: readonly SharedSegment[];
  /** The file's bytes go through it, moved: some megabytes. */
  readonly port: MessagePort;
}

/** What the thread does. */
export function suggestTask({ directory, segments, port }: SuggestTask): void {
  const place = new FsDirectory(directory);
  const readers = segments.map((shared) => openShared(place, shared));
  try {
    const bytes = suggestOf(readers);
    port.postMessage(bytes, [bytes.buffer as ArrayBuffer]);
  } finally {
    for (const reader of readers) reader.close();
    port.close();
  }
}

/** Below this many documents it takes less than starting a thread. */
const INLINE_DOCS = 2000;

/**
 * The file's bytes, made in a thread: the titles of many documents are much to collect, and a thread's heap goes with it.
 * @param directory of the index
 * @throws CrawlError 'interrupted'
 */
export async function suggestOnThread(
  { pool, signal }: Pick<JobContext, 'pool' | 'signal'>,
  directory: string,
  readers: readonly SegmentReader[],
): Promise<Uint8Array> {
  if (readers.reduce((sum, { docs }) => sum + docs, 0) < INLINE_DOCS) return suggestOf(readers);
  const { port1, port2 } = new MessageChannel();
  const task: SuggestTask = { directory, segments: readers.map((reader) => reader.share()), port: port2 };
  try {
    const came = new Promise<Uint8Array>((resolve) => port1.once('message', resolve));
    await pool.run('suggest', task, { signal, transfer: [port2] });
    return await came;
  } finally {
    port1.close();
  }
}

/** Titles, headings while there are few documents, and hosts. */
export function suggestEntries(readers: readonly SegmentReader[]): Iterable<SuggestEntry> {
  const docs = readers.reduce((sum, { liveDocs }) => sum + liveDocs, 0);
  return entries(readers, docs === 0 ? 0 : Math.max(0, Math.floor(WITH_HEADINGS / docs) - 1));
}

/** @param each the first headings of a document that are taken */
function* entries(readers: readonly SegmentReader[], each: number): Generator<SuggestEntry, void, undefined> {
  const hosts = new Map<string, number>();
  for (const reader of readers) {
    const boost = reader.column('boost');
    const site = reader.column('site');
    const wanted = new Set<number>();
    for (const [number, { name }] of reader.schema.fields.entries()) if (SHOWN.has(name)) wanted.add(number);
    for (let doc = 0; doc < reader.docs; doc++) {
      if (!isLive(reader.live, doc)) continue;
      const { id, title, headings } = reader.stored(doc, wanted);
      const known = boost?.kind === 'f64' ? boost.values[doc]! : Number.NaN;
      const weight = Number.isNaN(known) ? 1 : known;
      for (const text of [title].flat()) if (typeof text === 'string') yield { text, id: String(id), weight };
      // A heading leads to a part of a page: it comes after all titles of the same worth.
      for (const text of [headings].flat().slice(0, each))
        if (typeof text === 'string') yield { text, id: String(id), weight: weight / 4 };
      const host = site?.kind === 'string' ? site.dictionary.value(site.ordinals[doc]!) : undefined;
      if (host) hosts.set(host, (hosts.get(host) ?? 0) + 1);
    }
  }
  for (const [host, pages] of hosts) yield { text: host, id: '', weight: 1 + Math.log2(pages) };
}
