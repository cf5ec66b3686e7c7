import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type DocsSite, startDocsSite } from '../../src/lab/docs-site.ts';
import { type Packed, packProject, type Ran } from '../kit/packed.ts';

/**
 * Every example of the README and the docs, run from a project in which the package is installed. The sites of examples
 * are replaced by our own documentation on loopback, and the pause between requests by none; nothing else is changed.
 */
const Examples = suite('examples');
const here = process.env.CI || process.env.NUTHATCH_WHOLE;
if (!here) {
  Examples('are not run here', () => console.log('skipped: every example of the docs; NUTHATCH_WHOLE=1 runs them'));
} else {
  let project: Packed;
  let site: DocsSite;

  Examples.before(async () => {
    project = packProject();
    site = await startDocsSite('docs');
  });
  Examples.after(async () => {
    await site.close();
    project.remove();
  });

  const pages = ['README.md', ...readdirSync('docs').map((file) => join('docs', file))].filter((file) =>
    file.endsWith('.md'),
  );
  const blocks = (file: string, kind: string): string[] =>
    [...readFileSync(file, 'utf8').matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      ([, text]) => text!,
    );
  const local = (text: string): string =>
    text
      .replace('https://example.org/sitemap.xml', 'sitemap.xml.gz')
      .replace(/https?:\/\/(?:[\w-]+\.)?example\.org/g, site.origin)
      .replaceAll('/srv/docs', join(project.dir, 'tree'))
      .replaceAll('./docs', './tree')
      .replace(/^(nuthatch crawl .*?)( +#.*)?$/gm, '$1 --delay 0');

  /** Runs a command line in the project; one that serves gets Ctrl-C once its address is out. */
  const shell = (line: string): Promise<Ran> =>
    project.run('sh', ['-c', line], (out) => /nuthatch serve|lab serve/.test(line) && /https?:\/\/127/.test(out));

  Examples('every command of the docs runs', async () => {
    writeFileSync(join(project.dir, 'seeds.txt'), `${site.origin}/\n`);
    const map = `<urlset><url><loc>${site.origin}/</loc></url></urlset>`;
    writeFileSync(join(project.dir, 'sitemap.xml.gz'), gzipSync(map));
    mkdirSync(join(project.dir, 'tree'));
    writeFileSync(join(project.dir, 'tree', 'index.html'), '<title>Tree</title><p>Of oak');
    const lines = pages
      .flatMap((file) => blocks(file, 'sh').flatMap((block) => block.split('\n')))
      .filter((line) => /(^|\| |^\w+=\S+ )nuthatch /.test(line))
      // Measured crawls take their time; test/src/lab has small ones.
      .filter((line) => !line.startsWith('nuthatch lab '))
      .map(local);
    assert.ok(lines.length > 20);
    // The crawl first: the others look at what it left.
    const failed: string[] = [];
    for (const line of new Set([local('nuthatch crawl https://example.org/'), ...lines])) {
      const { code, signal, out } = await shell(line.replace(/nuthatch serve/, 'nuthatch serve --port 0'));
      // 3 is "nothing to do": a crawl again at once finds nothing due.
      const fine = code === 0 || code === 3 || (/serve/.test(line) && (code === 130 || signal === 'SIGINT'));
      if (!fine) failed.push(`${line}\nexit code ${code ?? signal}\n${out}`);
    }
    assert.is(failed.join('\n'), '');
  });

  Examples('the program of the README crawls and finds', async () => {
    const program = blocks('README.md', 'js').map(local)[0]!;
    const { code, out } = await project.node(
      'readme.mjs',
      program.replace(/net: \{ /, 'net: { delay: 0, ').replace('./crawl', './crawl-readme'),
    );
    assert.is(code, 0, out);
    assert.match(out, new RegExp(`^${site.origin}/\\S+ \\w`, 'm'));
  });

  Examples('the program of embedding.md crawls, finds and explains', async () => {
    const program = local(blocks('docs/embedding.md', 'js')[0]!);
    const { code, out } = await project.node(
      'embed.mjs',
      program.replace(/net: \{ /, 'net: { delay: 0, ').replace('./crawl', './crawl-embed'),
    );
    assert.is(code, 0, out);
    assert.match(out, /^\d+ pages$/m);
  });

  Examples(
    'the program of embedding.md that watches says how far it is, and goes on after it was stopped',
    async () => {
      const program = local(blocks('docs/embedding.md', 'js').find((block) => block.includes('onEvent'))!)
        .replace(/net: \{ /, 'net: { delay: 0, ')
        .replace('./crawl', './crawl-watched');
      const stopped = await project.node(
        'stopped.mjs',
        program.replace('AbortSignal.timeout(60_000)', 'AbortSignal.abort()'),
      );
      assert.is(stopped.code, 0, stopped.out);
      assert.match(stopped.out, /^the minute is over/m);
      const { code, out } = await project.node('watched.mjs', program);
      assert.is(code, 0, out);
      assert.match(out, /^\d+ fetched, \d+ to go$/m);
      assert.match(out, /^done$/m);
    },
  );

  Examples('the server of embedding.md answers', async () => {
    const program = blocks('docs/embedding.md', 'js').find((block) => block.includes('createServer('))!;
    assert.match(program, /\.listen\(8080, '127\.0\.0\.1'\);/);
    const ask = `;
    const server = listening;
    await new Promise((done) => server.once('listening', done));
    const at = 'http://127.0.0.1:' + server.address().port;
    const { total } = await (await fetch(at + '/api/search?q=crawl')).json();
    console.log(total > 0 ? 'answered' : 'nothing');
    server.closeAllConnections(); server.close(); await crawl.close();`;
    const { code, out } = await project.node(
      'server.mjs',
      program
        .replace('createServer(searchHandler', 'const listening = createServer(searchHandler')
        .replace('listen(8080', 'listen(0') + ask,
    );
    assert.is(code, 0, out);
    assert.match(out, /^answered$/m);
  });

  Examples('the index of embedding.md finds', async () => {
    const program = blocks('docs/embedding.md', 'js').find((block) => block.includes("'nuthatch/search'"))!;
    const { code, out } = await project.node('notes.mjs', program);
    assert.is(code, 0, out);
    assert.match(out, /^1 Shopping .*<mark>hazel nuts<\/mark>|^1 Shopping .*<mark>hazel<\/mark> <mark>nuts<\/mark>/m);
  });

  Examples('every JSON example is JSON, comments aside', () => {
    for (const file of pages) for (const block of blocks(file, 'json')) JSON.parse(block.replace(/^\s*\/\/.*$/gm, ''));
  });
}
Examples.run();
