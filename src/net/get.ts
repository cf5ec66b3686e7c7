import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Reason } from '../page/reason.ts';
import { ACCEPT_ENCODING, decodeBody } from './decode.ts';
import { type LenientHandler, type LenientOptions, lenientDispatch } from './lenient.ts';
import type { Deadlines, Limits, Overrun, Watched } from './limit.ts';
import { ADDRESS_REFUSED, type Resolver } from './resolve.ts';

/**
 * One verb over the wire: ask for one URL, get one answer. Nothing is thrown for what a server does; a failure is an
 * answer with a reason. Redirects are not followed, robots.txt is not asked, no delay is kept: those are decisions, and
 * decisions are the caller's.
 *
 * Cost: 0.07 CPU s per 1,000 small answers (undici `dispatch` with a handler of ours; `fetch` costs 0.52).
 */
export interface Request {
  readonly url: URL;
  /** Names and values in turn, beside ours: validators, cookies. */
  readonly headers?: readonly string[];
  /** Asked after the head; false: the body is not wanted, and not read where that saves anything. */
  readonly accept?: (head: Head) => boolean;
  /** Give what came of a body that broke off, instead of a failure. */
  readonly keepPartial?: boolean;
  /** By a parser that takes a head which breaks the rules; see lenient.ts. */
  readonly lenient?: boolean;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  /** Only what differs from the limits of the client. */
  readonly limits?: Partial<Limits>;
}

export type Answer = Response | Failure;

export interface Response {
  readonly kind: 'response';
  readonly head: Head;
  /** Without its coding; owned by the caller. Empty when it was not wanted. */
  readonly body: Buffer;
  /** As received: the same buffer where there was no coding. */
  readonly raw: Buffer;
  /** Why the body is not whole; '' when it is. `refused`: `accept` said no. */
  readonly cut: '' | 'length' | 'reset' | 'refused';
  /** What was odd about the body, for people; '' when nothing was. */
  readonly problem: string;
  /** The coding could not be undone: `body` is no text. */
  readonly undecodable: boolean;
  readonly ip: string;
  /** ms since the epoch. */
  readonly started: number;
  /** From the first byte sent to the last received, ms. */
  readonly responseMs: number;
  /** Bytes counted in the budget for this answer, until it is released. */
  readonly held: number;
  /** Gives body and raw back: neither may be looked at after. Once. */
  release(): void;
}

export interface Failure {
  readonly kind: 'failure';
  readonly reason: Reason;
  /** One sentence fragment for people; never a credential. */
  readonly detail: string;
  readonly ip: string;
  readonly started: number;
  readonly responseMs: number;
}

/** Status and headers. Values are Latin-1, as they came. */
export class Head {
  readonly status: number;
  readonly statusText: string;
  readonly #raw: readonly Uint8Array[];
  #first: Map<string, string> | null = null;

  constructor(status: number, statusText: string, raw: readonly Uint8Array[]) {
    this.status = status;
    this.statusText = statusText;
    this.#raw = raw;
  }

  /** The first value of a header, by its lower-case name; '' when there is none. */
  get(name: string): string {
    if (this.#first === null) {
      this.#first = new Map();
      for (const [key, value] of this.lines()) {
        const lower = key.toLowerCase();
        if (!this.#first.has(lower)) this.#first.set(lower, value);
      }
    }
    return this.#first.get(name) ?? '';
  }

  /** Every value of a header that may come more than once. */
  all(name: string): string[] {
    return this.lines()
      .filter(([key]) => key.toLowerCase() === name)
      .map(([, value]) => value);
  }

  /** As they came. */
  lines(): (readonly [name: string, value: string])[] {
    const lines: (readonly [string, string])[] = [];
    for (let i = 0; i + 1 < this.#raw.length; i += 2) lines.push([latin1(this.#raw[i]!), latin1(this.#raw[i + 1]!)]);
    return lines;
  }
}

const latin1 = (bytes: Uint8Array | string): string =>
  typeof bytes === 'string' ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

export interface TlsSettings {
  /** PEM texts. */
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly passphrase?: string;
  /** Takes any certificate of this host. */
  readonly insecure?: boolean;
}

export interface ClientSettings extends Limits {
  readonly agent: string;
  /** Requests at once to one origin. */
  readonly connections: number;
  /** By origin. */
  readonly headers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By host, or `*.domain`. */
  readonly tls?: Readonly<Record<string, TlsSettings>>;
  readonly http2?: boolean;
  /** `http://user:password@proxy:3128`; names are then resolved by the proxy, so the address guard is the proxy's. */
  readonly proxy?: string;
}

/** Where held bytes are counted; see fetch/budget.ts. */
export interface ByteCount {
  add(bytes: number): void;
}

/** Head of an answer, all lines together, bytes. */
const MAX_HEAD = 64 << 10;
/** A body that is not wanted but as short as this is read to its end: that keeps the connection. */
const READ_TO_END = 64 << 10;
const FIRST_PIECE = 16 << 10;
/** Clients kept at once; idle ones beyond it are closed, the longest unused first. */
const MAX_ORIGINS = 1024;

/** As much of a dispatcher as is used, with a handler of undici's older kind, which gets the raw head. */
interface Dispatch {
  dispatch(
    given: { origin: string; path: string; method: 'GET' | 'POST'; headers: string[]; body?: string },
    handler: LenientHandler & Dispatcher.DispatchHandler,
  ): unknown;
}

interface Origin {
  readonly dispatcher: Dispatcher;
  readonly headers: readonly string[];
  ip: string;
  /** Exchanges begun. */
  begun: number;
  open: number;
}

export class HttpClient {
  readonly #settings: ClientSettings;
  readonly #resolver: Resolver;
  readonly #deadlines: Deadlines;
  readonly #count: ByteCount;
  readonly #origins = new Map<string, Origin>();
  readonly #proxy: ProxyAgent | null;

  constructor(settings: ClientSettings, resolver: Resolver, deadlines: Deadlines, count: ByteCount = { add() {} }) {
    this.#settings = settings;
    this.#resolver = resolver;
    this.#deadlines = deadlines;
    this.#count = count;
    this.#proxy = settings.proxy ? new ProxyAgent({ uri: settings.proxy, ...this.#wire() }) : null;
  }

  /** Never rejects. */
  async get(request: Request): Promise<Answer> {
    const { url } = request;
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return failure('scheme-refused', `${url.protocol} is not fetched over the network`);
    if (this.#proxy === null) {
      const why = this.#resolver.refuse(url.hostname, url.hostname);
      if (why !== null) return failure('address-refused', why);
    }
    let origin: Origin;
    try {
      origin = this.#origin(url);
    } catch (error) {
      return failure('tls', `the TLS settings of ${url.host} do not fit: ${(error as Error).message}`);
    }
    const answer = await this.#exchange(origin, request);
    // A server may close an idle connection in the very moment we use it; that is no failure of the page.
    const stale = answer instanceof Broken && answer.stale && request.method !== 'POST';
    const last = stale ? await this.#exchange(origin, request) : answer;
    return last instanceof Broken ? last.failure : last;
  }

  /** Closes the connections of an origin that is done with. */
  forget(origin: string): void {
    const known = this.#origins.get(origin);
    if (!known || known.open > 0) return;
    this.#origins.delete(origin);
    if (known.dispatcher !== this.#proxy) void known.dispatcher.close();
  }

  /** Ends everything, also what is under way. */
  async close(): Promise<void> {
    const all = [...this.#origins.values()].map((origin) => origin.dispatcher);
    this.#origins.clear();
    if (this.#proxy) all.push(this.#proxy);
    await Promise.all([...new Set(all)].map((dispatcher) => dispatcher.destroy()));
  }

  async #exchange(origin: Origin, request: Request): Promise<Response | Broken> {
    origin.open++;
    const reused = origin.begun++ > 0;
    const exchange = new Exchange(request, { ...this.#settings, ...request.limits }, this.#deadlines, this.#count);
    try {
      if (request.lenient && this.#proxy === null) await exchange.run(this.#lenient(request.url), origin.headers);
      else await exchange.run(origin.dispatcher, origin.headers);
    } finally {
      origin.open--;
    }
    return exchange.answer(origin.ip, reused);
  }

  #lenient(url: URL): Dispatch {
    const own = tlsOf(this.#settings.tls ?? {}, url.hostname);
    const options: LenientOptions = {
      lookup: this.#resolver.lookup,
      secureContext: contextOf(own),
      insecure: own.insecure ?? false,
      maxHeaderSize: MAX_HEAD,
    };
    return { dispatch: (given, handler) => lenientDispatch(url, given, options, handler) };
  }

  #origin(url: URL): Origin {
    const known = this.#origins.get(url.origin);
    if (known) {
      this.#origins.delete(url.origin); // to the end of the order: used last
      this.#origins.set(url.origin, known);
      return known;
    }
    if (this.#origins.size >= MAX_ORIGINS)
      for (const [name, other] of this.#origins) {
        if (other.open > 0) continue;
        this.forget(name);
        break;
      }
    const headers = ['user-agent', this.#settings.agent, 'accept', ACCEPT, 'accept-encoding', ACCEPT_ENCODING];
    for (const [name, value] of Object.entries(this.#settings.headers[url.origin] ?? {})) headers.push(name, value);
    const made: { ip: string } = { ip: '' };
    const dispatcher = this.#proxy ?? this.#dispatcher(url, (ip) => (made.ip = ip));
    const origin: Origin = Object.assign(made, { dispatcher, headers, begun: 0, open: 0 });
    this.#origins.set(url.origin, origin);
    return origin;
  }

  #wire(): { headersTimeout: number; bodyTimeout: number; maxHeaderSize: number } {
    return { headersTimeout: 0, bodyTimeout: 0, maxHeaderSize: MAX_HEAD }; // our own watch keeps the time
  }

  #dispatcher(url: URL, onAddress: (ip: string) => void): Dispatcher {
    const { tls = {}, http2 = false, firstByteTimeout, connections } = this.#settings;
    const own = tlsOf(tls, url.hostname);
    const secureContext = contextOf(own);
    const connector = buildConnector({
      timeout: firstByteTimeout,
      allowH2: http2,
      lookup: this.#resolver.lookup,
      ...(secureContext === null ? {} : { secureContext }),
      ...(own.insecure ? { rejectUnauthorized: false } : {}),
    } as Parameters<typeof buildConnector>[0]);
    const connect: typeof connector = (options, callback) =>
      connector(options, (...outcome) => {
        const socket = outcome[1] as Socket | null;
        const address = socket?.remoteAddress ?? '';
        const why = socket ? this.#resolver.refuse(url.hostname, address) : null;
        if (socket && why !== null) {
          socket.destroy();
          callback(Object.assign(new Error(why), { code: ADDRESS_REFUSED }), null);
          return;
        }
        onAddress(address);
        callback(...outcome);
      });
    const options = { ...this.#wire(), connect, allowH2: http2, pipelining: 1 };
    return connections === 1 ? new Client(url.origin, options) : new Pool(url.origin, { ...options, connections });
  }
}

const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

function tlsOf(settings: Readonly<Record<string, TlsSettings>>, host: string): TlsSettings {
  const exact = settings[host];
  if (exact) return exact;
  for (const [name, own] of Object.entries(settings))
    if (name.startsWith('*.') && host.endsWith(name.slice(1))) return own;
  return {};
}

/** Made once an origin: reading the certificates anew for each connection costs milliseconds. Null: the usual one. */
function contextOf(own: TlsSettings): SecureContext | null {
  const { ca, cert, key, passphrase } = own;
  if (ca === undefined && cert === undefined && key === undefined) return null;
  return createSecureContext({
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(passphrase === undefined ? {} : { passphrase }),
  });
}

const failure = (reason: Reason, detail: string): Failure => ({
  kind: 'failure',
  reason,
  detail,
  ip: '',
  started: Date.now(),
  responseMs: 0,
});

/** A failure, and whether a connection that had been idle explains it. */
class Broken {
  readonly failure: Failure;
  readonly stale: boolean;

  constructor(failure: Failure, stale: boolean) {
    this.failure = failure;
    this.stale = stale;
  }
}

/** One request and what comes back; undici calls it, the deadlines watch it. */
class Exchange implements Watched {
  started = 0;
  bytes = -1;
  readonly limits: Limits;
  readonly #request: Request;
  readonly #deadlines: Deadlines;
  readonly #count: ByteCount;
  readonly #startedAt = Date.now();
  #sent = performance.now();
  #ended = 0;
  #head: Head | null = null;
  #buffer: Buffer | null = null;
  #used = 0;
  #cut: Response['cut'] = '';
  #error: Error | null = null;
  #overrun: Overrun | null = null;
  #abort: ((reason?: Error) => void) | null = null;
  #done: (() => void) | null = null;

  constructor(request: Request, limits: Limits, deadlines: Deadlines, count: ByteCount) {
    this.#request = request;
    this.limits = limits;
    this.#deadlines = deadlines;
    this.#count = count;
  }

  run(dispatcher: Dispatch, headers: readonly string[]): Promise<void> {
    const { url, method = 'GET', body, headers: more = [] } = this.#request;
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#deadlines.watch(this);
      try {
        dispatcher.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method,
            headers: [...headers, ...more],
            ...(body === undefined ? {} : { body }),
          },
          this,
        );
      } catch (error) {
        this.onError(error as Error);
      }
    });
  }

  end(why: Overrun): void {
    this.#overrun = why;
    this.#stop();
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abort = abort;
    this.#sent = performance.now();
    if (this.#ended !== 0) abort(new Error('given up before it was sent'));
  }

  onHeaders(status: number, raw: Buffer[], _resume: () => void, statusText: string): boolean {
    if (this.#ended !== 0) return true; // given up, and its buffer may serve another by now
    if (status < 200) return true; // an interim answer; the real one follows, or the first-byte deadline does
    this.bytes = 0;
    this.#head = new Head(status, statusText, raw);
    const length = Number(this.#head.get('content-length') || -1);
    if (this.#request.accept && !this.#request.accept(this.#head)) {
      this.#cut = 'refused';
      if (!(length >= 0 && length <= READ_TO_END)) this.#stop();
      return true;
    }
    const size = length >= 0 ? length : FIRST_PIECE;
    this.#grow(Math.min(size, this.limits.maxBody));
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#ended !== 0) return true;
    this.bytes += chunk.length;
    if (this.#cut === 'refused') {
      if (this.bytes > READ_TO_END) this.#stop();
      return true;
    }
    const room = this.limits.maxBody - this.#used;
    const take = Math.min(room, chunk.length);
    if (this.#used + take > this.#buffer!.length)
      this.#grow(Math.min(this.limits.maxBody, Math.max(this.#used + take, this.#buffer!.length * 2)));
    chunk.copy(this.#buffer!, this.#used, 0, take);
    this.#used += take;
    if (chunk.length > room) {
      this.#cut = 'length';
      this.#stop();
    }
    return true;
  }

  onComplete(): void {
    this.#finish();
  }

  onError(error: Error): void {
    this.#error ??= error;
    this.#finish();
  }

  /** We have what we want, or no longer want it. */
  #stop(): void {
    this.#finish();
    this.#abort?.(new Error('not wanted any more'));
  }

  #grow(size: number): void {
    const larger = takeBuffer(size);
    const before = this.#buffer;
    if (before) before.copy(larger, 0, 0, this.#used);
    this.#count.add(larger.length - (before?.length ?? 0));
    this.#buffer = larger;
    if (before) giveBuffer(before);
  }

  #finish(): void {
    if (this.#ended !== 0) return;
    this.#ended = performance.now();
    this.#deadlines.unwatch(this);
    this.#done!();
  }

  /** Called once, after `run`. */
  async answer(ip: string, reused: boolean): Promise<Response | Broken> {
    const responseMs = Math.max(0, Math.round(this.#ended - this.#sent));
    const common = { ip, started: this.#startedAt, responseMs };
    const head = this.#head;
    const broke = this.#overrun !== null || (this.#error !== null && this.#cut === '');
    if (broke && this.#request.keepPartial && head !== null && this.#used > 0 && this.#overrun === null)
      this.#cut = 'reset';
    else if (broke || head === null) {
      this.#release(this.#buffer?.length ?? 0);
      const [reason, detail] =
        this.#overrun === null
          ? reasonOf(this.#error, this.#request.url.hostname)
          : overrunReason(this.#overrun, this.limits);
      const failed: Failure = { kind: 'failure', reason, detail, ...common };
      return new Broken(failed, reused && head === null && reason === 'reset');
    }
    const buffer = this.#buffer;
    const raw = buffer ? buffer.subarray(0, this.#used) : EMPTY;
    let held = buffer?.length ?? 0;
    const text = /html|text|xml/i.test(head.get('content-type'));
    const decoded = await decodeBody(raw, head.get('content-encoding'), this.limits.maxBody, text);
    if (decoded.body !== raw) {
      this.#count.add(decoded.body.length);
      held += decoded.body.length;
    }
    return {
      kind: 'response',
      head,
      body: decoded.body,
      raw,
      cut: this.#cut === '' && decoded.truncated ? 'length' : this.#cut,
      problem: decoded.problem,
      undecodable: !decoded.ok,
      held,
      release: () => this.#release(held),
      ...common,
    };
  }

  #release(held: number): void {
    this.#count.add(-held);
    if (this.#buffer) giveBuffer(this.#buffer);
    this.#buffer = null;
  }
}

const EMPTY = Buffer.alloc(0);

/**
 * Buffers of bodies, used again: a buffer a page costs the collector more than the copy into it. By powers of two from
 * 16 KB to 256 KB, a few of each; larger ones come and go.
 */
const POOLED = 5;
const pooled: Buffer[][] = Array.from({ length: POOLED }, () => []);
const classOf = (size: number): number => Math.max(0, 32 - Math.clz32((size - 1) >> 14));

function takeBuffer(size: number): Buffer {
  const kind = classOf(size);
  if (kind >= POOLED) return Buffer.allocUnsafeSlow(size);
  return pooled[kind]!.pop() ?? Buffer.allocUnsafeSlow(FIRST_PIECE << kind);
}

function giveBuffer(buffer: Buffer): void {
  const kind = classOf(buffer.length);
  if (kind < POOLED && buffer.length === FIRST_PIECE << kind && pooled[kind]!.length < 8) pooled[kind]!.push(buffer);
}

function overrunReason(why: Overrun, limits: Limits): readonly [Reason, string] {
  switch (why) {
    case 'first-byte':
      return ['timeout', `no answer within ${limits.firstByteTimeout} ms`];
    case 'total':
      return ['timeout', `not complete within ${limits.timeout} ms`];
    case 'stalled':
      return ['timeout', `slower than ${limits.minRate} bytes a second`];
  }
}

const CODES: readonly (readonly [RegExp, Reason])[] = [
  [/^ADDRESS_REFUSED$/, 'address-refused'],
  [/^(?:ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED)/, 'dns'],
  [/^UND_ERR_CONNECT_TIMEOUT$/, 'connect'],
  [
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|EADDRNOTAVAIL|ETIMEDOUT|EACCES|EMFILE|ENFILE)$/,
    'connect',
  ],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET|UND_ERR_ABORTED|UND_ERR_INFO|UND_ERR_DESTROYED)$/, 'reset'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'reset'],
  [/^(?:HPE_|UND_ERR_HEADERS_OVERFLOW|ERR_HTTP2_|NGHTTP2_)/, 'protocol'],
  [/CERT|SELF_SIGNED|UNABLE_TO|^(?:ERR_TLS|ERR_SSL|EPROTO|CRL_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH|HOSTNAME)/, 'tls'],
];

/** Of an error of the platform: why, and a fragment that says it to people. */
function reasonOf(given: Error | null, host: string): readonly [Reason, string] {
  const inner = given instanceof AggregateError && given.errors[0] instanceof Error ? given.errors[0] : given;
  const error = inner as (Error & { code?: string }) | null;
  if (error === null) return ['reset', 'the connection ended without an answer'];
  const code = error.code ?? '';
  const reason =
    CODES.find(([pattern]) => pattern.test(code))?.[1] ?? (/parser/i.test(error.name) ? 'protocol' : 'reset');
  const message = `${error.message}${code && !error.message.includes(code) ? ` (${code})` : ''}`.slice(0, 500);
  if (reason !== 'tls') return [reason, message];
  return [reason, `the certificate of ${host}: ${message}; net.hosts may name a ca for it, or take it as it is`];
}
