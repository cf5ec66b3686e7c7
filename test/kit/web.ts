import { createReadStream, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/**
 * A small web on loopback for tests: as polite or as hostile as a test needs, with a log of what was asked and when.
 *
 *     const web = await startWeb({ '/': page('Home', '/a'), '/a': { status: 404 }, '/cal/*': calendarTrap });
 *     ... web.origin ... web.log ... await web.close();
 *
 * A host of its own is an address of its own: `startWeb(routes, { address: '127.0.0.2' })`.
 */
export interface Web {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  /** `127.0.0.1:PORT`. */
  readonly host: string;
  readonly port: number;
  /** Every request in the order of arrival. */
  readonly log: readonly Exchange[];
  /** How often a path (with its query) was asked for. */
  hits(path: string): number;
  /**
   * Milliseconds between the end of one exchange and the start of the next. Below 0: two were open at once.
   * `keep` picks the exchanges that count; all by default.
   */
  gaps(keep?: (exchange: Exchange) => boolean): number[];
  /** Sockets open now. */
  readonly open: number;
  /** Bytes written to all sockets, the open ones included. */
  sent(): number;
  /** Replaces or adds routes while it runs. */
  route(more: Routes): void;
  close(): Promise<void>;
}

export interface Exchange {
  /** performance.timeOrigin-based ms, when the head of the request was complete. */
  readonly start: number;
  /** Just before the last of the answer was handed over, or when the connection was gone; 0 while it is open. */
  end: number;
  readonly host: string;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  status: number;
}

export interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  /** Default: `text/html; charset=utf-8`. */
  readonly type?: string;
  /** Coded on the fly, and said so in the header. */
  readonly coding?: 'gzip' | 'br' | 'deflate' | 'deflate-raw';
  /** Answers 304 to a matching If-None-Match. */
  readonly etag?: string;
  /** Answers 304 to the very same If-Modified-Since. */
  readonly lastModified?: string;
  /** Location; status 302 where none is given. */
  readonly to?: string;
  /** Before the answer, ms. */
  readonly delayMs?: number;
  /** Basic: `user:password`; 401 without it. */
  readonly login?: string;
  /** No Content-Length: sent in chunks. */
  readonly chunked?: boolean;
  /** Takes the socket: nothing of node:http is written. */
  readonly raw?: (socket: Socket, request: IncomingMessage) => void;
}
export type Answer = string | Uint8Array | Page;
export type Route = Answer | ((request: IncomingMessage) => Answer | Promise<Answer>);
/** A key is a path with or without query; one that ends in `*` is a prefix (the longest that fits decides). */
export type Routes = Readonly<Record<string, Route>>;

export interface WebOptions {
  readonly address?: string;
  readonly port?: number;
  /** Body of /robots.txt; without it (and without a route) 404. */
  readonly robots?: string;
  /** Before every answer, ms. */
  readonly delayMs?: number;
  /** Serves https with these. */
  readonly tls?: ServerOptions;
}

/** Routes, or the path of a folder of files. */
export async function startWeb(content: Routes | string, options: WebOptions = {}): Promise<Web> {
  const address = options.address ?? '127.0.0.1';
  const log: Exchange[] = [];
  const sockets = new Set<Socket>();
  let sentByClosed = 0;
  let routes: Routes = typeof content === 'string' ? {} : content;
  const folder = typeof content === 'string' ? content : null;

  const find = (path: string): Route | undefined => {
    const exact = routes[path] ?? routes[path.split('?')[0]!];
    if (exact !== undefined) return exact;
    if (path === '/robots.txt' && options.robots !== undefined) return { body: options.robots, type: 'text/plain' };
    const prefix = Object.keys(routes)
      .filter((key) => key.endsWith('*') && path.startsWith(key.slice(0, -1)))
      .sort((a, b) => b.length - a.length)[0];
    return prefix === undefined ? undefined : routes[prefix];
  };

  const onRequest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '/';
    const exchange: Exchange = {
      start: performance.timeOrigin + performance.now(),
      end: 0,
      host: String(request.headers.host),
      method: String(request.method),
      path,
      headers: request.headers as Record<string, string>,
      status: 0,
    };
    log.push(exchange);
    const finish = (): void => {
      if (exchange.end === 0) exchange.end = performance.timeOrigin + performance.now();
    };
    response.on('finish', finish);
    response.on('close', finish);
    if (folder !== null && find(path) === undefined) {
      exchange.status = sendFile(folder, path, response);
      return;
    }
    const route = find(path);
    const answer = typeof route === 'function' ? await route(request) : route;
    const page: Page =
      answer === undefined
        ? { status: 404, body: 'no such page' }
        : typeof answer === 'string' || answer instanceof Uint8Array
          ? { body: answer }
          : answer;
    const delayMs = page.delayMs ?? options.delayMs ?? 0;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (page.raw) page.raw(request.socket as Socket, request);
    else exchange.status = send(page, request, response, finish);
  };
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    onRequest(request, response).catch((error) => response.destroy(error as Error));
  };
  const server = options.tls
    ? createTlsServer(options.tls, handler)
    : createServer({ keepAliveTimeout: 60_000 }, handler);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}); // a client that leaves in mid-answer is what many tests do
    socket.on('close', () => {
      sockets.delete(socket);
      sentByClosed += socket.bytesWritten;
    });
  });
  server.on('tlsClientError', () => {}); // a client that refuses our certificate is what a test wants
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, address, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const host = `${address.includes(':') ? `[${address}]` : address}:${port}`;
  return {
    origin: `${options.tls ? 'https' : 'http'}://${host}`,
    host,
    port,
    log,
    hits: (path) => log.filter((exchange) => exchange.path === path).length,
    gaps: (keep = () => true) => {
      const kept = log.filter(keep);
      return kept.slice(1).map((exchange, i) => exchange.start - (kept[i]!.end || Number.POSITIVE_INFINITY));
    },
    get open() {
      return sockets.size;
    },
    sent: () => [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, sentByClosed),
    route: (more) => {
      routes = { ...routes, ...more };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** `last` is called before the last of the answer leaves: a client cannot have it earlier. */
function send(page: Page, request: IncomingMessage, response: ServerResponse, last: () => void): number {
  if (page.login !== undefined) {
    const wanted = `Basic ${Buffer.from(page.login).toString('base64')}`;
    if (request.headers.authorization !== wanted) {
      last();
      response.writeHead(401, { 'www-authenticate': 'Basic realm="kit"', 'content-type': 'text/plain' }).end('who?');
      return 401;
    }
  }
  const unchanged =
    (page.etag !== undefined && (request.headers['if-none-match'] ?? '').split(/\s*,\s*/).includes(page.etag)) ||
    (page.lastModified !== undefined && request.headers['if-modified-since'] === page.lastModified);
  const headers: Record<string, string | string[]> = {};
  if (page.etag !== undefined) headers.etag = page.etag;
  if (page.lastModified !== undefined) headers['last-modified'] = page.lastModified;
  if (unchanged) {
    last();
    response.writeHead(304, headers).end();
    return 304;
  }
  let body = typeof page.body === 'string' ? Buffer.from(page.body) : (page.body ?? new Uint8Array());
  if (page.coding === 'gzip') body = gzipSync(body);
  if (page.coding === 'br') body = brotliCompressSync(body);
  if (page.coding === 'deflate') body = deflateSync(body);
  if (page.coding === 'deflate-raw') body = deflateRawSync(body);
  if (page.coding) headers['content-encoding'] = page.coding.split('-')[0]!;
  headers['content-type'] = page.type ?? 'text/html; charset=utf-8';
  if (page.to !== undefined) headers.location = page.to;
  if (!page.chunked) headers['content-length'] = String(body.length);
  for (const [name, value] of Object.entries(page.headers ?? {}))
    headers[name.toLowerCase()] = typeof value === 'string' ? value : [...value];
  const status = page.status ?? (page.to === undefined ? 200 : 302);
  response.writeHead(status, headers);
  if (page.chunked) for (let i = 0; i < body.length; i += 4096) response.write(body.subarray(i, i + 4096));
  last();
  response.end(page.chunked ? undefined : body);
  return status;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.gz': 'application/gzip',
};

function sendFile(folder: string, path: string, response: ServerResponse): number {
  const refuse = (status: number): number => {
    response.writeHead(status, { 'content-type': 'text/plain' }).end(String(status));
    return status;
  };
  let name: string;
  try {
    name = normalize(decodeURIComponent(path.split('?')[0]!));
  } catch {
    return refuse(400); // a percent sign that escapes nothing
  }
  if (name.split('/').includes('..')) return refuse(400);
  let file = join(folder, name);
  let stat = statSync(file, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    if (!name.endsWith('/')) {
      response.writeHead(301, { location: `${path.split('?')[0]}/` }).end();
      return 301;
    }
    file = join(file, 'index.html');
    stat = statSync(file, { throwIfNoEntry: false });
  }
  if (!stat?.isFile()) return refuse(404);
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': stat.size,
    'last-modified': stat.mtime.toUTCString(),
  });
  createReadStream(file).pipe(response);
  return 200;
}

/** A small HTML page with links. */
export const page = (title: string, ...links: readonly string[]): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>` +
  `<p>This is the page about ${title}.</p>${links.map((to) => `<a href="${to}">to ${to}</a>`).join('\n')}</body></html>`;

/** A calendar without end: every month links to the next and the one before. */
export const calendarTrap = (request: IncomingMessage): string => {
  const month = Number(/month=(-?\d+)/.exec(request.url ?? '')?.[1] ?? 0);
  const path = (request.url ?? '/').split('?')[0];
  return page('Calendar', `${path}?month=${month + 1}`, `${path}?month=${month - 1}`);
};

/** What bad servers do. Each takes the socket over. */
export const fault = {
  /** The bytes as they are, then the end. */
  bytes: (bytes: string | Uint8Array): Page => ({
    raw: (socket) => socket.end(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
  }),
  /** The first `count` bytes of an answer, then a reset. */
  resetAfter: (bytes: string | Uint8Array, count: number): Page => ({
    raw: (socket) => {
      const all = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
      if (count === 0) socket.resetAndDestroy();
      else socket.write(all.subarray(0, count), () => socket.resetAndDestroy());
    },
  }),
  /** Accepts and never answers. */
  silence: { raw: () => {} } as Page,
  /** One byte of an endless head every `everyMs`. */
  slowHeaders: (everyMs: number): Page => ({
    raw: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      const timer = setInterval(() => socket.write('a'), everyMs);
      socket.on('close', () => clearInterval(timer));
    },
  }),
  /** A head at once, then one byte of the body every `everyMs`, for ever. */
  slowBody: (everyMs: number): Page => ({
    raw: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n<p>');
      const timer = setInterval(() => socket.write('a'), everyMs);
      socket.on('close', () => clearInterval(timer));
    },
  }),
  /** A body that never ends, as fast as it is taken. */
  endless: (type = 'text/html', head = ''): Page => ({
    raw: (socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\n${head}\r\n`);
      const piece = Buffer.from('<p>more and more</p>\n'.repeat(400));
      const pour = (): void => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', pour);
      pour();
    },
  }),
  /** Says `said` bytes, sends `body`, and closes. */
  wrongLength: (said: number, body: string): Page =>
    fault.bytes(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: ${said}\r\n\r\n${body}`),
  brokenChunks: (body: string): Page =>
    fault.bytes(
      `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n` +
        `${body.length.toString(16)}\r\n${body}\r\nZZ\r\nrest\r\n0\r\n\r\n`,
    ),
  /** `count` headers of a hundred bytes. */
  headerFlood: (count: number): Page => ({
    raw: (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n');
      for (let i = 0; i < count; i++) socket.write(`X-${i}: ${'a'.repeat(100)}\r\n`);
      socket.end('\r\n<p>done');
    },
  }),
  /** `count` interim answers before the real one. */
  interim: (count: number, body: string): Page =>
    fault.bytes(
      `${'HTTP/1.1 103 Early Hints\r\nLink: </s.css>; rel=preload\r\n\r\n'.repeat(count)}HTTP/1.1 200 OK\r\n` +
        `Content-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ),
  /** A status line of one's own: `HTTP/1.1 200`. */
  statusLine: (line: string, body: string): Page =>
    fault.bytes(`${line}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
  /** A header line of one's own, as Latin-1 bytes. */
  headerLine: (line: string, body: string): Page =>
    fault.bytes(
      `HTTP/1.1 200 OK\r\n${line}\r\nContent-Type: text/html\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    ),
} as const;
