import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { calendarTrap, fault, page, startWeb } from './web.ts';

const Kit = suite('web kit');

Kit('a route answers, a missing one is 404, and the log tells both', async () => {
  const web = await startWeb({ '/': page('Home', '/a'), '/cal*': calendarTrap }, { robots: 'User-agent: *\n' });
  const home = await fetch(`${web.origin}/`);
  assert.match(await home.text(), '<a href="/a">');
  assert.is((await fetch(`${web.origin}/a`)).status, 404);
  assert.is(await (await fetch(`${web.origin}/robots.txt`)).text(), 'User-agent: *\n');
  assert.match(await (await fetch(`${web.origin}/cal?month=4`)).text(), 'month=5');
  assert.equal(
    web.log.map((exchange) => [exchange.path, exchange.status]),
    [
      ['/', 200],
      ['/a', 404],
      ['/robots.txt', 200],
      ['/cal?month=4', 200],
    ],
  );
  assert.ok(web.gaps().every((gap) => gap >= 0));
  await web.close();
});

Kit('a page with an etag answers 304 to it', async () => {
  const web = await startWeb({ '/': { body: 'x', etag: '"1"' } });
  assert.is((await fetch(web.origin, { headers: { 'if-none-match': '"1"' } })).status, 304);
  assert.is((await fetch(web.origin)).status, 200);
  await web.close();
});

Kit('two addresses are two hosts', async () => {
  const one = await startWeb({ '/': 'one' });
  const two = await startWeb({ '/': 'two' }, { address: '127.0.0.2' });
  assert.is(await (await fetch(two.origin)).text(), 'two');
  assert.is(one.log.length, 0);
  await Promise.all([one.close(), two.close()]);
});

Kit('a broken answer reaches the client broken', async () => {
  const web = await startWeb({
    '/cut': fault.wrongLength(100, 'short'),
    '/chunks': fault.brokenChunks('x'),
    '/reset': fault.resetAfter('HTTP/1.1 200 OK\r\n\r\n', 9),
  });
  for (const path of ['/cut', '/chunks', '/reset']) {
    const broken = await fetch(web.origin + path)
      .then((response) => response.text())
      .then(() => false)
      .catch(() => true);
    assert.ok(broken, path);
  }
  await web.close();
});

Kit.run();
