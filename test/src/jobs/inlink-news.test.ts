import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { GatheredLinks, InlinkMerge } from '../../../src/jobs/inlink-news.ts';
import { decodeInlinks, encodeInlinks, type Inlink } from '../../../src/page/inlinks.ts';
import type { Values } from '../../../src/run/job.ts';

const News = suite('inlink news');

interface Link {
  readonly source: string;
  /** Null: gone. */
  readonly anchor: string | null;
}
const source = fc.oneof(
  fc.nat(12).map((n) => `com.example https /page-${n}`),
  fc.constantFrom('', 'com', `com.example https /${'long '.repeat(200)}`, 'org.example http /é'),
);
const link = fc.record({ source, anchor: fc.option(fc.constantFrom('', 'one', 'two\nthree'), { nil: null }) });

const bytesOf = ({ source, anchor }: Link): Buffer => {
  const key = Buffer.from(source);
  const head = Buffer.alloc(5);
  head[0] = anchor === null ? 0 : 1;
  head.writeUInt32LE(key.length, 1);
  const score = Buffer.alloc(4);
  score.writeFloatLE(0.5);
  return Buffer.concat(anchor === null ? [head, key] : [head, key, score, Buffer.from(anchor)]);
};
function valuesOf(all: readonly Buffer[]): Values {
  const iterator = all[Symbol.iterator]();
  return {
    bytes: Buffer.alloc(0),
    start: 0,
    end: 0,
    next() {
      const { done, value } = iterator.next();
      if (done) return false;
      Object.assign(this, { bytes: Buffer.concat([Buffer.from('x'), value]), start: 1, end: value.length + 1 });
      return true;
    },
    [Symbol.iterator]: () => iterator,
  };
}
const inlinks = (links: ReadonlyMap<string, string>): Inlink[] =>
  [...links]
    .map(([source, anchor]) => ({ source: Buffer.from(source), anchor: Buffer.from(anchor), score: 0.5 }))
    .sort((a, b) => a.source.compare(b.source));

News('any links, put together by target and merged, are what a map of them by source holds', () => {
  const gathered = new GatheredLinks();
  const merging = new InlinkMerge();
  fc.assert(
    fc.property(fc.array(link, { maxLength: 30 }), fc.array(link, { minLength: 1, maxLength: 30 }), (before, news) => {
      const old = new Map(before.flatMap(({ source, anchor }) => (anchor === null ? [] : [[source, anchor] as const])));
      const expected = new Map(old);
      for (const { source } of news) expected.delete(source);
      // A link that went and is there again is there, whichever was said first.
      for (const { source, anchor } of news) if (anchor !== null) expected.set(source, anchor);
      gathered.read(valuesOf(news.map(bytesOf)));
      let sent = Buffer.alloc(0);
      gathered.news(Buffer.from('target'), {
        slice: (_key: Uint8Array, _from: number, _to: number, value: Uint8Array, start: number, end: number) => {
          sent = Buffer.concat([Buffer.from('yy'), value.subarray(start, end)]);
        },
      } as never);
      const record = old.size > 0 ? Buffer.from(encodeInlinks(inlinks(old))) : undefined;
      const list = merging.merge(record, sent, 2, sent.length);
      assert.equal(list.length > 0 ? decodeInlinks(list) : [], inlinks(expected));
    }),
    { numRuns: 400 },
  );
});

News('a list with more links than are kept of a page keeps those of the best sources', () => {
  const gathered = new GatheredLinks();
  const links = Array.from({ length: 10_050 }, (_, i): Link => ({ source: `page ${i}`, anchor: '' }));
  const values = links.map(bytesOf);
  for (const [i, value] of values.entries()) value.writeFloatLE(i, 5 + links[i]!.source.length);
  gathered.read(valuesOf(values));
  let sent = Buffer.alloc(0);
  gathered.news(Buffer.from('target'), {
    slice: (_key: Uint8Array, _from: number, _to: number, value: Uint8Array, start: number, end: number) => {
      sent = Buffer.from(value.subarray(start, end));
    },
  } as never);
  const kept = decodeInlinks(new InlinkMerge().merge(undefined, sent, 0, sent.length));
  assert.is(kept.length, 10_000);
  assert.is(Math.min(...kept.map(({ score }) => score)), 50);
});

News.run();
