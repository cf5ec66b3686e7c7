import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FsDirectory, mergeSegments, openSegment } from '../../../index/index.ts';
import { SEGMENT_FILES, segmentFile } from '../../../index/io/names.ts';
import { buildSegments, encodePage } from '../../../src/jobs/build-segments.ts';
import { mergeOnThread } from '../../../src/jobs/merge.ts';
import { defaults } from '../../../src/options.ts';
import { keyOf } from '../../../src/page/key.ts';
import { encodePageData, encodePageText } from '../../../src/page/segment.ts';
import { createPool } from '../../../src/run/pool.ts';
import { RecordWriter } from '../../../src/store/records.ts';

const Build = suite('crawl segments become index segments');
const root = mkdtempSync(join(tmpdir(), 'build-segments-'));
const pool = createPool(1);
const directory = join(root, 'index');
const pages = join(root, 'pages.rec');
const PAGES = 400;
Build.before(() => {
  mkdirSync(directory);
  const writer = new RecordWriter(pages);
  for (const [key, n] of Array.from({ length: PAGES }, (_, n) => [keyOf(`http://a.example/${n}`), n] as const).sort(
    (a, b) => (a[0] < b[0] ? -1 : 1),
  )) {
    const data = encodePageData({
      title: `Page ${n}`,
      headings: [],
      meta: {},
      canonical: '',
      lang: 'en',
      charset: 'utf-8',
      robots: { noindex: false, nofollow: false, noarchive: false, nosnippet: false },
      dates: { published: '', modified: '' },
      problems: [],
      signature: new Uint8Array(16).fill(n),
      contentType: 'text/html',
      fetched: 1_800_000_000_000 + n,
      lastModified: '',
      bytes: 1000,
    });
    const words = Array.from({ length: 300 }, (_, w) => `word${(n * 131 + w * 17) % 5000}`).join(' ');
    // The menu stands on every page, so that what a host repeats is seen across the cuts too.
    const text = encodePageText({ text: `Menu of all pages here\n${words}`, boilerplate: '' });
    writer.append(key, encodePage(undefined, [{ host: 'b.example', anchor: `to ${n}` }], data, text));
  }
  writer.close();
});
Build.after(async () => {
  await pool.close();
  rmSync(root, { recursive: true, force: true });
});

const task = { pages, directory, segment: '20261130120000', options: defaults.index };
const place = (): FsDirectory => new FsDirectory(directory);
const bytesOf = (name: string): string[] =>
  SEGMENT_FILES.map((kind) => readFileSync(join(directory, segmentFile(name, kind)), 'base64'));
/** Merges where we are; the name of the outcome. */
function merged(names: readonly string[], name: string): string {
  const readers = names.map((one) => openSegment(place(), one));
  try {
    mergeSegments(readers, place(), name);
  } finally {
    for (const reader of readers) reader.close();
  }
  return name;
}

Build('pages beyond a memory budget become several index segments, which merge to the bytes of one', () => {
  const whole = buildSegments({ ...task, name: 'whole' });
  assert.equal(
    whole.map(({ name, docs }) => [name, docs]),
    [['whole', PAGES]],
  );
  const cut = buildSegments({ ...task, name: 'cut', budgetBytes: 1 << 19 });
  assert.ok(cut.length > 2, `${cut.length} segments`);
  assert.equal(
    cut.map(({ name }) => name),
    cut.map((_, n) => (n === 0 ? 'cut' : `cut-${n}`)),
  );
  assert.is(
    cut.reduce((sum, { docs }) => sum + docs, 0),
    PAGES,
  );
  const names = cut.map(({ name }) => name);
  assert.equal(bytesOf(merged(names, 'cut-merged')), bytesOf(merged(['whole'], 'whole-merged')));
});

Build('merging on a thread gives the bytes of merging where we are, and tells how far it is', async () => {
  const names = buildSegments({ ...task, name: 'some', budgetBytes: 1 << 19 }).map(({ name }) => name);
  const shared = names.map((name) => {
    const reader = openSegment(place(), name);
    try {
      return reader.share();
    } finally {
      reader.close();
    }
  });
  const told: number[] = [];
  const context = {
    pool,
    signal: new AbortController().signal,
    onEvent: (event: { kind: string; done?: number }) =>
      void (event.kind === 'step-progress' && told.push(event.done!)),
  };
  // Megabytes enough that a thread is worth it, whatever the files weigh.
  const built = await mergeOnThread(context, { directory, segments: shared, name: 'threaded' }, 1 << 30);
  assert.equal([built.name, built.docs], ['threaded', PAGES]);
  assert.equal(bytesOf('threaded'), bytesOf(merged(names, 'inline')));
  assert.ok(told.length > 0 && told.every((percent, n) => n === 0 || percent >= told[n - 1]!), told.join());
});

Build.run();
