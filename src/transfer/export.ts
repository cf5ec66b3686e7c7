import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { FsDirectory, isLive, openSnapshot, type Snapshot } from '../../index/index.ts';
import { CrawlError } from '../errors.ts';
import { isFetched } from '../jobs/progress.ts';
import { partFiles } from '../page/segment-files.ts';
import { segmentsOf } from '../read/segment.ts';
import type { Counters } from '../run/context.ts';
import { type CsvValue, csvRow } from './csv.ts';

/** Where an export goes: a file, written beside and renamed when whole, or a function that takes a line at a time. */
export type Sink = string | ((line: string) => Promise<void> | void);

const CSV_FIELDS = ['id', 'url', 'title', 'site', 'lang', 'type', 'modified', 'fetched', 'bytes', 'segment', 'text'];

/** The stored fields of every live document of the published index, in its order: a JSON object or a CSV record a line. */
export async function exportDocuments(folder: string, format: 'jsonl' | 'csv', to: Sink): Promise<Counters> {
  const snapshot = openSnapshot(new FsDirectory(folder));
  if (!snapshot) throw new CrawlError('missing-input', `nothing is published in ${folder}; run nuthatch index first`);
  try {
    return await written(to, (line) => writeDocuments(snapshot, format, line));
  } finally {
    snapshot.close();
  }
}

async function writeDocuments(
  snapshot: Snapshot,
  format: 'jsonl' | 'csv',
  line: (text: string) => Promise<void> | void,
): Promise<Counters> {
  let documents = 0;
  if (format === 'csv') await line(`${csvRow(CSV_FIELDS)}\r`);
  for (const reader of snapshot.segments)
    for (let doc = 0; doc < reader.docs; doc++) {
      if (!isLive(reader.live, doc)) continue;
      const stored = reader.stored(doc);
      documents++;
      await line(
        format === 'jsonl' ? JSON.stringify(stored) : `${csvRow(CSV_FIELDS.map((name) => stored[name] as CsvValue))}\r`,
      );
    }
  return { documents };
}

/** The stored responses of every fetched segment as one WARC: gzip members lie behind each other as they are. */
export async function exportWarc(dir: string, path: string): Promise<Counters> {
  let [files, bytes] = [0, 0];
  const beside = `${path}.new`;
  const file = openSync(beside, 'w');
  try {
    for (const segment of segmentsOf(dir).filter((name) => isFetched(dir, name)))
      for (const content of partFiles(dir, segment, 'content')) {
        files++;
        for await (const chunk of createReadStream(content, { highWaterMark: 1 << 20 })) {
          bytes += (chunk as Buffer).length;
          for (let done = 0; done < chunk.length; ) done += writeSync(file, chunk as Buffer, done);
        }
      }
  } catch (error) {
    closeSync(file);
    rmSync(beside, { force: true });
    throw error;
  }
  closeSync(file);
  renameSync(beside, path);
  return { files, bytes };
}

async function written(
  to: Sink,
  act: (line: (text: string) => Promise<void> | void) => Promise<Counters>,
): Promise<Counters> {
  if (typeof to === 'function') return act(to);
  const beside = `${to}.new`;
  const file = openSync(beside, 'w');
  try {
    const counters = await act((text) => {
      const bytes = Buffer.from(`${text}\n`);
      for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done);
    });
    closeSync(file);
    renameSync(beside, to);
    return counters;
  } catch (error) {
    closeSync(file);
    rmSync(beside, { force: true });
    throw error;
  }
}
