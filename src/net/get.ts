import type { Socket } from 'node:net';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { buildConnector, Client, type Dispatcher, Pool, ProxyAgent } from 'undici';
import type { Reason } from '../page/reason.ts';
import { ACCEPT_ENCODING } from './decode.ts';
import { Broken, type ByteCount, type Dispatch, Exchange } from './exchange.ts';
import { Files } from './file.ts';
import { type LenientOptions, lenientDispatch } from './lenient.ts';
import type { Deadlines, Limits } from './limit.ts';
import type { Answer, Failure, Request, Response } from './message.ts';
import { ADDRESS_REFUSED, type Resolver } from './resolve.ts';

export type { ByteCount } from './exchange.ts';
export { type Answer, type Failure, Head, type Request, type Response } from './message.ts';

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
  /** The same for a host that differs. */
  readonly connectionsOf?: (host: string) => number;
  /** By origin. */
  readonly headers: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** By host, or `*.domain`. */
  readonly tls?: Readonly<Record<string, TlsSettings>>;
  readonly http2?: boolean;
  /** ms since the epoch; the clock of the machine when absent. */
  readonly clock?: () => number;
  /** Folders whose files may be read, as addresses that end in a slash; absent: none. */
  readonly roots?: readonly string[];
  /** `http://user:password@proxy:3128`; names are then resolved by the proxy, so the address guard is the proxy's. */
  readonly proxy?: string;
}

/** Head of an answer, all lines together, bytes. */
const MAX_HEAD = 64 << 10;
/** Clients kept at once; idle ones beyond it are closed, the longest unused first. */
const MAX_ORIGINS = 1024;

interface Origin {
  readonly dispatcher: Dispatcher;
  readonly headers: readonly string[];
  ip: string;
  /** Exchanges begun. */
  begun: number;
  open: number;
}

/**
 * One verb: ask for one URL, get one answer, over the wire or from the disk (file.ts). Nothing is thrown for what a server does; a failure is an
 * answer with a reason. Redirects are not followed, robots.txt is not asked, no delay is kept: those are decisions, and
 * decisions are the caller's.
 *
 * Cost: 0.07 CPU s per 1,000 small answers (undici `dispatch` with a handler of ours; `fetch` costs 0.52).
 */
export class HttpClient {
  readonly #settings: ClientSettings;
  readonly #resolver: Resolver;
  readonly #deadlines: Deadlines;
  readonly #count: ByteCount;
  readonly #origins = new Map<string, Origin>();
  readonly #proxy: ProxyAgent | null;
  readonly #files: Files;
  readonly #clock: () => number;

  constructor(settings: ClientSettings, resolver: Resolver, deadlines: Deadlines, count: ByteCount = { add() {} }) {
    this.#settings = settings;
    this.#resolver = resolver;
    this.#deadlines = deadlines;
    this.#count = count;
    this.#clock = settings.clock ?? Date.now;
    this.#files = new Files(settings.roots ?? [], count, this.#clock);
    this.#proxy = settings.proxy ? new ProxyAgent({ uri: settings.proxy, ...this.#wire() }) : null;
  }

  /** Never rejects. */
  async get(request: Request): Promise<Answer> {
    const { url } = request;
    if (url.protocol === 'file:') return this.#files.get(request, request.limits?.maxBody ?? this.#settings.maxBody);
    if (url.protocol !== 'http:' && url.protocol !== 'https:')
      return this.#failure('scheme-refused', `${url.protocol} is not fetched over the network`);
    // An origin that is known was let through before; what its socket connects to is looked at again in any case.
    if (this.#proxy === null && !this.#origins.has(url.origin)) {
      const why = this.#resolver.refuse(url.hostname, url.hostname);
      if (why !== null) return this.#failure('address-refused', why);
    }
    let origin: Origin;
    try {
      origin = this.#origin(url);
    } catch (error) {
      return this.#failure('tls', `the TLS settings of ${url.host} do not fit: ${(error as Error).message}`);
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

  #failure(reason: Reason, detail: string): Failure {
    return { kind: 'failure', reason, detail, ip: '', started: this.#clock(), responseMs: 0 };
  }

  async #exchange(origin: Origin, request: Request): Promise<Response | Broken> {
    origin.open++;
    const reused = origin.begun++ > 0;
    const exchange = new Exchange(
      request,
      request.limits ? { ...this.#settings, ...request.limits } : this.#settings,
      this.#deadlines,
      this.#count,
      this.#clock(),
    );
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
    const headers = [...ownHeaders(this.#settings.agent)];
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
    const most = this.#settings.connectionsOf?.(url.hostname) ?? connections;
    return most === 1 ? new Client(url.origin, options) : new Pool(url.origin, { ...options, connections: most });
  }
}

/** What every request says, names and values in turn. */
export const ownHeaders = (agent: string): readonly string[] => [
  'user-agent',
  agent,
  'accept',
  ACCEPT,
  'accept-encoding',
  ACCEPT_ENCODING,
];
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
