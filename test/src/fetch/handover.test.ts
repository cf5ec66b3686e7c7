import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Helpers, readForShard } from '../../../src/fetch/handover.ts';
import { Outlinks } from '../../../src/fetch/outlinks.ts';
import { readPage, refuseLinks } from '../../../src/fetch/read-page.ts';
import { TrapWatch } from '../../../src/fetch/traps.ts';
import { decodePageData, decodePageLinks } from '../../../src/page/segment.ts';
import { settle } from '../../../src/settle.ts';
import { createAdmit } from '../../../src/url/admit.ts';
import { page } from '../../kit/web.ts';

const Handover = suite('hand-over');
const { scope } = settle();
const seeds = ['http://h.example/'];
const gate = (): Outlinks => new Outlinks(createAdmit(scope, seeds));
const facts = { url: 'http://h.example/', contentType: 'text/html', fetched: 1, lastModified: '', score: 1, depth: 0 };
const input = (html: string): { url: string; contentType: string; body: Buffer } => ({
  url: facts.url,
  contentType: 'text/html',
  body: Buffer.from(html),
});

Handover('a page read in another thread is the same bytes as one read here', () => {
  for (const html of [
    page('Home', '/a', '/b#c', '/b', 'http://elsewhere.example/', '/a'),
    '<meta name=robots content="noindex,nofollow"><a href=/x>x</a>',
    '<meta http-equiv=refresh content="0;url=/next">',
    '',
  ]) {
    const here = readPage(input(html), facts, {}, gate());
    const { readingMs, ...there } = readForShard({ input: input(html), facts, settings: {}, scope, seeds });
    assert.equal(there, here);
    assert.ok(readingMs >= 0);
  }
});

Handover('what was read says all that a shard decides by', () => {
  const read = readPage(input(page('Home', '/a', 'http://elsewhere.example/')), facts, {}, gate());
  if (read.kind !== 'page') throw new Error(read.kind);
  assert.is(read.refresh, null);
  assert.equal(read.rejected, { 'out-of-scope': 1 });
  assert.is(decodePageData(read.data).title, 'Home');
  assert.equal(
    decodePageLinks(read.links).links.map((link) => link.url),
    ['http://h.example/a'],
  );
});

Handover('links into a trap that was caught meanwhile are refused in what another thread has read', () => {
  const read = readForShard({ input: input(page('L', '/l?id=1', '/a', '/l?id=2')), facts, settings: {}, scope, seeds });
  if (read.kind !== 'page') throw new Error(read.kind);
  const traps = new TrapWatch();
  assert.not(traps.any);
  for (let i = 0; !traps.any; i++) traps.saw(`http://h.example/l?id=${i}`, new Uint8Array(16));
  const { links, refused } = refuseLinks(read.links, (url) => traps.caught(url));
  assert.is(refused, 2);
  const here = readPage(input(page('L', '/l?id=1', '/a', '/l?id=2')), facts, {}, gate(), (url) => traps.caught(url));
  assert.equal(links, here.kind === 'page' ? here.links : null);
  assert.is(refuseLinks(links, (url) => traps.caught(url)).links, links, 'nothing to refuse: the same bytes');
});

Handover('pages are handed over only by a busy loop, to threads there are, a few at a time', () => {
  let utilization = 0.5;
  const helpers = new Helpers(1, () => utilization);
  helpers.look();
  assert.not(helpers.wanted());
  utilization = 0.95;
  assert.not(helpers.wanted(), 'it has not looked yet');
  helpers.look();
  for (let i = 0; i < 4; i++) {
    assert.ok(helpers.wanted());
    helpers.away++;
  }
  assert.not(helpers.wanted());
  helpers.away--;
  assert.ok(helpers.wanted());
  const alone = new Helpers(0, () => 1);
  alone.look();
  assert.not(alone.wanted());
});

Handover.run();
