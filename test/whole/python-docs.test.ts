import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Crawl } from '../../src/crawl.ts';
import { shared } from '../kit/shared.ts';
import { startWeb, type Web } from '../kit/web.ts';

const Real = suite('a real crawl');
const folder = shared('fixtures/debian-docs/python');

type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[]; value?: string };
interface Read {
  readonly links: readonly string[];
  readonly title: string;
}
/** Links and title of a page, by parse5: nothing of nuthatch has a say in what is expected. */
function read(html: string): Read {
  const links: string[] = [];
  let title = '';
  const textOf = (node: Node): string => node.value ?? (node.childNodes ?? []).map(textOf).join('');
  const walk = (node: Node): void => {
    if (node.nodeName === 'a' || node.nodeName === 'area') {
      const href = node.attrs!.find((a) => a.name === 'href')?.value;
      if (href !== undefined) links.push(href);
    }
    if (node.nodeName === 'title' && title === '') title = textOf(node).replace(/\s+/g, ' ').trim();
    node.childNodes?.forEach(walk);
  };
  walk(parse(html) as unknown as Node);
  return { links, title };
}

if (folder === null) {
  Real('is not made', () =>
    console.log('skipped: a real crawl; fixtures/debian-docs/python is not beside the checkout'),
  );
} else {
  const files = new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith('.html'))
      .map((file) => [`/${file}`, readFileSync(join(folder, file))]),
  );
  let web: Web;
  let dir: string;
  let crawl: Crawl;
  const expected = new Map<string, Read>();

  Real.before(async () => {
    web = await startWeb(folder);
    const queue = [`${web.origin}/index.html`];
    const seen = new Set(queue);
    for (const url of queue) {
      const file = files.get(new URL(url).pathname);
      if (!file) continue;
      const page = read(file.toString('utf8'));
      expected.set(url, page);
      for (const link of page.links) {
        if (!URL.canParse(link, url)) continue;
        const to = new URL(link, url);
        to.hash = '';
        if (to.origin !== web.origin || seen.has(to.href)) continue;
        seen.add(to.href);
        queue.push(to.href);
      }
    }
    dir = mkdtempSync(join(tmpdir(), 'nuthatch-real-'));
    crawl = await Crawl.open(dir, { net: { delay: 0 } });
    await crawl.run([`${web.origin}/index.html`]);
  });
  Real.after(async () => {
    await crawl.close();
    await web.close();
    rmSync(dir, { recursive: true, force: true });
  });

  Real('fetches every page that links lead to, each once, and no other', () => {
    const fetched = web.log.filter(({ status }) => status === 200).map(({ path }) => `${web.origin}${path}`);
    assert.equal(fetched.sort(), [...expected.keys()].sort());
    assert.ok(fetched.length >= 15, `only ${fetched.length} pages`);
  });

  Real('asks for robots.txt first, and once', () => {
    assert.is(web.log[0]!.path, '/robots.txt');
    assert.is(web.hits('/robots.txt'), 1);
  });

  Real('asks for nothing twice, broken links included', () => {
    const paths = web.log.map(({ path }) => path);
    assert.equal(
      paths.filter((path, i) => paths.indexOf(path) !== i),
      [],
    );
  });

  Real('finds the page first whose exact title is asked for, for ten titles and more', async () => {
    const pages = [...expected].filter(([, { title }]) => title !== '');
    const unique = pages.filter(([, { title }]) => pages.filter(([, other]) => other.title === title).length === 1);
    assert.ok(unique.length >= 10);
    for (const [url, { title }] of unique) {
      const { hits } = await crawl.search(title, { limit: 3 });
      assert.is(hits[0]?.url, url, `${title}: ${hits.map((hit) => hit.title).join(' | ')}`);
    }
  });

  Real('every page that was fetched is in the index, and why says so', async () => {
    for (const url of expected.keys()) {
      const { steps, verdict } = await crawl.why(url);
      assert.ok(
        steps.every((step) => step.ok),
        `${url}: ${verdict}`,
      );
    }
  });
}
Real.run();
