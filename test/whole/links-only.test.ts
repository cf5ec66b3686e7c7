/** A crawl that reads links alone goes where a full one goes, and knows the same links; it keeps nothing else. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../src/crawl.ts';
import type { CrawlError } from '../../src/errors.ts';
import { settleWeb } from '../../src/lab/options.ts';
import { LabServer } from '../../src/lab/server.ts';
import { SyntheticSite } from '../../src/lab/synthetic.ts';
import type { Options } from '../../src/options.ts';
import { decodeOutcome } from '../../src/page/codec.ts';
import { urlOf } from '../../src/page/key.ts';
import { decodePageLinks } from '../../src/page/segment.ts';
import { partFiles } from '../../src/page/segment-files.ts';
import { partRecords } from '../../src/read/segment.ts';
import { placesOf } from '../kit/crawls.ts';
import { page, type Route } from '../kit/web.ts';

const LinksOnly = suite('links only');
const { folder, webOf } = placesOf(LinksOnly);

const linksOnly: Options = { index: { linksOnly: true }, net: { delay: 0, keepContent: false } };
const full: Options = { net: { delay: 0 } };
const both = (a: Options, b: Options): Options => ({ ...a, ...b, net: { ...a.net, ...b.net } });

interface Went {
  /** Address -> how it ended; a page that was read is `read`. */
  readonly outcomes: Readonly<Record<string, string>>;
  /** Page -> addresses it leads to, in order, those marked nofollow with a sign. */
  readonly links: Readonly<Record<string, readonly string[]>>;
  /** Address -> depth, inlinks aside: what crawldb knows. */
  readonly known: Readonly<Record<string, string>>;
}

/** Crawls to the end. */
async function went(seeds: readonly string[], options: Options): Promise<Went> {
  const crawl = await Crawl.open(folder(), options);
  try {
    await crawl.run(seeds);
    const outcomes: Record<string, string> = {};
    const links: Record<string, string[]> = {};
    for (const segment of crawl.segments()) {
      for (const { key, value } of partRecords(crawl.dir, segment, 'crawl_fetch')) {
        const { kind, reason } = decodeOutcome(value);
        const read = reason === 'ok' || reason === 'links-only' || reason === 'empty';
        outcomes[urlOf(key)] = read ? 'read' : `${kind} ${reason}`;
      }
      for (const { key, value } of partRecords(crawl.dir, segment, 'crawl_parse'))
        links[urlOf(key)] = decodePageLinks(value).links.map((link) => `${link.nofollow ? '-' : ''}${link.url}`);
    }
    const known: Record<string, string> = {};
    for await (const { url, depth, score, status } of crawl.pages())
      known[url] = `${status} ${depth} ${score.toFixed(9)}`;
    return { outcomes: sorted(outcomes), links: sorted(links), known };
  } finally {
    await crawl.close();
  }
}
const sorted = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));

/** What two crawls do not agree on, a line each: all that they know would be pages of text. */
function differing(found: Went, expected: Went): string[] {
  const lines: string[] = [];
  for (const part of ['outcomes', 'links', 'known'] as const) {
    const [a, b] = [found[part] as Record<string, unknown>, expected[part] as Record<string, unknown>];
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const [one, other] = [JSON.stringify(a[key]), JSON.stringify(b[key])];
      if (one !== other) lines.push(`${part} of ${key}: ${one}, not ${other}`);
    }
  }
  return lines.sort();
}

LinksOnly('the pages, the links and the scores are those of a full crawl, for 1, 2 and 4 shards', async () => {
  const web = settleWeb({
    pages: 120,
    hosts: 6,
    seed: 5,
    sizeKB: 1,
    redirects: 0.06,
    missing: 0.05,
    noindex: 0.04,
    denied: 0.04,
  });
  const server = new LabServer((port) => new SyntheticSite(web, port), { hostBy: 'address' });
  const seeds = await server.listen();
  const lab: Options = { net: { allowPrivate: ['127.0.0.0/8'] }, scope: { mode: 'any' } };
  try {
    const expected = await went(seeds, both(lab, both(full, { work: { threads: 2 } })));
    assert.ok(Object.keys(expected.outcomes).length > 90);
    for (const threads of [1, 2, 4] as const) {
      const found = await went(seeds, both(lab, both(linksOnly, { work: { threads } })));
      assert.equal(differing(found, expected), [], `${threads} shards`);
    }
  } finally {
    await server.close();
  }
});

const HOSTILE = {
  '/': page(
    'start',
    '/id/1',
    '/noindex',
    '/nofollow',
    '/header',
    '/refresh',
    '/slow-refresh',
    '/base',
    '/deep',
    '/svg',
    '/old',
    '/gone',
    '/feed',
    '/text',
  ),
  // New addresses with the same text without end: a trap that shows only in what comes back.
  '/id/*': (request: { url?: string | undefined }) => {
    const n = Number(/\d+$/.exec(request.url ?? '')?.[0]);
    const next = Array.from({ length: 4 }, (_, i) => `<a href="/id/${n * 4 + i}" data-n="${i}"></a>`).join('');
    return `<title>No. ${n}</title><p>The same as ever.</p>${next}`;
  },
  '/noindex': `<meta name=robots content=noindex>${page('noindex', '/from-noindex')}`,
  '/from-noindex': page('from noindex'),
  '/nofollow': `<meta name=robots content=nofollow>${page('nofollow', '/hidden-1')}`,
  '/header': { body: page('header', '/hidden-2'), headers: { 'X-Robots-Tag': 'noindex, nofollow' } },
  '/refresh': '<meta http-equiv=refresh content="0; url=/refreshed"><a href=/not-said>x</a>',
  '/slow-refresh': '<meta http-equiv=refresh content="60; url=/refreshed-later"><a href=/said>x</a>',
  '/refreshed': page('refreshed'),
  '/refreshed-later': page('later'),
  '/said': page('said'),
  '/base':
    '<base href=/below/><a href=page rel="nofollow ugc">x</a><area href=area><iframe src=frame></iframe><form action=form>',
  '/below/*': page('below'),
  '/deep': `<!-- <a href=/no> --><script>"<a href=/no>"</script><template><a href=/no></a></template>${'<div>'.repeat(3000)}<a href=/from-deep>x</a>`,
  '/from-deep': page('from deep'),
  '/svg':
    '<svg><title>t</title><a xlink:href="/from-svg"><path></a></svg><math><a href=/from-math></math><a href=/after-svg>x</a>',
  '/from-*': page('from'),
  '/after-svg': page('after'),
  '/old': { to: '/new' },
  '/new': page('new', '/gone'),
  '/feed': {
    body: '<rss version="2.0"><channel><title>f</title><item><title>i</title><link>/from-feed</link></item></channel></rss>',
    headers: { 'Content-Type': 'application/rss+xml' },
  },
  '/text': { body: 'see http://127.0.0.1/elsewhere', headers: { 'Content-Type': 'text/plain' } },
};

LinksOnly('traps, directives, base, refresh, drawings and feeds of a hostile site mean the same', async () => {
  const web = await webOf(HOSTILE, { robots: '' });
  const options: Options = { round: { rounds: 4 }, work: { threads: 1 } };
  const expected = await went([`${web.origin}/`], both(full, options));
  const found = await went([`${web.origin}/`], both(linksOnly, options));
  assert.equal(differing(found, expected), []);
  const paths = Object.keys(found.outcomes).map((url) => url.slice(web.origin.length));
  assert.is(
    paths.some((path) => /hidden|\/no$|not-said/.test(path)),
    false,
  );
  for (const path of ['/from-noindex', '/refreshed', '/refreshed-later', '/from-svg', '/from-feed', '/below/frame'])
    assert.ok(paths.includes(path), path);
  assert.ok(paths.filter((path) => path.startsWith('/id/')).length < 100, 'the trap was not caught');
});

LinksOnly(
  'it keeps no text and no content, makes no index, says so, and lists the links that lead nowhere',
  async () => {
    const web = await webOf(
      {
        '/': page('start', '/page', '/missing', '/old', '/broken.pdf', '/manual.pdf'),
        '/page': page('page', '/missing'),
        '/old': { to: '/missing' },
        '/manual.pdf': { body: '%PDF-1.4', headers: { 'Content-Type': 'application/pdf' } },
      },
      { robots: '' },
    );
    const crawl = await Crawl.open(folder(), both(linksOnly, { work: { threads: 1 } }));
    try {
      const summary = await crawl.run([`${web.origin}/`]);
      assert.is(summary.outcomes['links-only'], 2);
      assert.is(summary.published, 0);
      assert.match(summary.notes.join('\n'), /links alone.*\n2 addresses could not be had/);
      for (const segment of crawl.segments()) {
        for (const file of partFiles(crawl.dir, segment, 'content')) assert.is(statSync(file).size, 0);
        for (const part of ['parse_data', 'parse_text'] as const)
          assert.equal([...partRecords(crawl.dir, segment, part)], []);
      }
      assert.is(existsSync(join(crawl.dir, 'index')), false);
      const broken: string[] = [];
      for await (const { to, from, httpStatus, target } of crawl.brokenLinks())
        broken.push([from, to, httpStatus, target].join(' ').replaceAll(web.origin, ''));
      assert.equal(broken, ['/ /broken.pdf 404 ', '/ /missing 404 ', '/page /missing 404 ', '/ /old 404 /missing']);
      for (const act of [() => crawl.index(), () => crawl.indexPages()])
        try {
          await act();
          assert.unreachable();
        } catch (error) {
          assert.is((error as CrawlError).code, 'nothing-to-do');
          assert.match((error as Error).message, /index\.linksOnly/);
        }
      assert.match((await crawl.why(`${web.origin}/page`)).verdict, /no text of it is kept.*links alone/);
      assert.match(
        (await crawl.why(`${web.origin}/manual.pdf`)).steps.find((one) => one.step === 'fetch')!.rule!,
        /documents are not/,
      );
      assert.equal((await crawl.verify()).problems, []);
    } finally {
      await crawl.close();
    }
  },
);

LinksOnly(
  'a full crawl of the same folder asks for the texts anew, and a later one for links alone leaves the index as it is',
  async () => {
    const tagged =
      (title: string, ...links: string[]): Route =>
      (request) => {
        const headers = { ETag: `"${title}"` };
        return request.headers['if-none-match'] === headers.ETag
          ? { status: 304, headers }
          : { body: page(title, ...links), headers };
      };
    const web = await webOf({ '/': tagged('start', '/page'), '/page': tagged('page') }, { robots: '' });
    const dir = folder();
    let now = Date.UTC(2026, 0, 1);
    const statuses = async (options: Options): Promise<readonly [Record<string, number>, number]> => {
      now += 40 * 86_400_000;
      const crawl = await Crawl.open(dir, both(options, { work: { threads: 1 } }), { clock: () => now });
      try {
        const { outcomes } = await crawl.run([`${web.origin}/`]);
        return [outcomes, options === full ? await crawl.documents() : 0];
      } finally {
        await crawl.close();
      }
    };
    const off: Options = full;
    assert.equal(await statuses(linksOnly), [{ 'links-only': 2 }, 0]);
    assert.equal(
      await statuses(linksOnly),
      [{ 'links-only': 2 }, 0],
      'what was not changed stays known by its links alone',
    );
    assert.is(web.hits('/page'), 2);
    const texts: Options = { index: { linksOnly: false }, net: { delay: 0, keepContent: true } };
    // The rounds before are brought to their end as well: their links were not turned round.
    assert.equal((await statuses(texts))[0], { 'links-only': 4, ok: 2 });
    assert.equal((await statuses(texts))[0], { 'not-modified': 2 });
    assert.equal((await statuses(linksOnly))[0], { 'not-modified': 2 });
    const crawl = await Crawl.open(dir, both(off, { index: { linksOnly: false } }), { clock: () => now });
    assert.is(await crawl.documents(), 2);
    await crawl.close();
  },
);

LinksOnly.run();
