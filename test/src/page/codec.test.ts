import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decodeOutcome, decodeState, encodeOutcome, encodeState, stateAt } from '../../../src/page/codec.ts';
import { type Outcome, type OutcomeKind, outcomeCode } from '../../../src/page/outcome.ts';
import { type Reason, reasons } from '../../../src/page/reason.ts';
import {
  decodePageData,
  decodePageLinks,
  decodePageText,
  encodePageData,
  encodePageLinks,
  encodePageText,
} from '../../../src/page/segment.ts';
import type { PageState } from '../../../src/page/state.ts';
import { type Status, statusCode } from '../../../src/page/status.ts';

const Codec = suite('page codec');
const PLAIN = { noNullPrototype: true };
const reason = fc.constantFrom(...(Object.keys(reasons) as Reason[]));
const time = fc.integer({ min: 0, max: 8e15 });
const signature = fc.option(fc.uint8Array({ minLength: 1, maxLength: 20 }).map((bytes) => new Uint8Array(bytes)));
const state: fc.Arbitrary<PageState> = fc.record(
  {
    status: fc.constantFrom(...(Object.keys(statusCode) as Status[])),
    due: time,
    fetched: time,
    interval: fc.nat(),
    fixedInterval: fc.nat(),
    retries: fc.nat(255),
    score: fc.double({ noNaN: true, noDefaultInfinity: true }),
    modified: time,
    etag: fc.string(),
    lastModified: fc.string(),
    signature,
    depth: fc.nat(65535),
    lease: fc.option(fc.record({ segment: fc.string(), expires: time }, PLAIN)),
    reason,
    httpStatus: fc.nat(999),
    target: fc.webUrl(),
    inlinks: fc.nat(),
    unlinked: time,
    rank: fc.double({ min: 0, max: 1e6, noNaN: true }),
    meta: fc.array(fc.tuple(fc.string(), fc.string())).map((pairs) => new Map(pairs)),
  },
  PLAIN,
);

Codec('any page state comes back as it went', () => {
  fc.assert(fc.property(state, (page) => assert.equal(decodeState(encodeState(page)), page)));
});

Codec('due time, score, status and depth of a state are read where they lie', () => {
  fc.assert(
    fc.property(state, (page) => {
      const bytes = Buffer.from(encodeState(page));
      assert.is(bytes.readDoubleLE(stateAt.due), page.due);
      assert.is(bytes.readDoubleLE(stateAt.score), page.score);
      assert.is(bytes.readDoubleLE(stateAt.fetched), page.fetched);
      assert.is(bytes[stateAt.status], statusCode[page.status]);
      assert.is(bytes.readUInt16LE(stateAt.depth), page.depth);
      assert.is((bytes[stateAt.has]! & 2) > 0, page.lease !== null);
    }),
  );
});

Codec('retries saturate, and numbers that are none become 0', () => {
  const page = decodeState(
    encodeState({ ...fc.sample(state, { numRuns: 1, seed: 1 })[0]!, retries: 1000, score: Number.NaN, interval: -5 }),
  );
  assert.equal([page.retries, page.score, page.interval], [255, 0, 0]);
});

Codec('any outcome comes back as it went', () => {
  const outcome: fc.Arbitrary<Outcome> = fc.record(
    {
      kind: fc.constantFrom(...(Object.keys(outcomeCode) as OutcomeKind[])),
      reason,
      fetched: time,
      httpStatus: fc.nat(999),
      responseMs: fc.nat(),
      bytes: fc.maxSafeNat(),
      truncated: fc.boolean(),
      contentType: fc.string(),
      etag: fc.string(),
      lastModified: fc.string(),
      target: fc.string(),
      signature,
      ip: fc.string(),
      detail: fc.string(),
    },
    PLAIN,
  );
  fc.assert(fc.property(outcome, (one) => assert.equal(decodeOutcome(encodeOutcome(one)), one)));
});

Codec('every reason has a number of its own', () => {
  const base = fc.sample(state, { numRuns: 1, seed: 2 })[0]!;
  const codes = (Object.keys(reasons) as Reason[]).map((reason) => encodeState({ ...base, reason })[stateAt.reason]);
  assert.is(new Set(codes).size, codes.length);
});

Codec('a state that is cut off at any byte is damage, one of a newer version is too new', () => {
  const bytes = encodeState({ ...fc.sample(state, { numRuns: 1, seed: 3 })[0]!, target: 'http://a.example/' });
  for (let length = 0; length < 61; length++)
    assert.throws(
      () => decodeState(bytes.subarray(0, length)),
      (error: { code: string }) => error.code === 'damaged',
    );
  const newer = new Uint8Array(bytes);
  newer[0] = 2;
  assert.throws(
    () => decodeState(newer),
    (error: { code: string }) => error.code === 'too-new',
  );
});

Codec('the data, text and links of a page come back as they went', () => {
  const data = {
    title: 'Nuthatch – Ünïcode',
    headings: [
      { level: 1, text: 'One', anchor: 'one' },
      { level: 2, text: 'Two' },
    ],
    meta: { description: 'd', keywords: '' },
    canonical: 'https://a.example/',
    lang: 'en',
    charset: 'utf-8',
    robots: { noindex: true, nofollow: false, noarchive: true, nosnippet: false },
    dates: { published: '2020-01-01', modified: '' },
    problems: ['a', 'b'],
    signature: new Uint8Array([1, 2]),
    contentType: 'text/html',
    fetched: 1.7e12,
    lastModified: 'x',
    bytes: 5e9,
  };
  const back = decodePageData(encodePageData(data));
  assert.equal({ ...back, meta: { ...back.meta } }, data);
  const text = { text: 'a\nb', boilerplate: '' };
  assert.equal(decodePageText(encodePageText(text)), text);
  const links = {
    signature: null,
    score: 0.25,
    depth: 3,
    links: [
      { url: 'https://b.example/x?y', anchor: 'ä'.repeat(100), nofollow: true },
      { url: 'https://b.example/', anchor: '', nofollow: false },
    ],
  };
  assert.equal(decodePageLinks(encodePageLinks(links)), links);
});

Codec('a meta name that means something to JavaScript is a name like others', () => {
  const data = decodePageData(
    encodePageData({
      title: '',
      headings: [],
      meta: JSON.parse('{"__proto__":"x","constructor":"y"}'),
      canonical: '',
      lang: '',
      charset: '',
      robots: { noindex: false, nofollow: false, noarchive: false, nosnippet: false },
      dates: { published: '', modified: '' },
      problems: [],
      signature: null,
      contentType: '',
      fetched: 0,
      lastModified: '',
      bytes: 0,
    }),
  );
  assert.equal(Object.entries(data.meta), [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ]);
});

Codec.run();
