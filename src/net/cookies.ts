/**
 * Cookies of one crawl, tolerant (RFC 6265, section 5) and narrow: a cookie goes back to the very host and port it came
 * from, never to a sub-domain or sibling. Kept in memory, bounded, gone with the round.
 */
interface Cookie {
  readonly value: string;
  readonly path: string;
  readonly secure: boolean;
}

const MAX_COOKIES = 50;
const MAX_LENGTH = 4096;
const MAX_HOSTS = 20_000;

export class CookieJar {
  readonly #hosts = new Map<string, Map<string, Cookie>>();

  /** Takes the Set-Cookie lines of an answer. True when what would be sent has changed. */
  take(url: URL, lines: readonly string[], now: number): boolean {
    let changed = false;
    for (const line of lines) {
      const [pair = '', ...attributes] = line.split(';');
      const equals = pair.indexOf('=');
      const name = pair.slice(0, equals).trim();
      const value = pair.slice(equals + 1).trim();
      if (equals < 1 || name === '' || pair.length > MAX_LENGTH || /[\0-\x08\x0a-\x1f\x7f]/.test(pair)) continue;
      let path = url.pathname.slice(0, Math.max(1, url.pathname.lastIndexOf('/')));
      let secure = false;
      let gone = false;
      let aged = false;
      for (const attribute of attributes) {
        const at = attribute.indexOf('=');
        const key = (at < 0 ? attribute : attribute.slice(0, at)).trim().toLowerCase();
        const text = at < 0 ? '' : attribute.slice(at + 1).trim();
        if (key === 'path' && text.startsWith('/')) path = text;
        else if (key === 'secure') secure = true;
        else if (key === 'max-age' && /^-?\d+$/.test(text)) {
          aged = true;
          gone = Number(text) <= 0;
        } else if (key === 'expires' && !aged) {
          const expires = Date.parse(text);
          if (Number.isFinite(expires)) gone = expires <= now; // unreadable: kept for the session
        }
      }
      changed = this.#put(url.host, name, gone ? null : { value, path, secure }) || changed;
    }
    return changed;
  }

  #put(host: string, name: string, cookie: Cookie | null): boolean {
    let jar = this.#hosts.get(host);
    if (!jar) {
      if (cookie === null) return false;
      if (this.#hosts.size >= MAX_HOSTS) this.#hosts.delete(this.#hosts.keys().next().value!);
      jar = new Map();
      this.#hosts.set(host, jar);
    }
    const id = cookie ? `${name}\n${cookie.path}` : [...jar.keys()].find((key) => key.startsWith(`${name}\n`));
    if (id === undefined) return false;
    if (cookie === null) return jar.delete(id);
    const before = jar.get(id);
    if (!before && jar.size >= MAX_COOKIES) jar.delete(jar.keys().next().value!);
    jar.set(id, cookie);
    return before?.value !== cookie.value;
  }

  /** The Cookie header for a request; '' when there is nothing to send. */
  header(url: URL): string {
    const jar = this.#hosts.get(url.host);
    if (!jar) return '';
    const fitting: [string, Cookie][] = [];
    for (const [id, cookie] of jar) {
      if (cookie.secure && url.protocol !== 'https:') continue;
      const { path } = cookie;
      const below =
        url.pathname.startsWith(path) && (path.endsWith('/') || /^\/?$/.test(url.pathname.charAt(path.length)));
      if (below) fitting.push([id.slice(0, id.indexOf('\n')), cookie]);
    }
    fitting.sort((a, b) => b[1].path.length - a[1].path.length);
    return fitting.map(([name, cookie]) => `${name}=${cookie.value}`).join('; ');
  }
}
