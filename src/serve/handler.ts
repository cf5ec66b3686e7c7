/**
 * The door `nuthatch/http`: a search page and an HTTP API as one `(req, res)`, for node:http, Express and Fastify.
 *
 *     http.createServer(searchHandler(crawl)).listen(8080, '127.0.0.1');
 *     express.use('/search', searchHandler(crawl));
 *     fastify.all('/search/*', (request, reply) => { reply.hijack(); handler(request.raw, reply.raw); });
 *
 * It opens nothing and holds no timer: the source is the caller's to close.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './api.ts';
import { type ServeOptions, serveDefaults } from './settings.ts';
import type { SearchSource } from './source.ts';

export type { ServeOptions } from './settings.ts';
export type { Answer, Ask, Explanation, FacetValue, Hit, SearchSource } from './source.ts';

export type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/** Serves `source`. Never throws and never rejects: what fails is answered 500 and told to `options.onError`. */
export function searchHandler(source: SearchSource, options: ServeOptions = {}): Handler {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings = { ...serveDefaults, ...(source.name ? { title: source.name } : {}), ...given };
  const app = createApp(source, settings);
  const listener = getRequestListener(
    (request, env) => {
      const mounted = (env.incoming as IncomingMessage & { baseUrl?: string }).baseUrl;
      const base = (mounted || settings.base).replace(/\/+$/, '');
      const url = new URL(request.url);
      const inside = url.pathname === base || url.pathname.startsWith(`${base}/`);
      if (mounted || base === '' || !inside) return app.fetch(request, { ...env, base });
      url.pathname = url.pathname.slice(base.length) || '/';
      return app.fetch(new Request(url, request), { ...env, base });
    },
    { overrideGlobalObjects: false },
  );
  return (req, res) => {
    listener(req as never, res as never).catch((error: unknown) => {
      settings.onError(error, req.url ?? '');
      if (!res.headersSent) res.writeHead(500);
      res.end();
    });
  };
}
