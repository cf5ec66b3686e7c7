import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'parse5';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CrawlError } from '../../../src/errors.ts';
import { type ServeOptions, searchHandler } from '../../../src/serve/handler.ts';
import { pagesAround } from '../../../src/serve/page.ts';
import { serve } from '../../../src/serve/server.ts';
import { FakeSource, someHits } from '../../kit/fake-source.ts';

const Api = suite('serve');

interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** One request as it stands: no address is tidied on the way, any header may be set. */
const send = (
  address: string,
  path: string,
  more: { method?: string; headers?: Record<string, string> } = {},
): Promise<Got> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(address);
    const req = request({ host: hostname, port, path, agent: false, ...more }, (res) => {
      let text = '';
      res.setEncoding('utf8');
      res.on('data', (chunk) => (text += chunk));
      res.on('end', () => resolve({ status: res.statusCode!, headers: res.headers, text }));
    });
    req.on('error', reject);
    req.end();
  });

async function withServer(
  options: ServeOptions,
  check: (get: (path: string, more?: Parameters<typeof send>[2]) => Promise<Got>, source: FakeSource) => Promise<void>,
): Promise<void> {
  const source = new FakeSource();
  source.hits = someHits(25);
  const server = await serve(source, { port: 0, processMetrics: false, ...options });
  try {
    await check((path, more) => send(server.address, path, more), source);
  } finally {
    await server.close(0);
  }
}

type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[]; value?: string };
const elements = (text: string, name: string): { attrs: Record<string, string>; text: string }[] => {
  const found: { attrs: Record<string, string>; text: string }[] = [];
  const textOf = (node: Node): string => node.value ?? (node.childNodes ?? []).map(textOf).join('');
  const walk = (node: Node): void => {
    if (node.nodeName === name)
      found.push({ attrs: Object.fromEntries(node.attrs!.map((a) => [a.name, a.value])), text: textOf(node) });
    node.childNodes?.forEach(walk);
  };
  walk(parse(text) as unknown as Node);
  return found;
};

Api('a search answers total and hits, and hands every parameter on', () =>
  withServer({}, async (get, source) => {
    const got = await get(
      '/api/search?q=red+squirrel&limit=5&from=20&sort=-modified&filter=site:example.org&facet=site&facet=lang&lang=de&group=site&near=7',
    );
    assert.is(got.status, 200);
    const answer = JSON.parse(got.text);
    assert.is(answer.total, 25);
    assert.equal(
      answer.hits.map((hit: { id: string }) => hit.id),
      ['21', '22', '23', '24', '25'],
    );
    assert.equal(source.asked, [
      {
        query: 'red squirrel',
        ask: {
          limit: 5,
          from: 20,
          sort: '-modified',
          filter: 'site:example.org',
          facets: ['site', 'lang'],
          lang: 'de',
          group: 'site',
          near: '7',
          timeLimit: 3000,
        },
      },
    ]);
  }),
);

Api('a search gets three seconds, or as many as the server was given, or all there are', async () => {
  for (const [options, limit] of [
    [{}, 3000],
    [{ timeLimit: 50 }, 50],
    [{ timeLimit: -1 }, undefined],
  ] as const)
    await withServer(options, async (get, source) => {
      await get('/api/search?q=squirrel');
      await get('/?q=squirrel');
      assert.equal(
        source.asked.map(({ ask }) => ask.timeLimit),
        [limit, limit],
      );
    });
});

Api('a hit that stands for similar pages leads to them, and from there back', () =>
  withServer({}, async (get, source) => {
    source.hits = someHits(2).map((hit, i) => (i === 0 ? { ...hit, id: 'https://example.org/?a&b', more: 3 } : hit));
    const links = elements((await get('/?q=red+nuts&f=site:example.org')).text, 'a');
    const similar = links.filter(({ text }) => /similar/.test(text));
    assert.equal(
      similar.map(({ text }) => text),
      ['3 similar pages'],
    );
    const there = await get(similar[0]!.attrs.href!);
    assert.is(source.asked.at(-1)!.ask.near, 'https://example.org/?a&b');
    assert.is(source.asked.at(-1)!.query, 'red nuts');
    const back = elements(there.text, 'a').find(({ text }) => text === 'Back to all results')!;
    assert.is(back.attrs.href, '/?q=red+nuts&f=site%3Aexample.org');
    assert.is((await get('/?near=https://example.org/')).status, 200);
    assert.is(source.asked.at(-1)!.ask.near, 'https://example.org/');
    assert.is((await get('/api/search?q=a&group=a%20b')).status, 400);
  }),
);

for (const path of [
  '/api/search',
  '/api/search?limit=5&sort=modified',
  '/api/search?q=a&limit=101',
  '/api/search?q=a&limit=-1',
  '/api/search?q=a&limit=1e9',
  '/api/search?q=a&from=10001',
  '/api/search?q=a&sort=a;b',
  '/api/search?q=a&facet=%22',
  '/api/search?q=a&lang=%3Cb%3E',
  `/api/search?q=${'a'.repeat(1001)}`,
  `/api/search?q=a&filter=${'a'.repeat(1001)}`,
  `/api/suggest?q=${'a'.repeat(1001)}`,
  '/api/suggest?q=a&limit=999',
  '/api/why',
])
  Api(`a wrong parameter is answered 400 with one sentence: ${path.slice(0, 40)}`, () =>
    withServer({}, async (get, source) => {
      const got = await get(path);
      assert.is(got.status, 400);
      assert.match(JSON.parse(got.text).error, /^\S.{10,200}$/);
      assert.equal(source.asked, []);
    }),
  );

Api('type-ahead answers whole titles, and nothing to nothing', () =>
  withServer({}, async (get) => {
    assert.equal(JSON.parse((await get('/api/suggest?q=squirrel+2&limit=3')).text), {
      suggestions: ['Squirrel 2', 'Squirrel 20', 'Squirrel 21'],
    });
    assert.equal(JSON.parse((await get('/api/suggest?q=+')).text), { suggestions: [] });
  }),
);

Api('every answer, of whatever status, carries the strict policy and names no software', () =>
  withServer({}, async (get, source) => {
    for (const path of [
      '/',
      '/?q=a',
      '/why',
      '/style.css',
      '/script.js',
      '/api/search?q=a',
      '/nothing',
      '/api/search?limit=x',
    ]) {
      const { headers } = await get(path);
      const policy = headers['content-security-policy'] as string;
      assert.match(policy, /default-src 'none'/, path);
      assert.not.match(policy, /unsafe|\*|https?:/, path);
      assert.is(headers['x-content-type-options'], 'nosniff', path);
      assert.is(headers['x-powered-by'], undefined);
    }
    source.failure = new Error('disk on fire at /secret/path');
    const failed = await get('/api/search?q=a');
    assert.is(failed.status, 500);
    assert.ok(failed.headers['content-security-policy']);
    assert.not.match(failed.text, /secret|fire/);
  }),
);

Api('the page needs no script, no style and no picture from elsewhere', () =>
  withServer({}, async (get) => {
    const page = (await get('/?q=squirrel')).text;
    for (const [tag, attr] of [
      ['script', 'src'],
      ['link', 'href'],
      ['img', 'src'],
    ] as const)
      for (const { attrs } of elements(page, tag)) assert.match(attrs[attr] ?? '', /^(\/[^/]|data:image)/);
    assert.not.match(page, /<[^>]+\son\w+=|<[^>]+\sstyle=|<script>/);
  }),
);

Api('without scripts the page shows hits, marks, paging and keeps the query', () =>
  withServer({}, async (get) => {
    const page = (await get('/?q=red+squirrel&page=2')).text;
    const links = elements(page, 'a').map(({ attrs, text }) => [text, attrs.href]);
    assert.ok(links.some(([text, href]) => text === 'Squirrel 11' && href === 'https://example.org/wood/page-11.html'));
    assert.ok(links.some(([text, href]) => text === 'Next' && href === '/?q=red+squirrel&page=3'));
    assert.ok(links.some(([text, href]) => text === 'Back' && href === '/?q=red+squirrel'));
    assert.is(elements(page, 'mark').length, 10);
    assert.is(elements(page, 'input').find(({ attrs }) => attrs.name === 'q')!.attrs.value, 'red squirrel');
    assert.match(page, /eats hazel nuts &amp; pine cones/);
  }),
);

Api('what a page or a person wrote never becomes a tag, an attribute or a script (RU-snippet-01, RU-snippet-02)', () =>
  withServer({}, async (get, source) => {
    const evil = `"><script>alert(1)</script><img src=x onerror=alert(1)> ' onfocus=alert(1) x='{{main}}{{query}}`;
    source.hits = [
      { id: '1', url: 'javascript:alert(1)', title: evil, score: 1, snippet: `${evil}<mark>demo</mark>` },
      {
        id: '2',
        url: `https://example.org/${encodeURIComponent(evil)}?${evil}`,
        title: 'b',
        score: 1,
        snippet: '',
        type: evil,
        modified: evil,
      },
    ];
    source.more = {
      suggestion: evil,
      problems: [evil],
      facets: {
        site: [
          { value: evil, count: 1 },
          { value: 'b', count: 1 },
        ],
        lang: [
          { value: evil, count: 2 },
          { value: 'x', count: 1 },
        ],
      },
    };
    const plain = (await get('/?q=demo')).text;
    const page = (await get(`/?q=${encodeURIComponent(evil)}&f=${encodeURIComponent(`site:${evil}`)}`)).text;
    const skeletonScripts = elements((await get('/')).text, 'script').length;
    for (const text of [plain, page]) {
      assert.is(elements(text, 'script').length, skeletonScripts);
      assert.is(elements(text, 'img').length, 0);
      for (const tag of ['a', 'input', 'form', 'p', 'h2', 'bdi', 'body', 'time', 'li'])
        for (const { attrs } of elements(text, tag)) {
          assert.equal(
            Object.keys(attrs).filter((name) => name.startsWith('on') || name === 'x'),
            [],
          );
          assert.not.match(attrs.href ?? '', /^\s*(javascript|data):/i);
        }
    }
    assert.is(elements(page, 'input').find(({ attrs }) => attrs.name === 'q')!.attrs.value, evil);
    assert.match(elements(page, 'h2')[0]!.text, /<script>alert\(1\)<\/script>/);
    assert.is(elements(page, 'h2').filter(({ text }) => text.includes('{{main}}')).length, 1);
  }),
);

Api(
  'a facet of which not all values are shown says how many more there are, and one that cannot be counted is refused',
  () =>
    withServer({}, async (get, source) => {
      const values = Array.from({ length: 10 }, (_, i) => ({ value: `s${i}.example`, count: 1 }));
      source.more = { facets: { site: values }, moreFacets: { site: 32 } };
      const page = (await get('/?q=x')).text;
      assert.ok(elements(page, 'li').some(({ text }) => text === 'and 34 more'));
      const answer = JSON.parse((await get('/api/search?q=x&facet=site')).text);
      assert.equal(answer.moreFacets, { site: 32 });
      for (const name of ['constructor', '__proto__', 'toString'])
        assert.is((await get(`/api/search?q=x&facet=${name}`)).status, 400, name);
      const { status, text } = await get('/api/search?q=x&facet=site&facet=colour');
      assert.is(status, 400);
      assert.match(JSON.parse(text).error, /"colour"/);
    }),
);

Api(
  'a sort, a group or a facet that no field fits is refused with the sentence of the source, on the page it is a note',
  () =>
    withServer({}, async (get, source) => {
      for (const [unmet, parameter] of [
        ['sort', 'sort'],
        ['group', 'group'],
        ['facets', 'facet'],
      ] as const) {
        source.more = { unmet: { [unmet]: 'That cannot be.' }, problems: ['That cannot be.'] };
        const { status, text } = await get(`/api/search?q=x&${parameter}=title`);
        assert.is(status, 400);
        assert.is(JSON.parse(text).error, `"${parameter}": That cannot be.`);
        assert.is((await get('/?q=x&sort=title')).status, 200);
      }
    }),
);

Api('a file is told by its path below its folder, and leads to the address under which people reach it', () =>
  withServer({ internals: 'everyone' }, async (get, source) => {
    const [hit] = someHits(1);
    source.hits = [
      { ...hit!, url: 'file:///srv/docs/a/b.html', path: 'a/b.html' },
      { ...hit!, url: 'file:///srv/docs/c.html', link: 'https://intranet.example/docs/c.html' },
    ];
    const { text } = await get('/?q=squirrel');
    const places = elements(text, 'bdi').map((one) => one.text);
    assert.ok(places.includes('a › b.html'), places.join());
    assert.ok(places.includes('intranet.example › docs › c.html'), places.join());
    const links = elements(text, 'a').map(({ attrs }) => attrs.href!);
    assert.ok(links.includes('https://intranet.example/docs/c.html'));
    assert.not.ok(links.some((href) => href.startsWith('file:')));
    assert.equal(
      links.filter((href) => href.startsWith('/why?')).map((href) => new URLSearchParams(href.slice(5)).get('url')),
      ['file:///srv/docs/a/b.html', 'file:///srv/docs/c.html'],
    );
  }),
);

Api('a facet narrows by a filter that its value cannot break out of', () =>
  withServer({}, async (get, source) => {
    source.more = {
      facets: {
        site: [
          { value: 'a.example', count: 3 },
          { value: 'b.example', count: 2 },
        ],
      },
    };
    const page = (await get('/?q=x&sort=-modified')).text;
    const link = elements(page, 'a').find(({ text }) => text === 'b.example2')!;
    assert.is(link.attrs.href, '/?q=x&f=site%3Ab.example&sort=-modified');
    await get('/?q=x&f=site:b.example&f=lang:a"%20OR%20b\\');
    assert.equal(source.asked.at(-1)!.ask.narrow, [
      { field: 'site', value: 'b.example' },
      { field: 'lang', value: 'a" OR b\\' },
    ]);
    const narrowed = (await get('/?q=x&f=site:b.example')).text;
    const hidden = elements(narrowed, 'input').filter(({ attrs }) => attrs.type === 'hidden');
    assert.equal(
      hidden.map(({ attrs }) => [attrs.name, attrs.value]),
      [['f', 'site:b.example']],
    );
    assert.ok(elements(narrowed, 'a').some(({ attrs }) => attrs['aria-current'] && attrs.href === '/?q=x'));
  }),
);

Api('an empty answer offers ways on, an odd page number does not break', () =>
  withServer({}, async (get, source) => {
    assert.match((await get('/?q=squirrel&page=99')).text, /There are no more results/);
    assert.is((await get('/?q=squirrel&page=x')).status, 400);
    source.hits = [];
    source.more = { suggestion: 'squirrel' };
    const page = (await get('/?q=sqirrel')).text;
    assert.ok(elements(page, 'a').some(({ attrs, text }) => text === 'squirrel' && attrs.href === '/?q=squirrel'));
    assert.match(page, /Nothing matches/);
  }),
);

Api('the heading is the title that was given, else the name of what is searched', async () => {
  const heading = async (options: ServeOptions, name?: string): Promise<string> => {
    const source = new FakeSource();
    source.name = name;
    const server = await serve(source, { port: 0, ...options });
    try {
      return elements((await send(server.address, '/')).text, 'h1')[0]!.text.trim();
    } finally {
      await server.close(0);
    }
  };
  assert.is(await heading({}), 'Search');
  assert.is(await heading({}, 'docs.example.org'), 'docs.example.org');
  assert.is(await heading({ title: 'Acme' }, 'docs.example.org'), 'Acme');
});

Api('what finds nothing as a phrase is offered as words; a page past the end counts, and promises no more', () =>
  withServer({}, async (get, source) => {
    const past = (await get('/?q=squirrel&page=99')).text;
    assert.is(elements(past, 'p').find(({ attrs }) => attrs.role === 'status')!.text, '25 results');
    source.more = { isTotalExact: false };
    assert.match((await get('/?q=squirrel')).text, />at least 25 results</);
    source.more = {};
    source.hits = [];
    const none = (await get('/?q=%22red+squirrel%22')).text;
    assert.ok(
      elements(none, 'a').some(({ attrs, text }) => /any order/.test(text) && attrs.href === '/?q=red+squirrel'),
    );
    assert.not.match((await get('/?q=squirrel')).text, /any order/);
    assert.not.match((await get(`/?q=${encodeURIComponent('"""(')}`)).text, /any order/);
    assert.match((await get('/')).text, /There is nothing to search yet/);
  }),
);

Api('before anything is indexed a search says so, and is no fault of the server', () => {
  const told: unknown[] = [];
  return withServer({ onError: (error) => void told.push(error) }, async (get, source) => {
    source.failure = new CrawlError('missing-input', 'nothing is published in crawl/index');
    const got = await get('/api/search?q=squirrel');
    assert.is(got.status, 503);
    assert.match(got.text, /nothing has been indexed yet/);
    assert.match((await get('/?q=squirrel')).text, /nothing has been indexed yet/);
    assert.equal(told, []);
  });
});

Api('pages offered run from the first past the present one, never beyond the last', () => {
  assert.equal(pagesAround(1, 25, 10), [1, 2, 3]);
  assert.equal(pagesAround(1, 5, 10), [1]);
  assert.equal(pagesAround(7, 200, 10), [1, 5, 6, 7, 8, 9]);
  assert.equal(pagesAround(20, 200, 10), [1, 16, 17, 18, 19, 20]);
  assert.is(pagesAround(1000, 1e6, 10).at(-1), 1000);
});

Api('who asks too often waits, and is told how long', () => {
  let now = 0;
  return withServer({ rate: { perSecond: 1, burst: 3 }, now: () => now }, async (get) => {
    for (let i = 0; i < 3; i++) assert.is((await get('/api/search?q=a')).status, 200);
    const refused = await get('/api/search?q=a');
    assert.is(refused.status, 429);
    assert.is(refused.headers['retry-after'], '1');
    assert.is((await get('/?q=a')).status, 429);
    assert.is((await get('/health')).status, 200, 'health is never refused');
    now = 1000;
    assert.is((await get('/api/search?q=a')).status, 200);
  });
});

Api('what changes something needs the token, and is closed where there is none', () =>
  withServer({ token: 'open sesame' }, async (get, source) => {
    const reload = (authorization?: string) =>
      get('/admin/reload', { method: 'POST', headers: authorization ? { authorization } : {} });
    assert.is((await reload()).status, 401);
    assert.is((await reload('Bearer wrong')).status, 401);
    assert.is((await reload('Basic open sesame')).status, 401);
    assert.is(source.reloads, 0);
    assert.is((await reload('Bearer open sesame')).status, 200);
    assert.is(source.reloads, 1);
    assert.is((await get('/admin/reload')).status, 404, 'a link cannot do it');
  }).then(() =>
    withServer({}, async (get, source) => {
      assert.is((await get('/admin/reload', { method: 'POST', headers: { authorization: 'Bearer ' } })).status, 403);
      assert.is(source.reloads, 0);
    }),
  ),
);

Api('why and metrics are open on loopback, and behind the token elsewhere', () =>
  withServer({}, async (get) => {
    assert.is(
      JSON.parse((await get('/api/why?url=https://example.org/private/')).text).steps[1].rule,
      'Disallow: /private/',
    );
    const page = (await get('/why?url=https://example.org/private/')).text;
    assert.match(page, /It is not in the index/);
    assert.match(page, /Disallow: \/private\//);
    await get('/api/search?q=a');
    const metrics = (await get('/metrics')).text;
    assert.match(metrics, /nuthatch_http_requests_total\{route="\/api\/search",status="200"\} 1/);
    assert.match(metrics, /nuthatch_documents 25/);
  }).then(() =>
    withServer({ internals: 'token', token: 't' }, async (get) => {
      for (const path of ['/api/why?url=a', '/metrics']) {
        assert.is((await get(path)).status, 401, path);
        assert.is((await get(path, { headers: { authorization: 'Bearer t' } })).status, 200, path);
      }
      assert.is((await get('/why?url=a')).status, 404);
      assert.not.match((await get('/?q=a')).text, /\/why/);
    }),
  ),
);

Api('why says that a crawl is running when another process holds the folder', () =>
  withServer({}, async (get, source) => {
    source.why = async () => {
      throw new CrawlError('locked', 'crawl folder is locked by process 4711');
    };
    const got = await get('/api/why?url=https://example.org/');
    assert.is(got.status, 503);
    assert.ok(got.headers['retry-after']);
    assert.not.match(got.text, /4711/);
    assert.match((await get('/why?url=https://example.org/')).text, /a crawl is running/);
  }),
);

Api('a server on loopback answers under no other name, so that no name pointed at it reaches it', () =>
  withServer({}, async (get) => {
    assert.is((await get('/api/search?q=a', { headers: { host: 'evil.example' } })).status, 421);
    assert.is((await get('/api/search?q=a', { headers: { host: 'localhost:9' } })).status, 200);
  }),
);

Api('style and script are kept for ever under their version, and looked at anew without it', () =>
  withServer({}, async (get) => {
    const page = (await get('/')).text;
    const href = elements(page, 'link').find(({ attrs }) => attrs.rel === 'stylesheet')!.attrs.href!;
    assert.match((await get(href)).headers['cache-control'] as string, /immutable/);
    assert.is((await get('/style.css')).headers['cache-control'], 'no-cache');
  }),
);

Api('a browser can take the search into its address bar', () =>
  withServer({ title: 'A & B' }, async (get) => {
    const page = (await get('/')).text;
    const href = elements(page, 'link').find(({ attrs }) => attrs.rel === 'search')!.attrs.href!;
    const { text, headers } = await get(href);
    assert.match(headers['content-type'] as string, /opensearchdescription/);
    assert.match(text, /<ShortName>A &amp; B<\/ShortName>/);
    assert.match(text, /template="http:\/\/127\.0\.0\.1(:\d+)?\/\?q=\{searchTerms\}"/);
  }),
);

Api('odd requests are answered, and the next one as well', () =>
  withServer({}, async (get) => {
    for (const path of [
      '//',
      '/%',
      '/..%2f..%2fetc/passwd',
      '/?q=%',
      '/?q=%ff%fe',
      '/?q=%00',
      '/?f=',
      '/?f=:',
      '/?f=a:',
      '/?page=',
      '/x?q=a',
    ]) {
      const { status } = await get(path);
      assert.ok(status === 200 || status === 400 || status === 404, `${path}: ${status}`);
    }
    assert.is((await get('/', { method: 'DELETE' })).status, 404);
    assert.is((await get('/?q=a', { method: 'HEAD' })).text, '');
    assert.is((await get('/?q=a')).status, 200);
  }),
);

Api('mounted under a path, every link of the page stays under it', async () => {
  const source = new FakeSource();
  source.hits = someHits(25);
  const own = searchHandler(source, { base: '/find' });
  const express = searchHandler(source);
  const server = createServer((req, res) => {
    if (req.url!.startsWith('/find')) return own(req, res);
    // Express takes its mount path off the address, and keeps it in baseUrl.
    Object.assign(req, { baseUrl: '/mounted', url: req.url!.slice('/mounted'.length) || '/' });
    return express(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    for (const base of ['/find', '/mounted']) {
      const page = await send(address, `${base}/?q=squirrel`);
      assert.is(page.status, 200);
      const paths = [
        ...elements(page.text, 'a').map(({ attrs }) => attrs.href!),
        ...elements(page.text, 'link').map(({ attrs }) => attrs.href!),
        ...elements(page.text, 'script').map(({ attrs }) => attrs.src!),
        ...elements(page.text, 'form').map(({ attrs }) => attrs.action!),
      ].filter((path) => path.startsWith('/'));
      assert.ok(paths.length > 5);
      for (const path of paths) {
        assert.ok(path.startsWith(`${base}/`), path);
        assert.is((await send(address, path)).status, 200, path);
      }
      assert.is((await send(address, base)).status, 200);
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

Api('global Request and Response are left as they were', () => {
  const before = [globalThis.Request, globalThis.Response];
  searchHandler(new FakeSource());
  assert.equal([globalThis.Request, globalThis.Response], before);
});

Api.run();
