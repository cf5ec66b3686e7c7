import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, type ClientSettings, HttpClient, type Request } from '../../../src/net/get.ts';
import { Deadlines } from '../../../src/net/limit.ts';
import { createResolver } from '../../../src/net/resolve.ts';
import { fault, startWeb, type Web } from '../../kit/web.ts';

const Get = suite('get');
const SETTINGS: ClientSettings = {
  agent: 'nuthatch',
  connections: 1,
  headers: {},
  maxBody: 65_536,
  timeout: 120_000,
  firstByteTimeout: 60_000,
  minRate: 0,
};
let held = 0;
const clientOf = (more: Partial<ClientSettings> = {}, allow: readonly string[] = ['127.0.0.0/8']): HttpClient =>
  new HttpClient({ ...SETTINGS, ...more }, createResolver({ allow }), new Deadlines(), { add: (n) => (held += n) });

let web: Web;
let client: HttpClient;
const get = (path: string, more: Partial<Request> = {}): Promise<Answer> =>
  client.get({ url: new URL(path, web.origin), ...more });
/** One word for an answer: status and body, or the reason. */
const tell = (answer: Answer): string =>
  answer.kind === 'failure'
    ? answer.reason
    : `${answer.head.status}${answer.cut && ` ${answer.cut}`} ${answer.body.toString('utf8').slice(0, 20)}`;

Get.before(async () => {
  web = await startWeb({
    '/': { body: 'hello', headers: { 'Set-Cookie': ['a=1', 'b=2'], 'X-Odd': 'Caf\u00e9' } },
    '/chunked': { body: 'x'.repeat(10_000), chunked: true },
    '/silence': fault.silence,
    '/slow-head': fault.slowHeaders(50),
    '/slow-body': fault.slowBody(50),
    '/endless': fault.endless(),
    '/long': fault.wrongLength(100, 'short'),
    '/short': fault.wrongLength(3, 'longer'),
    '/chunks': fault.brokenChunks('piece'),
    '/flood': fault.headerFlood(1000),
    '/control': fault.headerLine('X-Note: a\x01c', 'hello'),
    '/obs-text': fault.headerLine('X-Note: \xff', 'hello'),
    '/interim': fault.interim(3, 'hello'),
    '/bare': fault.statusLine('HTTP/1.1 200', 'hello'),
    '/bare404': fault.statusLine('HTTP/1.1 404 ', 'hello'),
    '/accent': fault.statusLine('HTTP/1.1 200 Tr\xe8s bien', 'hello'),
    '/zip': fault.endless('application/zip', 'Content-Length: 50000000\r\n'),
    '/empty': { status: 204 },
    '/garbage': fault.bytes('\x16\x03\x01 this is no HTTP\r\n\r\n'),
  });
  client = clientOf();
});
Get.after(async () => {
  await client.close();
  await web.close();
});

Get('an answer has its status, headers and body', async () => {
  const answer = await get('/');
  assert.is(tell(answer), '200 hello');
  if (answer.kind === 'failure') throw new Error(answer.detail);
  assert.equal(answer.head.all('set-cookie'), ['a=1', 'b=2']);
  assert.is(answer.head.get('x-odd'), 'Caf\u00e9');
  assert.is(answer.ip, '127.0.0.1');
  assert.is(web.log.at(-1)!.headers['user-agent'], 'nuthatch');
  assert.is(tell(await get('/chunked')), `200 ${'x'.repeat(20)}`);
});

const expected: Readonly<Record<string, string>> = {
  '/silence': 'timeout',
  '/slow-head': 'timeout',
  '/slow-body': 'timeout',
  '/endless': '200 length <p>more and more</p>',
  '/long': 'reset',
  '/chunks': 'protocol',
  '/flood': 'protocol',
  '/control': 'protocol',
  '/obs-text': '200 hello',
  '/interim': '200 hello',
  '/bare': '200 hello',
  '/bare404': '404 hello',
  '/accent': '200 hello',
  '/empty': '204 ',
  '/garbage': 'protocol',
};
for (const [path, told] of Object.entries(expected))
  Get(`RU-http-01, RU-http-02: ${path} ends as: ${told}`, async () => {
    // Short only where nothing else can end it: a busy machine is no slow server.
    const limits = told === 'timeout' ? { timeout: 1200, firstByteTimeout: 600 } : {};
    assert.is(tell(await get(path, { limits })), told);
  });

Get(
  'RU-resources-04: a body that stalls after megabytes ends at the deadline, and the next page is fetched',
  async () => {
    const before = held;
    const big = clientOf({ maxBody: 8 << 20 });
    web.route({
      '/stall': {
        raw: (socket) => {
          socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 9000000\r\n\r\n');
          socket.write(Buffer.alloc(5 << 20, 97));
        },
      },
    });
    try {
      const answer = await big.get({ url: new URL('/stall', web.origin), limits: { timeout: 1500 } });
      assert.is(tell(answer), 'timeout');
      assert.is(held, before, 'no byte of it is held any more');
      assert.is(tell(await big.get({ url: new URL('/', web.origin) })), '200 hello');
    } finally {
      await big.close();
    }
  },
);

Get('a body longer than announced is cut where the announcement ends', async () => {
  assert.is(tell(await get('/short')), '200 lon');
});

Get('a body that broke off is given where it is asked for', async () => {
  assert.is(tell(await get('/long', { keepPartial: true })), '200 reset short');
});

Get('a reset at any byte of an answer is a reason, never a hang or a throw', async () => {
  const whole = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 10\r\n\r\n0123456789';
  for (let count = 0; count < whole.length; count += 3) {
    web.route({ '/reset': fault.resetAfter(whole, count) });
    const told = tell(await get('/reset'));
    assert.ok(['reset', 'protocol'].includes(told), `${count}: ${told}`);
  }
});

Get('RU-resources-08: a body of exactly the limit is whole, one byte more is cut, however it is sent', async () => {
  for (const [size, cut] of [
    [65_535, ''],
    [65_536, ''],
    [65_537, 'length'],
  ] as const)
    for (const how of [{}, { chunked: true }, { coding: 'gzip' as const }, { coding: 'br' as const }]) {
      web.route({ '/sized': { body: 'y'.repeat(size), ...how } });
      const answer = await get('/sized');
      if (answer.kind === 'failure') throw new Error(answer.detail);
      assert.is(answer.cut, cut, `${size} ${JSON.stringify(how)}`);
      assert.is(answer.body.length, Math.min(size, 65_536));
    }
});

Get('RU-http-08: what is not wanted is not read', async () => {
  const before = web.sent();
  for (let i = 0; i < 20; i++) {
    const answer = await get('/zip', { accept: (head) => head.get('content-type') !== 'application/zip' });
    assert.is(tell(answer), '200 refused ');
  }
  assert.ok(web.sent() - before < 20 * (6 << 20), `${web.sent() - before} bytes`);
});

Get('an idle connection that the server closed is replaced without a failure', async () => {
  const one = await startWeb({ '/': 'one' });
  const other = clientOf();
  assert.is(tell(await other.get({ url: new URL(one.origin) })), '200 one');
  await one.close();
  const again = await startWeb({ '/': 'two' }, { port: one.port });
  assert.is(tell(await other.get({ url: new URL(again.origin) })), '200 two');
  await other.close();
  await again.close();
});

Get('nobody there, no such name, no such scheme', async () => {
  const gone = await startWeb({});
  await gone.close();
  assert.is(tell(await client.get({ url: new URL(gone.origin) })), 'connect');
  const failing = new HttpClient(
    SETTINGS,
    createResolver({
      allow: [],
      lookup: (host, _, callback) => callback(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }), []),
    }),
    new Deadlines(),
  );
  assert.is(tell(await failing.get({ url: new URL('http://nowhere.invalid/') })), 'dns');
  assert.is(tell(await failing.get({ url: new URL('ftp://nowhere.invalid/') })), 'scheme-refused');
  await failing.close();
});

Get('a private address is refused, by number and by name, before anything is sent', async () => {
  const guarded = new HttpClient(
    SETTINGS,
    createResolver({ allow: [], lookup: (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]) }),
    new Deadlines(),
  );
  const before = web.log.length;
  for (const host of ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', 'innocent.example', '0.0.0.0', '2130706433'])
    assert.is(tell(await guarded.get({ url: new URL(`http://${host}:${web.port}/`) })), 'address-refused', host);
  assert.is(web.log.length, before);
  await guarded.close();
});

Get('a host named in the configuration may be private', async () => {
  const named = new HttpClient(
    SETTINGS,
    createResolver({
      allow: ['intranet.example'],
      lookup: (_, __, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    }),
    new Deadlines(),
  );
  assert.is(tell(await named.get({ url: new URL(`http://intranet.example:${web.port}/`) })), '200 hello');
  await named.close();
});

Get('RU-auth-01: headers of one origin are not sent to another, be it another port', async () => {
  const other = await startWeb({ '/': 'other' });
  const own = clientOf({ headers: { [web.origin]: { authorization: 'Basic c2VjcmV0' } } });
  await own.get({ url: new URL(web.origin) });
  assert.is(web.log.at(-1)!.headers.authorization, 'Basic c2VjcmV0');
  await own.get({ url: new URL(other.origin) });
  assert.is(other.log.at(-1)!.headers.authorization, undefined);
  await own.close();
  await other.close();
});

Get('our own starvation does not count as the time of a server', () => {
  let now = 0;
  const deadlines = new Deadlines(() => now);
  let ended = '';
  const request = {
    started: 0,
    bytes: -1,
    limits: { ...SETTINGS, timeout: 4000, firstByteTimeout: 600 },
    end: (why: string) => (ended = why),
  };
  deadlines.watch(request as never);
  now += 60_000; // the loop did not run for a minute
  deadlines.tick();
  assert.is(ended, '');
  for (let i = 0; i < 10; i++) {
    now += 200;
    deadlines.tick();
  }
  assert.is(ended, 'first-byte');
});

Get('every byte held is given back when the answers are', async () => {
  held = 0;
  for (const path of ['/', '/chunked', '/long', '/chunks', '/endless', '/zip']) {
    const answer = await get(path);
    if (answer.kind === 'response') answer.release();
  }
  assert.is(held, 0);
});

Get.run();
