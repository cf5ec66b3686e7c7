/** What no address begins with. */
const ESCAPED = Buffer.from('&');
/** Folders whose numbers are remembered; none is given twice. */
const MOST_NUMBERS = 4096;
/** A longer one goes the long way. */
const LONGEST_BASE = 2048;

/**
 * What the links of a page are resolved against, in bytes. `relative` and `absolute` say whether a link is sure to lead to
 * `length` bytes of `head` and then its own from `from` to `to`, whose `hash` is ready.
 *
 * If it is `escaped`, the same bytes always lead to the same address, but not to what they say: there are references in
 * it (`?a=1&amp;b=2`).
 */
export class Base {
  plain = false;
  head: Uint8Array = ESCAPED;
  length = 0;
  /** The same for the same bytes of `head` alone; -1: not given. */
  number = -1;
  escaped = false;
  from = 0;
  to = 0;
  hash = 0;
  #base = '';
  /** Of the last that was plain: scheme, authority and the slash after them, which lie in `#bytes`. */
  #origin = '';
  #originEnd = 0;
  #folderEnd = 0;
  /** Whether the folder itself has an ampersand. */
  #ampersand = false;
  readonly #bytes = Buffer.allocUnsafeSlow(LONGEST_BASE);
  /** Of as many bytes. */
  readonly #hashOf = new Int32Array(LONGEST_BASE + 1);
  readonly #numberOf = new Int32Array(LONGEST_BASE + 1);
  readonly #numbers = new Map<string, number>();
  #given = 0;

  set(base: string): void {
    if (base === this.#base) return;
    this.#base = base;
    if (this.#sameSite(base)) return;
    this.plain = /^https?:\/\//.test(base) && URL.canParse(base) && new URL(base).href === base;
    const query = base.search(/[?#]/);
    const folder = base.slice(0, base.lastIndexOf('/', query < 0 ? base.length : query) + 1);
    if (folder.length > LONGEST_BASE) this.plain = false;
    if (!this.plain) return;
    this.#folderEnd = this.#bytes.write(folder, 'latin1');
    this.#originEnd = folder.indexOf('/', 8);
    this.#origin = folder.slice(0, this.#originEnd + 1);
    this.#ampersand = folder.includes('&');
    let hash = SEED;
    for (let i = 0; i < this.#folderEnd; i++) {
      this.#hashOf[i] = hash;
      hash = step(hash, this.#bytes[i]!);
    }
    this.#hashOf[this.#folderEnd] = hash;
    this.#numberOf.fill(-1, 0, this.#folderEnd + 1);
  }

  /** A base with the origin of the last one and a path of plain signs is plain too: `URL` need not be asked of each page. */
  #sameSite(base: string): boolean {
    const from = this.#origin.length;
    if (from === 0 || base.length > LONGEST_BASE || !base.startsWith(this.#origin)) return false;
    let folderEnd = from;
    let hash = this.#hashOf[from]!;
    for (let i = from; i < base.length; i++) {
      const c = base.charCodeAt(i);
      if (c > 127) return false;
      this.#bytes[i] = c;
      this.#hashOf[i] = hash;
      hash = step(hash, c);
      if (c === SLASH) folderEnd = i + 1;
      else if (SIGNS[c] !== PLAIN && (c !== DOT || this.#bytes[i - 1] === SLASH)) return false;
    }
    this.#hashOf[base.length] = hash;
    this.#numberOf.fill(-1, 0, folderEnd + 1);
    this.#folderEnd = folderEnd;
    this.#ampersand = false;
    this.plain = true;
    return true;
  }

  /** As createResolve (resolve.ts) is sure: only a path, without segments that a dot begins, without escapes. */
  relative(page: Uint8Array, from: number, to: number): boolean {
    const first = page[from]!;
    let at = from;
    let length = this.#folderEnd;
    /** A colon in the first segment may end a scheme; after `../` or `/` it cannot. */
    let scheme = false;
    if (first === SLASH) {
      if (page[from + 1] === SLASH && from + 1 < to) return false;
      length = this.#originEnd;
    } else {
      while (at + 2 < to && page[at] === DOT && page[at + 1] === DOT && page[at + 2] === SLASH) {
        at += 3;
        // Up from `/` leads to `/`.
        if (length > this.#originEnd + 1) {
          length--;
          while (this.#bytes[length - 1] !== SLASH) length--;
        }
      }
      scheme = at === from;
      if (scheme && first === QUERY) return false;
    }
    let hash = this.#hashOf[length]!;
    let path = true;
    let before = SLASH;
    this.head = this.#bytes;
    this.length = length;
    this.number = this.#numberOf[length]!;
    if (this.number < 0) this.number = this.#numberOf[length] = this.#numberFor(this.#base.slice(0, length));
    this.escaped = false;
    this.from = at;
    for (; at < to; at++) {
      const c = page[at]!;
      if (SIGNS[c] !== PLAIN) {
        if (c === HASH) {
          if (isBang(page, at, to)) return false;
          break;
        }
        if (c === QUERY) path = scheme = false;
        else if (c === COLON) {
          if (scheme) return false;
        } else if (c === DOT) {
          if (path && before === SLASH) return false;
        } else if (c === SLASH) scheme = false;
        else if (path) return false;
        // In a query, a reference stands for what it stands for wherever the folder ends.
        else if (c === AMP) return !this.#ampersand && this.#escaped(page, at, to, hash);
        else if (c !== PERCENT) return false;
      }
      before = c;
      hash = step(hash, c);
    }
    this.to = at;
    this.hash = hash;
    return true;
  }

  #numberFor(folder: string): number {
    let number = this.#numbers.get(folder);
    if (number === undefined) {
      if (this.#numbers.size >= MOST_NUMBERS) this.#numbers.clear();
      number = this.#given++;
      this.#numbers.set(folder, number);
    }
    return number;
  }

  /** What begins with `http://` or `https://` and has only visible ASCII leads where it says, whatever the base. */
  absolute(page: Uint8Array, from: number, to: number): boolean {
    let hash = SEED;
    let at = from;
    this.head = this.#bytes;
    this.length = 0;
    this.number = -1;
    this.escaped = false;
    this.from = from;
    for (; at < to; at++) {
      const c = page[at]!;
      if (c === HASH) {
        if (isBang(page, at, to)) return false;
        break;
      }
      if (c === AMP) {
        // Apart from addresses, which begin otherwise: one may say what this only means, or mean what this says.
        this.head = ESCAPED;
        this.length = ESCAPED.length;
        return this.#escaped(page, at, to, hash);
      }
      if (c <= 32 || c >= 127) return false;
      hash = step(hash, c);
    }
    this.to = at;
    this.hash = hash;
    return true;
  }

  /** The rest of a link, from its first ampersand on. A `#` may belong to a reference, so a fragment is not cut off. */
  #escaped(page: Uint8Array, from: number, to: number, before: number): boolean {
    let hash = before;
    for (let at = from; at < to; at++) {
      const c = page[at]!;
      if (c <= 32 || c >= 127) return false;
      hash = step(hash, c);
    }
    this.escaped = true;
    this.to = to;
    this.hash = hash;
    return true;
  }
}

export function isAbsolute(page: Uint8Array, from: number, to: number): boolean {
  if (page[from] !== 104 || to - from < 8 || page[from + 1] !== 116 || page[from + 2] !== 116 || page[from + 3] !== 112)
    return false;
  const colon = page[from + 4] === 115 ? from + 5 : from + 4;
  return page[colon] === COLON && page[colon + 1] === SLASH && page[colon + 2] === SLASH;
}

/** Whether the fragment that begins at `at` may be of that kind: also by a reference, or behind blanks that `URL` drops. */
export function isBang(page: Uint8Array, at: number, to: number): boolean {
  const next = at + 1 < to ? page[at + 1]! : 0x7f;
  return next === BANG || next === AMP || next <= 32;
}

/** FNV-1a, a byte a step. */
const SEED = 0x811c9dc5 | 0;
const step = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);

/** The hash of an address, as `Base` has that of a link. */
export function hashOf(address: Uint8Array): number {
  let hash = SEED;
  for (let i = 0; i < address.length; i++) hash = step(hash, address[i]!);
  return hash;
}

const BANG = 33;
const HASH = 35;
const PERCENT = 37;
const AMP = 38;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const QUERY = 63;
/** What createResolve takes for plain in path, query and fragment; the ampersand may begin a reference here. */
const SIGNS = new Uint8Array(256);
const PLAIN = 1;
for (const sign of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_~!$()*+,;=@')
  SIGNS[sign.charCodeAt(0)] = PLAIN;
