import { execFileSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const Heap = suite('heap');

/**
 * Keeps everything that is kept of 60 pages of 2 MB each, and tells by how many MB memory grew. A string cut out of a
 * page would keep the page.
 */
const PROGRAM = `
  import { parsePage } from './src/parse/page.ts';
  const page = (i) => {
    const parts = ['<html lang=en><head><title>Title ' + i + ' &amp; more words</title><meta name=description content="About page ' + i + ' at length">',
      '<link rel=canonical href="/c' + i + '"><script type="application/ld+json">{"datePublished":"2020-01-02T03:04:05Z"}</script></head><body>',
      '<h1 id="anchor-' + i + '">A heading that is long enough ' + i + '</h1><a href="/link/number/' + i + '" rel="nofollow">text of a link ' + i + '</a><script>'];
    const head = Buffer.from(parts.join(''));
    const body = Buffer.alloc(2e6, 120);
    head.copy(body);
    Buffer.from('</script><p>Some text at the end.</p>').copy(body, body.length - 40);
    return body;
  };
  const memory = () => { gc(); gc(); const m = process.memoryUsage(); return m.heapUsed + m.external + m.arrayBuffers; };
  const kept = [];
  for (const parser of ['auto', 'exact']) {
    for (let i = 0; i < 30; i++) parsePage({ url: 'http://h/', contentType: 'text/html', body: page(i) }, { parser });
  }
  const before = memory();
  for (const parser of ['auto', 'exact', 'loose']) {
    for (let i = 0; i < 20; i++) {
      const { visible, text, boilerplate, ...rest } = parsePage({ url: 'http://h/', contentType: 'text/html', body: page(i) }, { parser });
      kept.push({ ...rest, text: text.slice(0, 0), first: rest.links[0].url, anchor: rest.links[0].anchor });
    }
  }
  console.log(JSON.stringify({ grown: (memory() - before) / 1e6, kept: kept.length }));
`;

const HUGE = `
  import { parsePage } from './src/parse/page.ts';
  const parse = (text) => parsePage({ url: 'http://h/', contentType: 'text/html; charset=utf-8', body: Buffer.from(text) });
  const memory = () => { gc(); gc(); const m = process.memoryUsage(); return m.external + m.arrayBuffers; };
  parse('<p>x');
  const before = memory();
  parse('<div class=row><h2 id=x>Head</h2><p>Text with <a href=/p>a link</a>.</p></div>'.repeat(200000));
  parse('<p>x');
  console.log(JSON.stringify({ grown: (memory() - before) / 1e6 }));
`;
const run = (program: string): Record<string, number> => {
  const given = ['--expose-gc', '--import', 'tsx', '--input-type=module', '--eval', program];
  const out = execFileSync(process.execPath, given, { encoding: 'utf8', cwd: new URL('../../..', import.meta.url) });
  return JSON.parse(out.trim().split('\n').at(-1)!) as Record<string, number>;
};

Heap('what a huge page needed is given back with the next one', () => {
  const { grown } = run(HUGE);
  assert.ok(grown! < 6, `${grown} MB`);
});
Heap('what is kept of a page does not keep the page', () => {
  const { grown, kept } = run(PROGRAM);
  assert.is(kept, 60);
  // 120 MB of pages; the buffers that serve page after page may still change their size.
  assert.ok(grown! < 12, `${grown} MB`);
});
Heap.run();
