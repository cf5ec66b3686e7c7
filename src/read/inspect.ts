import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { FsDirectory, inspectFile, openSuggest } from '../../index/index.ts';
import { readCrawlFile } from '../crawl-folder.ts';
import { CrawlError } from '../errors.ts';
import { decodeOutcome, decodeState } from '../page/codec.ts';
import { urlOf } from '../page/key.ts';
import { decodePageData, decodePageLinks, decodePageText } from '../page/segment.ts';
import { readRecords } from '../store/records.ts';
import { readWarc } from '../store/warc-read.ts';

/** How a value of a record file reads, by the folder it lies in. */
const decoders: Readonly<Record<string, (value: Uint8Array) => unknown>> = {
  crawl_generate: decodeState,
  crawl_fetch: decodeOutcome,
  parse_data: decodePageData,
  parse_text: decodePageText,
  crawl_parse: (value) => decodePageLinks(value),
};

/**
 * What is in a file of ours: a line of text about the file first, then values, at most `most`. Record files, WARC files,
 * the files of an index, and `nuthatch.json`.
 * @throws CrawlError 'usage' for a file that is not there or not ours, 'damaged' where it is broken
 */
export function* inspect(path: string, most: number): Generator<unknown, void, undefined> {
  if (!existsSync(path) || !statSync(path).isFile())
    throw new CrawlError('usage', `${path} is no file`, { where: path });
  const magic = firstBytes(path, 4).toString('latin1');
  if (magic === 'NHIX' && /^suggest-\d+$/.test(basename(path))) {
    const bytes = new FsDirectory(dirname(path)).read(basename(path));
    yield `${path}: type-ahead file, ${bytes.length} bytes`;
    yield { entries: openSuggest(bytes, basename(path)).size };
    return;
  }
  if (magic === 'NHIX') {
    const { file, format, version, bytes, problem, holds } = inspectFile(
      new FsDirectory(dirname(path)),
      basename(path),
    );
    if (problem) throw new CrawlError('damaged', problem, { where: path });
    yield `${file}: index file of format ${format}, version ${version}, ${bytes} bytes`;
    yield holds;
    return;
  }
  if (/\.warc(?:\.gz)?$/.test(path)) {
    yield* archive(path, most);
    return;
  }
  if (basename(path) === 'nuthatch.json') {
    const file = readCrawlFile(dirname(path));
    yield `${path}: crawl folder of format ${file?.format}`;
    yield file;
    return;
  }
  if (magic !== 'nhrc')
    throw new CrawlError(
      'usage',
      `${path} is no file that inspect knows: it reads nuthatch.json, record files (.rec), WARC files and files of an index`,
      { where: path },
    );
  const part = basename(dirname(path));
  const decode = decoders[part];
  yield `${path}: record file, ${statSync(path).size} bytes${decode ? `, ${part}` : ''}`;
  let n = 0;
  for (const { key, value } of readRecords(path)) {
    if (n++ >= most) continue;
    yield {
      key: decode ? urlOf(key) : key,
      value: decode ? decode(value) : Buffer.from(value).toString('hex').slice(0, 200),
    };
  }
  yield `${n} records`;
}

function* archive(path: string, most: number): Generator<unknown, void, undefined> {
  yield `${path}: WARC, ${statSync(path).size} bytes`;
  let n = 0;
  for (const { type, fields, block, offset } of readWarc(path)) {
    if (n++ >= most) continue;
    yield { offset, type, url: fields.get('warc-target-uri'), date: fields.get('warc-date'), bytes: block.length };
  }
  yield `${n} records`;
}

function firstBytes(path: string, length: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
  } finally {
    closeSync(file);
  }
}
