import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { FolderSite } from '../../../src/lab/folder.ts';
import { settleWeb, type WebOptions } from '../../../src/lab/options.ts';
import { LabServer, type LabServerOptions } from '../../../src/lab/server.ts';
import { SyntheticSite } from '../../../src/lab/synthetic.ts';

const Server = suite('lab/server');

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const open: LabServer[] = [];
Server.after.each(async () => {
  for (const server of open.splice(0)) await server.close();
});
Server.after(() => agent.destroy());

interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}
const ask = (url: string, headers: Record<string, string> = {}): Promise<Got> =>
  new Promise((resolve, reject) => {
    get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) }),
      );
      response.on('error', reject);
    }).on('error', reject);
  });

async function serve(web: Partial<WebOptions>, options: LabServerOptions = {}) {
  const settled = settleWeb(web);
  const server = new LabServer((port) => new SyntheticSite(settled, port), { hostBy: settled.hostBy, ...options });
  open.push(server);
  const seeds = await server.listen();
  return { server, site: server.site as SyntheticSite, seeds };
}
const all = (site: SyntheticSite) => Array.from({ length: site.pages }, (_, page) => page);

Server('requests, bytes and statuses are counted as they went out', async () => {
  const { server, site } = await serve({ pages: 60, hosts: 1, seed: 2, redirects: 0.2, missing: 0.2 });
  const statuses: Record<string, number> = {};
  let bytes = 0;
  for (const page of all(site)) {
    const got = await ask(site.address(page));
    statuses[got.status] = (statuses[got.status] ?? 0) + 1;
    bytes += got.body.length;
  }
  const counts = server.counts();
  assert.is(counts.requests, 60);
  assert.equal(counts.statuses, statuses);
  assert.ok(counts.bytes > bytes && counts.bytes < bytes + 60 * 300, 'bodies and heads');
  assert.is(counts.connections, 1);
});

Server('what was not asked for is missed, and named', async () => {
  const { server, site } = await serve({ pages: 40, hosts: 4, seed: 3, denied: 0.2 });
  const expected = all(site).filter((page) => site.expected(page));
  for (const page of expected.slice(2)) await ask(site.address(page));
  const { pages, politeness } = server.counts();
  assert.is(pages.expected, expected.length);
  assert.is(pages.missed, 2);
  assert.equal(pages.missing, [site.address(expected[0]!), site.address(expected[1]!)]);
  assert.is(politeness.violations, 0);
  for (const page of expected.slice(0, 2)) await ask(site.address(page));
  await ask(site.address(expected[0]!));
  assert.is(server.counts().pages.missed, 0);
  assert.is(server.counts().pages.unserved, 0);
  assert.is(server.counts().pages.repeated, 1);
});

Server('a forbidden address is a violation, robots.txt is none', async () => {
  const { server, site, seeds } = await serve(
    { pages: 100, hosts: 1, seed: 3, denied: 0.3 },
    { delayMs: 1000, now: () => 0 },
  );
  const robots = await ask(`${seeds[0]}robots.txt`);
  assert.match(robots.body.toString(), /Disallow: \/private\//);
  await ask(site.address(all(site).find((page) => !site.expected(page))!));
  const { politeness } = server.counts();
  assert.is(politeness.denied, 1);
  assert.is(politeness.violations, 1);
  assert.is(server.counts().robots, 1);
});

Server('gaps are measured from the end of an answer, and too short ones are violations', async () => {
  let now = 0;
  const { server, site } = await serve({ pages: 20, hosts: 2, seed: 1 }, { delayMs: 100, now: () => now });
  for (const gap of [0, 100, 99.5, 98, 40, 1000]) {
    now += gap;
    await ask(site.address(0));
  }
  await ask(site.address(19)); // another host, at the same moment
  const { politeness, hosts } = server.counts();
  assert.is(politeness.tooSoon, 2, '98 and 40; 99.5 is the tolerance of timers');
  assert.is(politeness.violations, 2);
  assert.is(politeness.minGapMs, 40);
  assert.equal(politeness.counts.map((n, i) => (n ? [politeness.edgesMs[i], n] : null)).filter(Boolean), [
    [64, 1],
    [128, 3],
    [1024, 1],
  ]);
  assert.is(hosts.find(({ host }) => host === '127.0.0.1')!.violations, 2);
});

Server("a host's Crawl-delay counts where it is longer", async () => {
  let now = 0;
  const { server, site } = await serve(
    { pages: 5, hosts: 1, crawlDelayHosts: 1, crawlDelayMs: 3000 },
    { delayMs: 100, now: () => now },
  );
  await ask(site.address(0));
  now += 2000;
  await ask(site.address(1));
  assert.is(server.counts().politeness.tooSoon, 1);
});

Server('two requests of one host at a time overlap', async () => {
  const { server, site, seeds } = await serve({ pages: 5, hosts: 1, latencyMs: 30 }, { delayMs: 10 });
  const socket = connect(server.port, '127.0.0.1');
  const other = connect(server.port, '127.0.0.1');
  const request = `GET ${new URL(site.address(0)).pathname} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
  socket.resume().write(request);
  other.resume().write(request);
  await Promise.all([once(socket, 'close'), once(other, 'close')]);
  assert.is(server.counts().politeness.overlapping, 1, seeds[0]);
  assert.is(server.counts().hosts[0]!.atOnce, 2);
});

Server('requests that come in one packet are answered in order', async () => {
  const { server } = await serve({ pages: 3, hosts: 1, missing: 0 });
  const socket = connect(server.port, '127.0.0.1');
  const line = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  socket.write(line('/robots.txt') + line('/nowhere') + line('/', 'Connection: close\r\n'));
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  await once(socket, 'close');
  assert.equal(
    [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status),
    ['200', '404', '200'],
  );
});

Server('429 names a pause, and a request within it is a violation', async () => {
  let now = 0;
  const { server, site } = await serve(
    { pages: 3, hosts: 1, limitedHosts: 1, limitMs: 100, retryAfterSeconds: 2 },
    { now: () => now },
  );
  assert.is((await ask(site.address(0))).status, 200);
  now += 50;
  const refused = await ask(site.address(0));
  assert.is(refused.status, 429);
  assert.is(refused.headers['retry-after'], '2');
  now += 1500;
  await ask(site.address(0));
  assert.is(server.counts().politeness.beforeRetryAfter, 1);
  now += 2500;
  assert.is((await ask(site.address(0))).status, 200);
  assert.is(server.counts().politeness.violations, 1);
});

Server('a known ETag is answered 304, until the page changes', async () => {
  const { server, site } = await serve({ pages: 50, hosts: 1, seed: 4, changing: 0.5 });
  const servable = all(site).filter((page) => site.servable(page));
  const etags = new Map<number, string>();
  for (const page of servable) etags.set(page, (await ask(site.address(page))).headers.etag!);
  server.setEpoch(1);
  let changed = 0;
  for (const page of servable) {
    const { status, body } = await ask(site.address(page), { 'if-none-match': etags.get(page)! });
    if (status === 200) changed++;
    else assert.is(body.length, 0);
  }
  assert.is(server.counts().statuses[304], servable.length - changed);
  assert.ok(changed > servable.length * 0.25 && changed < servable.length * 0.75, `${changed} of ${servable.length}`);
});

Server('a shaky page answers 503 once, a reset breaks off once', async () => {
  const { server, site } = await serve({ pages: 60, hosts: 1, seed: 4, shaky: 0.3, resets: 0.3, redirects: 0 });
  const found = { shaky: 0, reset: 0 };
  for (const page of all(site).filter((page) => site.servable(page))) {
    const mishap = site.web.mishap(0, page);
    if (mishap === 'none') continue;
    found[mishap]++;
    const first = await ask(site.address(page)).then(
      ({ status }) => status,
      ({ code }) => code,
    );
    assert.is(first, mishap === 'shaky' ? 503 : 'ECONNRESET');
    assert.is((await ask(site.address(page))).status, 200);
  }
  assert.ok(found.shaky > 5 && found.reset > 5);
  assert.is(server.counts().statuses[503], found.shaky);
});

Server('hosts by name share one address and are told apart', async () => {
  const { server, site } = await serve({ pages: 30, hosts: 3, hostBy: 'name', seed: 2 });
  for (let host = 0; host < 3; host++) {
    const name = `h${host}.lab.localhost:${server.port}`;
    const { body } = await ask(`http://127.0.0.1:${server.port}/`, { host: name });
    assert.equal(body, site.maker.body(host, 0, 0));
  }
  assert.equal(
    server.counts().hosts.map(({ host, requests }) => [host, requests]),
    [
      ['h0.lab.localhost', 1],
      ['h1.lab.localhost', 1],
      ['h2.lab.localhost', 1],
    ],
  );
});

Server('the figures can be asked for over the wire, and asking is not counted', async () => {
  const { server, site } = await serve({ pages: 5, hosts: 1 });
  await ask(site.address(0));
  const told = JSON.parse((await ask(`http://127.0.0.1:${server.port}/.lab/counts`)).body.toString());
  assert.is(told.requests, 1);
  assert.equal(JSON.parse((await ask(`http://127.0.0.1:${server.port}/.lab/epoch?3`)).body.toString()), { epoch: 3 });
  assert.is(server.counts().requests, 1);
});

Server('a folder is served as it lies, and only what links reach is expected', async () => {
  const root = mkdtempSync(join(tmpdir(), 'nuthatch-lab-'));
  mkdirSync(join(root, 'sub dir'));
  writeFileSync(
    join(root, 'index.html'),
    '<a href="a.html">a</a> <a href="sub%20dir/#x">b</a> <a href="gone.html">c</a>',
  );
  writeFileSync(join(root, 'a.html'), '<iframe src="b.html?q=1">');
  writeFileSync(join(root, 'b.html'), '<!-- <a href="island.html"> -->');
  writeFileSync(join(root, 'island.html'), 'nobody links here');
  writeFileSync(join(root, 'sub dir', 'index.html'), '<a href="/">home</a>');
  writeFileSync(join(root, 'style.css'), 'p {}');
  const server = new LabServer((port) => new FolderSite(root, port));
  open.push(server);
  const [seed] = await server.listen();
  let walks = 0;
  const { expected } = server.site;
  server.site.expected = (page) => {
    walks++;
    return expected.call(server.site, page);
  };
  for (const path of ['', 'a.html', 'b.html?q=1', 'sub%20dir/']) assert.is((await ask(seed + path)).status, 200, path);
  assert.is((await ask(`${seed}sub%20dir`)).headers.location, '/sub%20dir/');
  assert.is((await ask(`${seed}style.css`)).headers['content-type'], 'text/css');
  const first = await ask(seed!);
  assert.is((await ask(seed!, { 'if-none-match': first.headers.etag! })).status, 304);
  for (const path of ['..%2f..%2fetc/passwd', '%00', '%', 'nothing.html'])
    assert.is((await ask(seed + path)).status, 404, path);
  assert.is(walks, 0, 'reading the whole folder must wait until counts are asked for, or the first visitor would');
  const { pages, politeness } = server.counts();
  assert.is(pages.expected, 4);
  assert.is(pages.missed, 0);
  assert.is(pages.unserved, 0);
  assert.is(politeness.violations, 0);
  rmSync(root, { recursive: true });
});

Server.run();
