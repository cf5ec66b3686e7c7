import { createHash, randomBytes } from 'node:crypto';
import type { LoginOptions } from '../options.ts';

/**
 * What proves who we are to one origin, and to no other: Basic and Digest (RFC 7617, RFC 7616) in answer to a challenge,
 * or a form that is sent once and leaves a cookie. Holds secrets in memory only; nothing of it goes into a record.
 */
export class Logins {
  readonly #options: Readonly<Record<string, LoginOptions>>;
  readonly #challenges = new Map<string, Challenge>();
  /** Origins whose form has been sent, and how often. */
  readonly #sent = new Map<string, number>();
  readonly #lost = new Set<string>();

  constructor(options: Readonly<Record<string, LoginOptions>>) {
    this.#options = options;
  }

  /** The Authorization header for a request; '' when the origin has asked for none, or gets none. */
  authorization(url: URL, method = 'GET'): string {
    const own = this.#own(url.origin);
    const challenge = this.#challenges.get(url.origin);
    if (own?.user === undefined || challenge === undefined) return '';
    const password = own.password ?? '';
    if (challenge.scheme === 'basic') return `Basic ${Buffer.from(`${own.user}:${password}`).toString('base64')}`;
    challenge.count++;
    return digest(challenge, own.user, password, method, url.pathname + url.search, randomBytes(8).toString('hex'));
  }

  /** A 401 came: true when we can answer its challenge, so that the request is worth another try. */
  challenged(url: URL, headers: readonly string[]): boolean {
    const own = this.#own(url.origin);
    if (own?.user === undefined) return false;
    const known = this.#challenges.get(url.origin);
    const found = challengesOf(headers);
    // The strongest that we know; a server names what it likes best first, but Basic gives the password away.
    const challenge = found.find((one) => one.scheme === 'digest') ?? found[0];
    if (challenge === undefined) return false;
    this.#challenges.set(url.origin, challenge);
    return known === undefined || challenge.scheme === 'digest';
  }

  /** The form to send before anything else of the origin is asked for; null: none, or sent. */
  form(origin: string): { readonly url: URL; readonly body: string } | null {
    const own = this.#own(origin);
    if (own?.form === undefined || (this.#sent.has(origin) && !this.#lost.has(origin))) return null;
    return { url: new URL(own.form, origin), body: new URLSearchParams(own.fields ?? {}).toString() };
  }

  formSent(origin: string): void {
    this.#sent.set(origin, (this.#sent.get(origin) ?? 0) + 1);
    this.#lost.delete(origin);
  }

  /** A page led to the login form: true when the form shall be sent again, since the session was lost. */
  sessionLost(origin: string, target: string): boolean {
    const own = this.#own(origin);
    if (own?.form === undefined || (this.#sent.get(origin) ?? 0) > MOST_LOGINS) return false;
    if (new URL(own.form, origin).pathname !== new URL(target).pathname) return false;
    this.#lost.add(origin);
    return true;
  }

  #own(origin: string): LoginOptions | undefined {
    return Object.hasOwn(this.#options, origin) ? this.#options[origin] : undefined;
  }
}

/** Logins to one origin in a round: a site that forgets us at every page must not be asked for ever. */
const MOST_LOGINS = 5;

export interface Challenge {
  readonly scheme: 'basic' | 'digest';
  readonly params: ReadonlyMap<string, string>;
  /** Uses of the nonce. */
  count: number;
}

/** The challenges of WWW-Authenticate lines that we can answer, in order. Several may share a line. */
export function challengesOf(lines: readonly string[]): Challenge[] {
  const found: Challenge[] = [];
  for (const line of lines)
    for (const [, scheme, rest] of line.matchAll(
      /(?:^|,)\s*(basic|digest)\b((?:[^"]|"(?:[^"\\]|\\.)*")*?)(?=,\s*[a-z-]+\s+[a-z-]+=|$)/gi,
    )) {
      const params = new Map<string, string>();
      for (const [, name, quoted, bare] of rest!.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g))
        params.set(name!.toLowerCase(), quoted === undefined ? bare! : quoted.replace(/\\(.)/g, '$1'));
      if (scheme!.toLowerCase() === 'basic') found.push({ scheme: 'basic', params, count: 0 });
      else if (params.has('nonce') && HASHES[algorithmOf(params)] !== undefined)
        found.push({ scheme: 'digest', params, count: 0 });
    }
  return found;
}

const HASHES: Readonly<Record<string, string>> = {
  md5: 'md5',
  'md5-sess': 'md5',
  'sha-256': 'sha256',
  'sha-256-sess': 'sha256',
};
const algorithmOf = (params: ReadonlyMap<string, string>): string => (params.get('algorithm') ?? 'md5').toLowerCase();

/** RFC 7616, 3.4; without qop as RFC 2069 had it. `cnonce`: ours, fresh for each request. */
export function digest(
  challenge: Challenge,
  user: string,
  password: string,
  method: string,
  uri: string,
  cnonce: string,
): string {
  const { params } = challenge;
  const algorithm = algorithmOf(params);
  const hash = (text: string): string => createHash(HASHES[algorithm]!).update(text).digest('hex');
  const realm = params.get('realm') ?? '';
  const nonce = params.get('nonce') ?? '';
  const qop = (params.get('qop') ?? '').split(/[\s,]+/).includes('auth') ? 'auth' : '';
  const nc = challenge.count.toString(16).padStart(8, '0');
  let secret = hash(`${user}:${realm}:${password}`);
  if (algorithm.endsWith('-sess')) secret = hash(`${secret}:${nonce}:${cnonce}`);
  const request = hash(`${method}:${uri}`);
  const response = qop
    ? hash(`${secret}:${nonce}:${nc}:${cnonce}:${qop}:${request}`)
    : hash(`${secret}:${nonce}:${request}`);
  const quote = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;
  const opaque = params.get('opaque');
  return [
    `Digest username=${quote(user)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(uri)}`,
    `response="${response}"`,
    ...(params.has('algorithm') ? [`algorithm=${params.get('algorithm')}`] : []),
    ...(opaque === undefined ? [] : [`opaque=${quote(opaque)}`]),
    ...(qop ? [`qop=${qop}`, `nc=${nc}`, `cnonce="${cnonce}"`] : []),
  ].join(', ');
}
