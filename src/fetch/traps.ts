/**
 * A detector for addresses that never end: a pattern of addresses (numbers, ids and parameter values taken out) that
 * keeps giving new addresses with the same text. What the limits on an address's shape cannot see (session ids in the
 * path, filters that filter nothing, soft 404s) shows in what comes back.
 *
 * A pattern caught is throttled: pages of it that are known are fetched, new links to it are refused with the reason
 * `trap`, and it is said once. Memory: bounded, some hundred bytes a pattern.
 */
export class TrapWatch {
  readonly #patterns = new Map<string, Pattern>();
  readonly #caught = new Set<string>();

  /** A page came. Answers the pattern when this page gives it away; null else. */
  saw(url: string, signature: Uint8Array): string | null {
    const name = patternOf(url);
    if (name === null || this.#caught.has(name)) return null;
    let pattern = this.#patterns.get(name);
    if (!pattern) {
      if (this.#patterns.size >= MOST_PATTERNS) this.#patterns.delete(this.#patterns.keys().next().value!);
      pattern = { pages: 0, texts: new Set() };
      this.#patterns.set(name, pattern);
    }
    pattern.pages++;
    // Four bytes of the digest tell some hundred texts apart well enough.
    pattern.texts.add(((signature[0]! << 24) | (signature[1]! << 16) | (signature[2]! << 8) | signature[3]!) >>> 0);
    if (pattern.texts.size > MOST_TEXTS) this.#patterns.delete(name); // it has things to say: begin anew
    if (pattern.pages < LEAST_PAGES || pattern.texts.size > pattern.pages * MOST_SHARE) return null;
    this.#patterns.delete(name);
    this.#caught.add(name);
    return name;
  }

  /** Whether any pattern is caught. */
  get any(): boolean {
    return this.#caught.size > 0;
  }

  /** True: a new address of this kind is not worth following. */
  caught(url: string): boolean {
    if (this.#caught.size === 0) return false;
    const name = patternOf(url);
    return name !== null && this.#caught.has(name);
  }
}

interface Pattern {
  pages: number;
  readonly texts: Set<number>;
}

const LEAST_PAGES = 50;
/** Share of different texts among the pages of a pattern, at or below which it is a trap. */
const MOST_SHARE = 0.1;
const MOST_TEXTS = 100;
const MOST_PATTERNS = 10_000;

/**
 * Host and path with what varies taken out: digits, long hexadecimal words, values of parameters. Null: nothing varies,
 * so it is one page and no pattern.
 *
 *     /list/2026/11?page=3&sort=up  ->  /list/#/#?page=&sort=
 */
export function patternOf(url: string): string | null {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  if (start < 0) return null;
  const query = url.indexOf('?', start);
  const path = url.slice(start, query < 0 ? undefined : query).replace(/[\da-f]{8,}|\d+/gi, '#');
  const names =
    query < 0
      ? ''
      : url
          .slice(query + 1)
          .split('&')
          .map((pair) => pair.split('=', 1)[0])
          .sort()
          .join('&');
  if (names === '' && !path.includes('#')) return null;
  return `${url.slice(0, start)}${path}?${names}`;
}
