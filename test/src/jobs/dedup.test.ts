import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FsDirectory, openSegment, SegmentBuilder } from '../../../index/index.ts';
import { pageSchema } from '../../../src/fields/schema.ts';
import { decodeLoss, findDuplicates, type Loss, readPlace } from '../../../src/jobs/dedup.ts';
import { defaults } from '../../../src/options.ts';
import { createPool } from '../../../src/run/pool.ts';
import { RecordReader } from '../../../src/store/records.ts';
import { shared } from '../../kit/shared.ts';

const Dedup = suite('dedup');
const root = mkdtempSync(join(tmpdir(), 'dedup-'));
const pool = createPool(1);
Dedup.after(async () => {
  await pool.close();
  rmSync(root, { recursive: true, force: true });
});

interface Doc {
  readonly url: string;
  readonly digestOf: string;
  readonly score: number;
  readonly tstamp?: number;
}
const schema = pageSchema(defaults.index);
let places = 0;

/** What is left of segments, as `segment/doc`, and why the others went. `live` words, when given, replace the first's. */
async function dedup(
  segments: Readonly<Record<string, readonly Doc[]>>,
  by: 'score' | 'url' = 'score',
  order = Object.keys(segments),
): Promise<{ kept: string[]; losses: Loss[] }> {
  const dir = join(root, String(places++));
  const directory = new FsDirectory(join(dir, 'index'));
  const splits = order.map((name) => {
    const builder = new SegmentBuilder(schema);
    for (const { url, digestOf, score, tstamp } of segments[name]!)
      builder.add({
        id: url,
        segment: name,
        boost: score,
        digest: new Uint8Array(createHash('md5').update(digestOf).digest()),
        ...(tstamp === undefined ? {} : { fetched: tstamp }),
      });
    builder.write(directory, name);
    const reader = openSegment(directory, name);
    try {
      return { directory: join(dir, 'index'), shared: reader.share(), docs: reader.docs };
    } finally {
      reader.close();
    }
  });
  const context = { dir, pool, signal: new AbortController().signal, onEvent: () => undefined };
  const found = await findDuplicates(context, splits, by);
  const gone = new Map<string, Loss>();
  for (const path of found.files) {
    const reader = new RecordReader(path);
    while (reader.next()) {
      const { segment, doc } = readPlace(reader.block.subarray(reader.keyStart, reader.keyEnd));
      gone.set(
        `${found.segments[segment]}/${doc}`,
        decodeLoss(reader.block.subarray(reader.valueStart, reader.valueEnd)),
      );
    }
    reader.close();
  }
  found.discard();
  assert.is(found.counters.duplicates, gone.size);
  const all = Object.entries(segments).flatMap(([name, docs]) => docs.map((_, doc) => `${name}/${doc}`));
  return { kept: all.filter((place) => !gone.has(place)), losses: [...gone.values()] };
}

const doc = (url: string, digestOf: string, score: number, tstamp?: number): Doc =>
  tstamp === undefined ? { url, digestOf, score } : { url, digestOf, score, tstamp };
const permutations = <T>(all: readonly T[]): T[][] =>
  all.length < 2
    ? [[...all]]
    : all.flatMap((one, i) => permutations(all.toSpliced(i, 1)).map((rest) => [one, ...rest]));

Dedup('RU-dups-05: an old copy of a page does not remove another page that has its old content', async () => {
  const { kept } = await dedup({
    '20260101000000': [doc('http://x.test/1', 'X', 2, 10)],
    '20260201000000': [doc('http://x.test/1', 'Y', 2, 20), doc('http://x.test/2', 'X', 1, 20)],
  });
  assert.equal(kept, ['20260201000000/0', '20260201000000/1']);
});

Dedup('a loser names its winner and the rule', async () => {
  const { losses } = await dedup({
    s1: [doc('http://x.test/a', 'X', 2, 1), doc('http://x.test/b', 'X', 1, 1), doc('http://x.test/a', 'old', 1, 0)],
  });
  assert.equal(
    losses.sort((a, b) => (a.rule < b.rule ? -1 : 1)),
    [
      { rule: 'score', id: 'http://x.test/b', winner: 'http://x.test/a' },
      { rule: 'url-latest', id: 'http://x.test/a', winner: 'http://x.test/a' },
    ],
  );
});

Dedup('without a time in the document, the name of its crawl segment and its number decide', async () => {
  const { kept } = await dedup({
    '20260201000000': [doc('http://x.test/a', 'Y', 1)],
    '20260101000000': [doc('http://x.test/a', 'X', 1), doc('http://x.test/b', 'Y', 1), doc('http://x.test/b', 'Z', 1)],
  });
  assert.equal(kept, ['20260201000000/0', '20260101000000/2']);
});

Dedup(
  'RU-dups-06: the survivors of three segments are the same in all six orders, and those of a dumb sort',
  async () => {
    const seed = 20_261_130;
    let state = seed;
    const random = (n: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % n;
    };
    const segments = Object.fromEntries(
      ['s1', 's2', 's3'].map((name) => [
        name,
        Array.from({ length: 40 }, () =>
          doc(`http://x.test/${'p'.repeat(random(4))}${random(9)}`, String(random(12)), random(3), random(4)),
        ),
      ]),
    );
    for (const by of ['score', 'url'] as const) {
      // Urls first: of equal times any copy may stay, as long as it is always the same one.
      const results = [];
      for (const order of permutations(Object.keys(segments))) results.push(await dedup(segments, by, order));
      const urlsOf = ({ kept }: { kept: string[] }): string[] =>
        kept.map((place) => segments[place.split('/')[0]!]![Number(place.split('/')[1])]!.url).sort();
      for (const result of results) {
        const urls = urlsOf(result);
        assert.is(new Set(urls).size, urls.length, `an address twice (seed ${seed})`);
      }
      for (const result of results) assert.equal(result.kept, dumb(segments, by), `by ${by}, seed ${seed}`);
    }
  },
);

/** The rules, with sorts: the latest of each address, then the best of each content. */
function dumb(segments: Readonly<Record<string, readonly Doc[]>>, by: 'score' | 'url'): string[] {
  const all = Object.entries(segments).flatMap(([name, docs]) =>
    docs.map((doc, n) => ({ ...doc, place: `${name}/${n}`, name, n })),
  );
  const firstOf = <T>(items: T[], key: (item: T) => string): T[] => [
    ...new Map(items.toReversed().map((item) => [key(item), item])).values(),
  ];
  const latest = all.sort(
    (a, b) => b.tstamp! - a.tstamp! || b.score - a.score || (a.name < b.name ? 1 : a.name > b.name ? -1 : b.n - a.n),
  );
  const pages = firstOf(latest, (page) => page.url);
  const better = (a: Doc, b: Doc): number => b.score - a.score || b.tstamp! - a.tstamp!;
  const shorter = (a: Doc, b: Doc): number => a.url.length - b.url.length;
  const inOrder = (a: Doc, b: Doc): number => (a.url < b.url ? -1 : 1);
  pages.sort(
    (a, b) => (by === 'score' ? better(a, b) || shorter(a, b) : shorter(a, b) || better(a, b)) || inOrder(a, b),
  );
  const kept = new Set(firstOf(pages, (page) => page.digestOf).map((page) => page.place));
  return Object.entries(segments)
    .flatMap(([name, docs]) => docs.map((_, n) => `${name}/${n}`))
    .filter((place) => kept.has(place));
}

Dedup('thousands of documents, more than a block of records, come to what the dumb sort finds', async () => {
  // Every address twice, so that pairs lie across the ends of blocks; every content of the newer copies twice.
  const of = (n: number, time: number): Doc =>
    doc(`http://x.test/some/long/section/page-${n}.html`, String(n - (n % 2) + time * 1e6), n % 3, time);
  const segments = {
    s1: Array.from({ length: 4000 }, (_, n) => of(n, 1)),
    s2: Array.from({ length: 4000 }, (_, n) => of(n, 2)),
  };
  assert.equal((await dedup(segments)).kept, dumb(segments, 'score'));
});

Dedup('an empty list of segments, and a segment that lost all its documents, are no error', async () => {
  assert.equal((await dedup({})).kept, []);
});

const vectors = shared('vectors/nutch/dedup.json');
if (vectors === null) console.log("skipped: Nutch's vectors of dedup are not at hand");
else {
  for (const { id, docs, indexes, keep } of JSON.parse(readFileSync(vectors, 'utf8')).index12)
    Dedup(`Nutch's vector holds: ${id}`, async () => {
      const segments: Record<string, Doc[]> = indexes ?? { index1: docs };
      const { kept } = await dedup(segments);
      if (Array.isArray(keep))
        assert.equal(
          kept,
          keep.map((n: number) => `index1/${n}`),
        );
      else if (id === 'mixed two indexes') assert.equal(kept, ['index1/1', 'index2/1']);
      else assert.equal(kept, ['index5/0']);
    });
}

Dedup.run();
