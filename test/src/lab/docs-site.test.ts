import { parse } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DocsSite, slug, startDocsSite } from '../../../src/lab/docs-site.ts';
import { listenOnLoopback } from '../../../src/lab/listen.ts';

const Site = suite('docs site');
let site: DocsSite;
Site.before(async () => {
  site = await startDocsSite('docs');
});
Site.after(() => site.close());

type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[] };
function attributes(text: string, tag: string, name: string): string[] {
  const found: string[] = [];
  const walk = (node: Node): void => {
    if (tag === '*' || node.nodeName === tag)
      found.push(...(node.attrs ?? []).filter((a) => a.name === name).map((a) => a.value));
    node.childNodes?.forEach(walk);
  };
  walk(parse(text) as unknown as Node);
  return found;
}
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(site.origin + path, { redirect: 'manual', headers });

Site(
  'every link of every page leads to a page and a heading that exist, but for the one that is broken on purpose',
  async () => {
    const texts = new Map(
      await Promise.all(site.pages.map(async (path) => [path, await (await get(path)).text()] as const)),
    );
    for (const [path, text] of texts)
      for (const href of attributes(text, 'a', 'href')) {
        const to = new URL(href, site.origin + path);
        if (to.origin !== site.origin) continue;
        const { status } = await get(to.pathname);
        assert.is(
          status,
          to.pathname === site.odd.broken ? 404 : to.pathname === site.odd.redirect ? 301 : 200,
          `${path} -> ${href}`,
        );
        if (to.hash)
          assert.ok(attributes(texts.get(to.pathname)!, '*', 'id').includes(to.hash.slice(1)), `${path} -> ${href}`);
      }
  },
);

Site('the odd things are what they claim to be', async () => {
  const [one, two] = await Promise.all(site.odd.duplicate.map(async (path) => (await get(path)).text()));
  assert.is(one, two);
  assert.is((await get(site.odd.redirect)).headers.get('location'), '/getting-started.html');
  assert.match(await (await get('/robots.txt')).text(), /Disallow: \/drafts\//);
  assert.ok(site.odd.forbidden.startsWith('/drafts/'));
  assert.is((await get(site.odd.picture)).headers.get('content-type'), 'image/png');
  const picture = new Uint8Array(await (await get(site.odd.picture)).arrayBuffer());
  assert.equal([...picture.subarray(1, 4)], [...Buffer.from('PNG')]);
});

Site('who has a page already gets 304 and no body', async () => {
  const etag = (await get('/')).headers.get('etag')!;
  const again = await get('/', { 'if-none-match': etag });
  assert.is(again.status, 304);
  assert.is(await again.text(), '');
});

Site('headings get the names that GitHub gives them', () => {
  assert.is(slug('What can be typed'), 'what-can-be-typed');
  assert.is(slug('A page looks empty, or lacks its text'), 'a-page-looks-empty-or-lacks-its-text');
});

Site('the lab listens on loopback alone', async () => {
  for (const host of ['0.0.0.0', '::', '10.0.0.1', 'localhost.example', '127.0.0.1.example'])
    try {
      (await listenOnLoopback(() => {}, host)).close();
      assert.unreachable(host);
    } catch (error) {
      assert.instance(error, RangeError);
    }
});

Site.run();
