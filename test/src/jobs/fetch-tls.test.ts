import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { ServerOptions } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HostOptions } from '../../../src/options.ts';
import { makeAuthority } from '../../kit/ca.ts';
import { closePools, fetchUrls, tell } from '../../kit/fetched.ts';
import { page, startWeb } from '../../kit/web.ts';

const Tls = suite('fetch job: TLS');
const authority = makeAuthority();
Tls.after(async () => {
  authority?.remove();
  await closePools();
});

/** The outcome of a page behind a certificate, and its detail. */
async function visit(tls: ServerOptions, own: HostOptions = {}): Promise<{ told: string; detail: string }> {
  const web = await startWeb({ '/': page('inside') }, { tls, robots: '' });
  const url = `${web.origin}/`;
  try {
    const fetched = await fetchUrls({ urls: [url], options: { net: { hosts: { '127.0.0.1': own } } } });
    return { told: tell(fetched, url), detail: fetched.outcomes.get(url)!.detail };
  } finally {
    await web.close();
  }
}

if (authority === null) console.log('skipped: certificates good and bad, since openssl is not installed');
else {
  const { good, expired, wrongHost, selfSigned, incomplete, client, ca, caFile } = authority;

  Tls('RU-auth-04: a company authority is trusted for the host that names it, and for no other', async () => {
    assert.is((await visit(good, { ca: caFile })).told, 'success ok 200');
    const without = await visit(good);
    assert.is(without.told, 'retry tls 0');
    assert.match(without.detail, 'net.hosts');
  });

  for (const [name, pair, word] of [
    ['expired', expired, /expired/],
    ['for another host', wrongHost, /127\.0\.0\.1/],
    ['self-signed', selfSigned, /self-signed/],
    ['with its intermediate missing', incomplete, /verify|issuer/],
  ] as const)
    Tls(`RU-auth-04: a certificate ${name} is refused, said so, and taken only where the options say so`, async () => {
      const refused = await visit(pair, { ca: caFile });
      assert.is(refused.told, 'retry tls 0');
      assert.match(refused.detail, word);
      assert.is((await visit(pair, { insecure: true })).told, 'success ok 200');
    });

  Tls('a server that asks for a client certificate gets the one of its host', async () => {
    const server: ServerOptions = { ...good, ca, requestCert: true, rejectUnauthorized: true };
    const own = { ca: caFile, cert: client.certFile, key: client.keyFile };
    assert.is((await visit(server, own)).told, 'success ok 200');
    const without = await visit(server, { ca: caFile });
    assert.match(without.told, /^retry (tls|robots-unreachable) 0/);
  });

  Tls('HTTP/2 is spoken where it is asked for and offered', async () => {
    const versions: string[] = [];
    const server = createSecureServer({ ...good, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      const robots = request.url === '/robots.txt';
      response.writeHead(robots ? 404 : 200, { 'content-type': 'text/html' });
      response.end(robots ? '' : page('inside'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const hosts = { '127.0.0.1': { ca: caFile } };
    const two = await fetchUrls({ urls: [url], options: { net: { hosts, http2: true } } });
    assert.is(tell(two, url), 'success ok 200');
    assert.equal(versions, ['2.0', '2.0']);
    const one = await fetchUrls({ urls: [url], options: { net: { hosts } } });
    assert.is(tell(one, url), 'success ok 200');
    assert.equal(versions.slice(2), ['1.1', '1.1']);
    server.close();
  });

  Tls('a file that is not there is an error of the configuration, before anything is fetched', async () => {
    try {
      await visit(good, { ca: '/nowhere/ca.pem' });
      assert.unreachable();
    } catch (error) {
      assert.is((error as { code: string }).code, 'config');
      assert.match((error as Error).message, 'net.hosts.127.0.0.1.ca');
    }
  });
}

Tls('through a proxy, which is told the password that it asks for, and the site is not', async () => {
  const web = await startWeb({ '/': page('far') }, { robots: '' });
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket, head) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization']}`);
    const [host, port] = request.url!.split(':');
    const on = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      on.write(head);
      on.pipe(socket).pipe(on);
    });
    on.on('error', () => socket.destroy());
    socket.on('error', () => on.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  const fetched = await fetchUrls({
    urls: [`${web.origin}/`],
    options: { net: { proxy: `http://me:sesame@127.0.0.1:${port}` } },
  });
  await web.close();
  proxy.close();
  assert.is(tell(fetched, `${web.origin}/`), 'success ok 200');
  const token = `Basic ${Buffer.from('me:sesame').toString('base64')}`;
  assert.ok(asked.length > 0 && asked.every((one) => one === `${web.host} ${token}`), String(asked));
  assert.ok(web.log.every((exchange) => exchange.headers['proxy-authorization'] === undefined));
});

Tls.run();
