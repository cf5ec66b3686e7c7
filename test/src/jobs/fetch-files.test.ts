import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../../src/crawl.ts';
import { closePools, fetchUrls, tell } from '../../kit/fetched.ts';
import { startWeb } from '../../kit/web.ts';

const FetchFiles = suite('fetch of files');
const top = mkdtempSync(join(tmpdir(), 'nuthatch-tree-'));
FetchFiles.after(async () => {
  await closePools();
  rmSync(top, { recursive: true, force: true });
});
const page = (title: string, ...links: string[]): string =>
  `<title>${title}</title><p>All about ${title}. ${links.map((href) => `<a href="${href}">${href}</a>`).join(' ')}`;
let trees = 0;
function tree(files: Readonly<Record<string, string>>): { path: string; url: string } {
  const path = join(top, String(trees++));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return { path, url: `${pathToFileURL(path).href}/` };
}

FetchFiles(
  'a tree named by its path is crawled, indexed without its folders, and crawled again for what changed',
  async () => {
    const { path, url } = tree({
      'index.html': page('Home', 'birds/', '/etc/passwd', 'http://elsewhere.example/'),
      'birds/red kite.html': page('Kite'),
      'birds/owl.html': page('Owl'),
      'notes.txt': 'A plain note',
      'picture.png': '\x89PNG',
    });
    symlinkSync('/etc', join(path, 'leak'));
    const dir = join(top, 'crawl');
    let now = Date.now();
    await using crawl = await Crawl.open(dir, { work: { threads: 1 } }, { clock: () => now });
    const first = await crawl.run([path]);
    assert.is(first.published, 4);
    assert.equal(first.notes, []);
    assert.equal(first.outcomes, { ok: 4, folder: 2, 'not-parsed': 1, 'outside-root': 1 });
    assert.equal(
      (await crawl.search('kite')).hits.map((hit) => hit.url),
      [`${url}birds/red%20kite.html`],
    );
    assert.match((await crawl.why(`${path}/`)).verdict, /a folder is read for what is in it/);
    const step = (await crawl.why(`${path}/`)).steps.find((one) => one.step === 'fetch');
    assert.is(step?.reason, 'it was fetched');
    assert.match((await crawl.why(join(path, 'leak'))).verdict, /outside of the folders/);

    const later = new Date(now + 60_000);
    writeFileSync(join(path, 'birds/owl.html'), page('Eagle'));
    utimesSync(join(path, 'birds/owl.html'), later, later);
    rmSync(join(path, 'notes.txt'));
    // A clock ahead of the machine's: shards stamp by it too, or no round would ever be the last.
    now += 91 * 86_400_000;
    const second = await crawl.run();
    assert.is(second.outcomes['not-modified'], 4); // both pages as they were, the picture, and the folder of birds
    assert.is(second.outcomes['http-404'], 1);
    assert.is((await crawl.search('eagle')).total, 1);
    assert.is((await crawl.search('plain note')).total, 0);
  },
);

FetchFiles('a page of the web leads to no file, as link, redirect, sitemap or robots.txt', async () => {
  const { url } = tree({ 'secret.html': page('Secret'), 'robots.txt': 'User-agent: *\nDisallow: /' });
  const web = await startWeb({
    '/': `<a href="${url}secret.html">s</a>`,
    '/away': { to: `${url}secret.html` },
    '/refresh': `<meta http-equiv=refresh content="0;url=${url}secret.html">`,
    '/sitemap.xml': `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${url}secret.html</loc></url></urlset>`,
    '/robots.txt': { to: `${url}robots.txt` },
  });
  const urls = ['/', '/away', '/refresh', '/sitemap.xml'].map((path) => web.origin + path);
  const fetched = await fetchUrls({ urls, seeds: [...urls, url] });
  await web.close();
  assert.equal(
    urls.map((one) => tell(fetched, one)),
    [
      'success ok 200',
      'redirect-temporary redirect-invalid 302',
      'redirect-temporary redirect-invalid 200',
      'success sitemap 200',
    ],
  );
  assert.equal([...fetched.outcomes.keys()].sort(), [...urls].sort());
  for (const { links } of fetched.links.values()) assert.equal(links, []);
});

FetchFiles('every shard reads files, as many threads as there may be', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `${i}.html`);
  const { url } = tree(Object.fromEntries(names.map((name) => [name, page(name)])));
  const fetched = await fetchUrls({ urls: names.map((name) => url + name), seeds: [url], threads: 2 });
  assert.is(fetched.counters.fetched, 40);
  assert.equal(fetched.doubles, []);
});

FetchFiles.run();
