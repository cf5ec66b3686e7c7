import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { converse, type LabRequest, type Respond } from './connection.ts';
import { Counter, type LabCounts, SPOILT } from './counts.ts';
import type { Answer, Site } from './site.ts';

export interface LabServerOptions {
  /** 0: any free one. The same port on every address. */
  readonly port?: number;
  /** Each host on an address of its own, or all on 127.0.0.1, told apart by their names. */
  readonly hostBy?: 'address' | 'name';
  /** The pause that visitors promise to keep between two requests of one host, ms: what violations are counted against. */
  readonly delayMs?: number;
  /** Length of an epoch, s; 0: it changes only by `setEpoch`. */
  readonly epochSeconds?: number;
  /** ms; default the monotonic clock. */
  readonly now?: () => number;
}

const REASONS: Readonly<Record<number, string>> = {
  200: 'OK',
  301: 'Moved Permanently',
  302: 'Found',
  304: 'Not Modified',
  404: 'Not Found',
  405: 'Method Not Allowed',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
};

/**
 * Serves a site on loopback and counts what visitors do. What is asked below `/.lab/` is for people and is not
 * counted: `/.lab/counts` answers with all figures, `/.lab/epoch?2` moves the web on. Cost: bench/lab.bench.ts.
 */
export class LabServer {
  readonly site: Site;
  readonly #counter: Counter;
  readonly #hostBy: 'address' | 'name';
  readonly #wanted: number;
  readonly #now: () => number;
  readonly #epochMs: number;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  readonly #numbers = new Map<string, number>();
  #port = 0;
  #epoch = 0;
  #started = 0;

  /** `makeSite` gets a function that gives the port, which is known only after `listen`. */
  constructor(makeSite: (port: () => number) => Site, options: LabServerOptions = {}) {
    const site = makeSite(() => this.#port);
    const { delayMs = 0, hostBy = 'address', port = 0, epochSeconds = 0, now = () => performance.now() } = options;
    this.site = site;
    this.#hostBy = hostBy;
    this.#wanted = port;
    this.#now = now;
    this.#epochMs = epochSeconds * 1000;
    this.#counter = new Counter({
      hosts: site.hosts,
      pages: site.pages,
      denied: (page) => site.denied(page),
      expected: (page) => site.expected(page),
      servable: (page) => site.servable(page),
      address: (page) => site.address(page),
      hostName: (host) => site.hostName(host),
      delayMs: (host) => Math.max(delayMs, site.crawlDelayMs(host)),
    });
    for (let host = 0; host < site.hosts; host++) this.#numbers.set(site.hostName(host), host);
  }

  /** Listens on every host's address; resolves to the addresses to start a crawl from. */
  async listen(): Promise<string[]> {
    const { hosts } = this.site;
    const addresses =
      this.#hostBy === 'name' ? ['127.0.0.1'] : Array.from({ length: hosts }, (_, host) => this.site.hostName(host));
    this.#started = this.#now();
    for (const address of addresses) {
      const fixed = this.#hostBy === 'name' ? -1 : this.#numbers.get(address)!;
      const server = createServer({ noDelay: true }, (socket) => {
        this.#counter.connections++;
        this.#sockets.add(socket);
        socket.on('close', () => this.#sockets.delete(socket));
        converse(socket, (request, respond) => this.#answer(fixed, request, respond));
      });
      server.listen({ host: address, port: this.#port || this.#wanted, backlog: 1024 });
      try {
        await once(server, 'listening');
      } catch (cause) {
        await this.close();
        const place = `${address}:${this.#port || this.#wanted}`;
        throw new Error(`the lab cannot listen on ${place}; where loopback is one address, set hostBy to name`, {
          cause,
        });
      }
      this.#servers.push(server);
      if (!this.#port) this.#port = (server.address() as { port: number }).port;
    }
    return this.site.seeds();
  }

  get port(): number {
    return this.#port;
  }

  get epoch(): number {
    return this.#epochMs > 0 ? Math.floor((this.#now() - this.#started) / this.#epochMs) : this.#epoch;
  }

  /** Moves the web on: the changing pages have a new version from here. */
  setEpoch(epoch: number): void {
    this.#epoch = epoch;
  }

  counts(): LabCounts {
    return this.#counter.counts();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }

  #answer(fixed: number, request: LabRequest, respond: Respond): void {
    if (request.path.startsWith('/.lab/')) {
      this.#control(request, respond);
      return;
    }
    const host = fixed >= 0 ? fixed : (this.#numbers.get(request.host) ?? 0);
    const answer = this.site.answer(host, request.path, this.epoch);
    if (answer.what === 'robots') {
      this.#counter.robots++;
      const { head, body } = composed(request, answer, answer.status, 0);
      this.#counter.count(host, answer.status, respond.send(head, body) ? head.length + (body?.length ?? 0) : 0);
      return;
    }
    if (answer.what === 'sitemap') this.#counter.sitemaps++;
    const now = this.#now();
    const last = this.#counter.lastEnd(host);
    this.#counter.began(host, answer.page, now);
    const end = (status: number, retryAfter = 0): void => {
      const { head, body } = composed(request, answer, status, retryAfter);
      // Read before it is sent: a visitor may have the answer before this process gets to look at the clock again.
      const at = this.#now();
      const sent = respond.send(head, body);
      const bytes = sent ? head.length + (body?.length ?? 0) : 0;
      this.#counter.ended(host, sent ? answer.page : -1, sent ? status : 0, bytes, at);
    };

    const limit = this.site.limit(host);
    if (limit && last >= 0 && now - last < limit.leastMs - 1) {
      this.#counter.hold(host, now + limit.retryAfterSeconds * 1000);
      end(429, limit.retryAfterSeconds);
      return;
    }
    let { status } = answer;
    if (answer.mishap !== 'none' && answer.page >= 0 && !(this.#counter.flags[answer.page]! & SPOILT)) {
      this.#counter.flags[answer.page]! |= SPOILT;
      if (answer.mishap === 'reset') {
        this.#counter.ended(host, -1, 0, 0, now);
        respond.reset();
        return;
      }
      status = 503;
    } else if (answer.etag && request.ifNoneMatch === answer.etag) status = 304;
    if (answer.latencyMs < 1) end(status);
    else setTimeout(end, answer.latencyMs, status);
  }

  #control(request: LabRequest, respond: Respond): void {
    const [path, query = ''] = request.path.split('?', 2);
    let body: unknown = { error: 'ask /.lab/counts or /.lab/epoch?N' };
    if (path === '/.lab/epoch') {
      if (/^\d{1,9}$/.test(query)) this.setEpoch(Number(query));
      body = { epoch: this.epoch };
    } else if (path === '/.lab/counts') body = this.counts();
    const bytes = Buffer.from(JSON.stringify(body));
    respond.send(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${bytes.length}\r\n\r\n`, bytes);
  }
}

/** An answer under a status, which may be another than its own, as it goes out; `body` null: without one. */
function composed(
  request: LabRequest,
  answer: Answer,
  status: number,
  retryAfter: number,
): { readonly head: string; readonly body: Buffer | null } {
  const known = request.method === 'GET' || request.method === 'HEAD';
  const final = known ? status : 405;
  const whole = final === answer.status;
  const body = whole ? answer.body() : null;
  let head = `HTTP/1.1 ${final} ${REASONS[final] ?? 'Status'}\r\n`;
  if (whole) head += `Content-Type: ${answer.contentType}\r\n`;
  if (answer.etag && (whole || final === 304)) head += `ETag: ${answer.etag}\r\n`;
  if (whole && answer.location) head += `Location: ${answer.location}\r\n`;
  if (retryAfter) head += `Retry-After: ${retryAfter}\r\n`;
  if (request.close) head += 'Connection: close\r\n';
  if (final !== 304) head += `Content-Length: ${body?.length ?? 0}\r\n`;
  head += '\r\n';
  return { head, body: request.method === 'GET' ? body : null };
}
