import { createHash, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { CrawlError } from '../errors.ts';
import { apiAsked, askOfPage, BadRequest, pageAsked, suggestAsked, urlAsked } from './asked.ts';
import { type Html, html } from './html.ts';
import { createMetrics } from './metrics.ts';
import { fill, messageMain, type Place, resultsMain, welcomeMain, whyMain } from './page.ts';
import { clientOf, RateLimit } from './rate.ts';
import type { ServeSettings } from './settings.ts';
import type { SearchSource } from './source.ts';

type Env = { Bindings: HttpBindings & { base?: string } };

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const read = (name: string): string => readFileSync(new URL(`ui/${name}`, import.meta.url), 'utf8');
const sameSecret = (given: string, token: string): boolean =>
  timingSafeEqual(createHash('sha256').update(given).digest(), createHash('sha256').update(token).digest());

/**
 * The search page and the HTTP API.
 *
 *     GET  /              the page; /why follows one address
 *     GET  /opensearch.xml  lets a browser search here from its address bar
 *     GET  /api/search    q limit from sort filter facet group near lang -> {total, isTotalExact?, hits, suggestion?, facets?}
 *     GET  /api/suggest   q limit -> {suggestions}
 *     GET  /api/why       url -> {url, normalized, verdict, steps}           internals
 *     GET  /health        {status, documents}
 *     GET  /metrics       Prometheus text                                    internals
 *     POST /admin/reload  answers from the newest commit from now on         token
 *
 * Failures are `{error}` with one sentence: 400 wrong parameter, 401 token missing or wrong, 403 no token is set up,
 * 404, 421 wrong host, 429 too many requests and 503 a crawl has the folder or nothing is indexed yet (both with
 * Retry-After), 500.
 */
export function createApp(source: SearchSource, settings: ServeSettings): Hono<Env> {
  const skeleton = read('page.html');
  const assets = { 'style.css': read('style.css'), 'script.js': read('script.js') };
  const version = createHash('sha256').update(Object.values(assets).join()).digest('hex').slice(0, 12);
  const metrics = createMetrics(settings.processMetrics);
  const rate = settings.rate && new RateLimit(settings.rate);
  const app = new Hono<Env>();

  const wantsHtml = (c: Context<Env>): boolean => !/^\/(api|admin|health|metrics)/.test(c.req.path);
  const refuse = (
    c: Context<Env>,
    status: 400 | 401 | 403 | 404 | 421 | 429 | 500 | 503,
    sentence: string,
  ): Response => {
    c.header('cache-control', 'no-store');
    if (wantsHtml(c)) {
      const heading =
        status === 404 ? 'There is no such page' : status === 500 ? 'That failed' : 'That cannot be answered';
      return c.html(page(c, messageMain(heading, sentence), { query: '' }), status);
    }
    return c.json({ error: sentence }, status);
  };
  const place = (c: Context<Env>): Place => ({
    base: c.env?.base ?? settings.base,
    version,
    why: source.why !== undefined && settings.internals === 'everyone',
  });
  const page = (
    c: Context<Env>,
    main: Html,
    more: { query: string; title?: string; kind?: string; kept?: Html },
  ): string =>
    fill(skeleton, {
      title: more.title ? `${more.title} - ${settings.title}` : settings.title,
      heading: settings.title,
      base: place(c).base,
      version,
      kind: more.kind ?? '',
      query: more.query,
      maxQuery: String(settings.maxQuery),
      kept: more.kept ?? '',
      main,
    });
  /** A sentence why not, or null: go on. */
  const forbidden = (c: Context<Env>): { status: 401 | 403; sentence: string } | null => {
    if (settings.token === '')
      return { status: 403, sentence: 'no token is set up on this server, so this call is closed to everyone' };
    const given = /^Bearer (.+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
    return given !== undefined && sameSecret(given, settings.token)
      ? null
      : {
          status: 401,
          sentence: 'this call needs the header "Authorization: Bearer TOKEN" with the token of this server',
        };
  };
  const closed = (c: Context<Env>): { status: 401 | 403; sentence: string } | null =>
    settings.internals === 'everyone' ? null : forbidden(c);
  const timed = async (query: string, ask: Parameters<SearchSource['search']>[1]) => {
    const started = performance.now();
    const { timeLimit } = settings;
    const answer = await source.search(query, timeLimit < 0 ? ask : { ...ask, timeLimit });
    metrics.searched((performance.now() - started) / 1000, answer.total);
    return answer;
  };

  app.use(async (c, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value);
    const host = hostOf(c.req.header('host') ?? '');
    if (settings.hosts && !settings.hosts.includes(host)) {
      return refuse(c, 421, 'this server does not answer under that host name');
    }
    if (rate && !/^\/(health|style\.css|script\.js)$/.test(c.req.path)) {
      const socket = c.env?.incoming?.socket?.remoteAddress ?? '';
      const address = settings.clientAddress((name) => c.req.header(name), socket);
      const wait = rate.take(clientOf(address), settings.now());
      if (wait > 0) {
        metrics.limited();
        c.header('retry-after', String(wait));
        return refuse(c, 429, `too many requests; the next is answered in ${wait} s`);
      }
    }
    await next();
    return undefined;
  });
  app.use(async (c, next) => {
    await next();
    metrics.request(c.req.routePath === '/*' ? 'other' : c.req.routePath, c.res.status);
  });

  app.get('/', async (c) => {
    const params = new URL(c.req.url).searchParams;
    const asked = pageAsked(params, settings);
    c.header('cache-control', 'no-cache');
    if (asked.query === '' && asked.narrow.length === 0 && asked.near === '') {
      const documents = source.documents ? await source.documents() : null;
      return c.html(page(c, welcomeMain(documents), { query: '', kind: 'front' }));
    }
    const answer = await timed(asked.query, askOfPage(asked, settings));
    const kept = html`${asked.narrow.map(({ field, value }) => html`<input type="hidden" name="f" value="${field}:${value}">`)}${
      asked.near && html`<input type="hidden" name="near" value="${asked.near}">`
    }${asked.sort && html`<input type="hidden" name="sort" value="${asked.sort}">`}`;
    const main = resultsMain(asked, answer, settings, place(c));
    return c.html(page(c, main, { query: asked.query, title: asked.query, kept }));
  });

  app.get('/why', async (c) => {
    if (!source.why || settings.internals !== 'everyone') return refuse(c, 404, 'This page does not exist here.');
    const url = urlAsked(new URL(c.req.url).searchParams, settings);
    const main = whyMain(url, url === '' ? null : await source.why(url), place(c).base);
    return c.html(page(c, main, { query: '', title: 'Why?' }));
  });

  for (const [name, text] of Object.entries(assets)) {
    app.get(`/${name}`, (c) => {
      c.header('cache-control', c.req.query('v') === version ? 'public, max-age=31536000, immutable' : 'no-cache');
      c.header('content-type', `text/${name.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`);
      return c.body(text);
    });
  }

  app.get('/opensearch.xml', (c) => {
    // Browsers take absolute addresses alone. Behind a proxy the Host header is the one that the visitor used.
    const at = `${new URL(c.req.url).origin}${place(c).base}`;
    const description = html`<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${settings.title.slice(0, 16)}</ShortName>
<Description>${settings.title}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${at}/?q={searchTerms}"/>
</OpenSearchDescription>
`;
    c.header('cache-control', 'no-cache');
    c.header('content-type', 'application/opensearchdescription+xml; charset=utf-8');
    return c.body(description.text);
  });

  app.get('/api/search', async (c) => {
    const { query, ask } = apiAsked(new URL(c.req.url).searchParams, settings);
    c.header('cache-control', 'no-cache');
    const answer = await timed(query, ask);
    for (const [name, sentence] of Object.entries(answer.unmet ?? {}))
      throw new BadRequest(`"${name === 'facets' ? 'facet' : name}": ${sentence}`);
    const unknown = answer.facets && ask.facets?.find((field) => !Object.hasOwn(answer.facets!, field));
    if (unknown) throw new BadRequest(`"facet": the index has no field "${unknown}" to count`);
    return c.json(answer);
  });
  app.get('/api/suggest', async (c) => {
    const { prefix, limit } = suggestAsked(new URL(c.req.url).searchParams, settings);
    c.header('cache-control', 'no-cache');
    return c.json({ suggestions: prefix.trim() === '' ? [] : await source.suggest(prefix, limit) });
  });
  app.get('/api/why', async (c) => {
    const no = closed(c);
    if (no) return refuse(c, no.status, no.sentence);
    if (!source.why) return refuse(c, 404, 'there is no crawl behind this index');
    const url = urlAsked(new URL(c.req.url).searchParams, settings);
    if (url === '') throw new BadRequest('"url" is missing');
    c.header('cache-control', 'no-store');
    return c.json(await source.why(url));
  });
  app.get('/health', async (c) => {
    c.header('cache-control', 'no-store');
    return c.json({ status: 'ok', ...(source.documents && { documents: await source.documents() }) });
  });
  app.get('/metrics', async (c) => {
    const no = closed(c);
    if (no) return refuse(c, no.status, no.sentence);
    if (source.documents) metrics.documents(await source.documents());
    return c.body(await metrics.text(), 200, { 'content-type': metrics.contentType, 'cache-control': 'no-store' });
  });
  app.post('/admin/reload', async (c) => {
    const no = forbidden(c);
    if (no) return refuse(c, no.status, no.sentence);
    if (!source.reload) return refuse(c, 404, 'this source has nothing to load anew');
    await source.reload();
    return c.json({ status: 'ok', ...(source.documents && { documents: await source.documents() }) });
  });

  app.notFound((c) => refuse(c, 404, 'Nothing is served under this address.'));
  app.onError((error, c) => {
    if (error instanceof BadRequest) return refuse(c, 400, error.message);
    if (error instanceof CrawlError && error.code === 'locked') {
      c.header('retry-after', '60');
      return refuse(c, 503, 'a crawl is running in another process; ask again when it is done');
    }
    if (error instanceof CrawlError && error.code === 'missing-input') {
      c.header('retry-after', '60');
      return refuse(c, 503, 'nothing has been indexed yet; ask again when the first crawl is done');
    }
    settings.onError(error, c.req.path);
    return refuse(c, 500, 'the request failed; the log of the server says why');
  });
  return app;
}

/** Host of a Host header, without port, lower-case. */
const hostOf = (header: string): string => header.toLowerCase().replace(/:\d+$/, '');
