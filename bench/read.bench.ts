/**
 * What does it cost to read a page to the records of a segment, and where does it go? Microseconds of a page, by stages,
 * of the pages of a folder: each piece of twenty pages is read again and again by each stage in turn, and its least time
 * counts, so that a busy machine blurs it little. The code is warm, as it is in a crawl after some hundred pages.
 *
 *     npm run bench -- read --folder DIR [--pages 400]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Outlinks } from '../src/fetch/outlinks.ts';
import { readPage } from '../src/fetch/read-page.ts';
import { chooseMain } from '../src/parse/main-text.ts';
import { Nesting } from '../src/parse/nesting.ts';
import { viewPage } from '../src/parse/page.ts';
import { Reading } from '../src/parse/reading.ts';
import { scan } from '../src/parse/scan.ts';
import { parseSettings } from '../src/parse/settings.ts';
import { textSignatureOf } from '../src/parse/signature.ts';
import { settle } from '../src/settle.ts';
import { createAdmit } from '../src/url/admit.ts';
import { words } from './peers/tools.ts';
import { question } from './question.ts';

const ask = question('read');
const { options: flags } = words(process.argv.slice(2));
const folder = flags.get('folder');
const most = Number(flags.get('pages') ?? 400);
const PIECE = 20;
const ROUNDS = 20;

interface Page {
  readonly url: string;
  readonly body: Buffer;
}

function pagesOf(root: string): Page[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.html?$/.test(file));
  files.sort();
  const step = Math.max(1, Math.floor(files.length / most)); // pages from all over it
  return files
    .filter((_, i) => i % step === 0)
    .slice(0, most)
    .map((file) => ({ url: `http://host.example/${encodeURI(file)}`, body: readFileSync(join(root, file)) }))
    .filter(({ body }) => body.length < 150_000);
}

if (folder === undefined) console.log('  give a folder of pages: --folder DIR');
else {
  const pages = pagesOf(folder);
  const options = settle();
  const settings = parseSettings(options);
  const outlinks = new Outlinks(createAdmit(options.scope, ['http://host.example/'], 'outlink'));
  const tape = new Nesting();
  const reading = new Reading();
  const headers = { 'last-modified': 'Tue, 05 Mar 2024 10:00:00 GMT' };
  const said = { contentType: 'text/html', fetched: 0, lastModified: headers['last-modified'], score: 1, depth: 1 };
  let sink = 0;
  const scanned = ({ body }: Page): void => {
    tape.begin(body);
    scan(body, tape);
    tape.end();
  };
  const view = ({ url, body }: Page) => {
    const page = viewPage({ url, contentType: 'text/html', headers, body }, settings);
    if (!('bytes' in page)) return null;
    page.links.release();
    return page;
  };
  /** Each does all of the one before it, but for the digest, which follows the view. */
  const stages: Readonly<Record<string, (page: Page) => void>> = {
    scan: (page) => scanned(page),
    'and text, links, regions': (page) => {
      scanned(page);
      reading.read(tape);
    },
    'and the main text': (page) => {
      scanned(page);
      reading.read(tape);
      sink += chooseMain(reading.blocks, reading.regions, tape).length;
    },
    'all of the view': (page) => void view(page),
    'the view and its digest': (page) => {
      const { visible, astral } = view(page) ?? {};
      if (visible !== undefined) sink += textSignatureOf(page.body, visible, page.url, astral!).length;
    },
    'all records': ({ url, body }) => {
      const input = { url, contentType: 'text/html', headers, body };
      sink += readPage(input, { ...said, url }, settings, outlinks).kind.length;
    },
  };
  const pieces = Math.ceil(pages.length / PIECE);
  const least = Object.keys(stages).map(() => new Float64Array(pieces).fill(Infinity));
  for (let round = 0; round < ROUNDS; round++) {
    for (let piece = 0; piece < pieces; piece++) {
      const part = pages.slice(piece * PIECE, (piece + 1) * PIECE);
      for (const [s, stage] of Object.values(stages).entries()) {
        const started = performance.now();
        for (const page of part) stage(page);
        least[s]![piece] = Math.min(least[s]![piece]!, performance.now() - started);
      }
    }
  }
  const bytes = pages.reduce((sum, { body }) => sum + body.length, 0);
  ask.figure('pages', { pages: pages.length, 'kB each': bytes / 1000 / pages.length });
  for (const [s, stage] of Object.keys(stages).entries()) {
    const ms = least[s]!.reduce((sum, one) => sum + one, 0);
    ask.figure(stage, { 'us a page': (ms * 1000) / pages.length, 'ns a byte': (ms * 1e6) / bytes });
  }
  void sink;
}
