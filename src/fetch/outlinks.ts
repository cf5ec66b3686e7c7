import { ByteWriter } from '../../index/io/bytes.ts';
import type { Reason } from '../page/reason.ts';
import { beginPageLinks, type PageLinks } from '../page/segment.ts';
import type { RawLinks } from '../parse/raw-links.ts';
import type { Admit, Admitted } from '../url/admit.ts';
import { isFile, leadsInside } from '../url/files.ts';
import { keyOf } from '../url/key.ts';
import { createResolve } from '../url/resolve.ts';
import { MOST_ANCHORS, NOFOLLOW } from './parts.ts';

/**
 * The links of a page, from where they stand in it to the bytes that crawl_parse keeps, without a string of any that was
 * met before. The answer is that of parsePage, partsOf and encodePageLinks one after the other; a test holds it to that.
 *
 * The links of a site are few and stand on every page. So an address is taken as bytes (the folder of the page, then what
 * the link says, where `URL` would do no more than join them) and looked up among all that were asked so far: what the gate
 * said of it, and its key, lie ready. Other links go the long way.
 * Cost: 0.2 us a link instead of 2. Memory: some 300 bytes an address, bounded by starting over.
 */
export class Outlinks {
  readonly #gate: Admit;
  readonly #known = new Addresses();
  /** Of an address that is admitted, itself mostly: the address as which it is. REFUSED: it is not. UNASKED. */
  readonly #target = new Column();
  /** Of what stood in a page otherwise than `URL` writes it: the address. NO_ADDRESS: it is none. UNASKED: itself. */
  readonly #alias = new Column();
  /** The last page that asked for it, and its place among that page's links; as asked, and as admitted. */
  readonly #asked = new Column();
  readonly #askedAt = new Column();
  readonly #met = new Column();
  readonly #metAt = new Column();
  /** Of one that others are admitted as: itself, and its key with the length before it, as crawl_parse has it. */
  readonly #urls: string[] = [];
  readonly #keys: Uint8Array[] = [];
  readonly #reasons: Reason[] = [];

  #page = 0;
  readonly #base = new Base();
  // The links of the page at hand: address, whether all ask not to be followed, where their texts stand in `anchors`.
  #count = 0;
  readonly #address = new Column();
  readonly #nofollow = new Column();
  readonly #texts = new Column();
  readonly #textFrom = new Column();
  readonly #textTo = new Column();
  readonly #anchors = new ByteWriter(1 << 14);
  readonly #out = new ByteWriter(1 << 14);

  /** @param gate its answers depend on nothing but the address */
  constructor(gate: Admit) {
    this.#gate = gate;
  }

  /** The gate, asked once for each address that it admits: links of a site are repeated on every page. */
  readonly admit: Admit = (url, base): Admitted => {
    if (base !== undefined) return this.#gate(url, base);
    this.#bound();
    const target = this.#targetOf(this.#idOf(url));
    // Which rule refuses it is not kept.
    return target === REFUSED ? this.#gate(url) : { url: this.#urls[target]! };
  };

  /**
   * Encodes the links of a page.
   * @param url the page, which is no link of itself @param base what its links are resolved against
   * @param trapped whether an address that is admitted is refused all the same
   * @param rejected called for each address that is refused
   */
  encode(
    raw: RawLinks,
    url: string,
    base: string,
    facts: Omit<PageLinks, 'links'>,
    trapped: ((url: string) => boolean) | null,
    rejected: (reason: Reason) => void,
  ): Uint8Array {
    this.#bound();
    this.#page++;
    this.#count = 0;
    this.#anchors.reset();
    const self = this.#idOf(url);
    this.#asked.set(self, this.#page);
    this.#askedAt.set(self, NO_LINK);
    this.#met.set(self, this.#page);
    this.#metAt.set(self, NO_LINK);
    this.#base.set(base);
    const own = base === url && !url.includes('#');
    let resolve: ((href: string) => string) | null = null;
    for (let link = 0; link < raw.count; link++) {
      let id = this.#lookUp(raw.page, raw.hrefFrom[link]!, raw.hrefTo[link]!, own);
      if (id === UNSURE) {
        resolve ??= createResolve(base);
        const address = resolve(raw.href(link));
        id = address === '' ? NO_ADDRESS : this.#idOf(withoutFragment(address));
      }
      if (id === NO_ADDRESS) continue;
      let at: number;
      if (this.#asked.of[id] === this.#page) at = this.#askedAt.of[id]!;
      else {
        at = this.#ask(id, url, trapped, rejected);
        this.#asked.set(id, this.#page);
        this.#askedAt.set(id, at);
      }
      if (at !== NO_LINK) this.#add(at, raw, link);
    }
    return this.#written(facts);
  }

  /** Starts over when enough is known: what was found out of an address can be found out again. Between pages only. */
  #bound(): void {
    if (!this.#known.full) return;
    this.#known.clear();
    for (const column of [this.#target, this.#alias, this.#asked, this.#askedAt, this.#met, this.#metAt])
      column.clear();
    this.#urls.length = this.#keys.length = this.#reasons.length = 0;
  }

  /** The address an attribute's value leads to, NO_ADDRESS (also for a place in the page itself), or UNSURE: ask `URL`. */
  #lookUp(page: Buffer, from: number, to: number, own: boolean): number {
    const base = this.#base;
    if (from === to || !base.plain) return UNSURE;
    if (page[from] === HASH) return own && !isBang(page, from, to) ? NO_ADDRESS : UNSURE;
    const absolute = isAbsolute(page, from, to);
    if (!(absolute ? base.absolute(page, from, to) : base.relative(page, from, to))) return UNSURE;
    let id = this.#known.find(base.bytes, base.length, page, base.from, base.to, base.hash);
    if (id < 0) {
      const written = page.toString('latin1', base.from, base.to);
      id = this.#known.add(base.bytes, base.length, page, base.from, base.to, base.hash);
      this.#unknown(id);
      if (absolute) this.#alias.set(id, this.#aliasOf(written));
    }
    const alias = this.#alias.of[id]!;
    return alias === UNASKED ? id : alias;
  }

  /** An absolute address means the same on every page, but may be written in many ways. */
  #aliasOf(written: string): number {
    if (!URL.canParse(written)) return NO_ADDRESS;
    const address = withoutFragment(new URL(written).href);
    return address === written ? UNASKED : this.#idOf(address);
  }

  #idOf(address: string): number {
    const bytes = Buffer.from(address);
    let hash = SEED;
    for (let i = 0; i < bytes.length; i++) hash = step(hash, bytes[i]!);
    let id = this.#known.find(bytes, 0, bytes, 0, bytes.length, hash);
    if (id < 0) {
      id = this.#known.add(bytes, 0, bytes, 0, bytes.length, hash);
      this.#unknown(id);
    }
    return id;
  }

  #unknown(id: number): void {
    this.#target.set(id, UNASKED);
    this.#alias.set(id, UNASKED);
    this.#asked.set(id, 0);
    this.#met.set(id, 0);
  }

  #targetOf(id: number): number {
    const known = this.#target.of[id]!;
    if (known !== UNASKED) return known;
    const admitted = this.#gate(this.#known.text(id));
    if (admitted.url === null) {
      this.#reasons[id] = admitted.reason;
      this.#target.set(id, REFUSED);
      return REFUSED;
    }
    const target = this.#idOf(admitted.url);
    this.#urls[target] ??= admitted.url;
    this.#target.set(id, target);
    return target;
  }

  /** The first link of the page `from` to an address: its place among the links, NO_LINK. */
  #ask(
    id: number,
    from: string,
    trapped: ((url: string) => boolean) | null,
    rejected: (reason: Reason) => void,
  ): number {
    const target = this.#targetOf(id);
    if (target === REFUSED) {
      rejected(this.#reasons[id]!);
      return NO_LINK;
    }
    const url = this.#urls[target]!;
    const inside = isFile(url) && leadsInside(from, url);
    if (inside || trapped?.(url)) {
      rejected(inside ? 'scheme-refused' : 'trap');
      return NO_LINK;
    }
    if (this.#met.of[target] === this.#page) return this.#metAt.of[target]!;
    const at = this.#count++;
    this.#met.set(target, this.#page);
    this.#metAt.set(target, at);
    this.#address.set(at, target);
    this.#nofollow.set(at, 1);
    this.#texts.set(at, 0);
    return at;
  }

  /** As `addLink` of parts.ts: followed when one of them is, with their different texts. */
  #add(at: number, raw: RawLinks, link: number): void {
    if (this.#nofollow.of[at] === 1) {
      const rel = raw.rel[link]!;
      if (rel === '' || !NOFOLLOW.test(rel)) this.#nofollow.set(at, 0);
    }
    const texts = this.#texts.of[at]!;
    if (texts >= MOST_ANCHORS) return;
    const anchors = this.#anchors;
    const from = anchors.length;
    raw.writeAnchor(link, anchors);
    const to = anchors.length;
    if (from === to) return;
    for (let i = 0; i < texts; i++) {
      const before = at * MOST_ANCHORS + i;
      if (same(anchors.data, this.#textFrom.of[before]!, this.#textTo.of[before]!, from, to)) {
        anchors.length = from;
        return;
      }
    }
    this.#textFrom.set(at * MOST_ANCHORS + texts, from);
    this.#textTo.set(at * MOST_ANCHORS + texts, to);
    this.#texts.set(at, texts + 1);
  }

  #written(facts: Omit<PageLinks, 'links'>): Uint8Array {
    const out = this.#out;
    beginPageLinks(out, facts, this.#count);
    for (let at = 0; at < this.#count; at++) {
      out.raw(this.#keyOf(this.#address.of[at]!));
      const texts = this.#texts.of[at]!;
      let length = Math.max(0, texts - 1);
      for (let i = at * MOST_ANCHORS; i < at * MOST_ANCHORS + texts; i++)
        length += this.#textTo.of[i]! - this.#textFrom.of[i]!;
      out.varint(length * 2 + this.#nofollow.of[at]!);
      out.reserve(length);
      for (let i = 0; i < texts; i++) {
        if (i > 0) out.u8(10);
        const from = this.#textFrom.of[at * MOST_ANCHORS + i]!;
        const to = this.#textTo.of[at * MOST_ANCHORS + i]!;
        out.length = copied(this.#anchors.data, from, to, out.data, out.length);
      }
    }
    return out.finish();
  }

  #keyOf(target: number): Uint8Array {
    let key = this.#keys[target];
    if (key === undefined) {
      const out = new ByteWriter(128);
      out.string(keyOf(this.#urls[target]!));
      key = this.#keys[target] = out.finish();
    }
    return key;
  }
}

/** What stands where an address would: not asked for yet; not admitted; none; not sure; and among links: none. */
const UNASKED = -1;
const REFUSED = -2;
const NO_ADDRESS = -3;
const UNSURE = -4;
const NO_LINK = -1;

/** Addresses known at once, and bytes of them. */
const MOST_ADDRESSES = 50_000;
const MOST_BYTES = 8 << 20;

/** Integers by address or by link, as many as there are. */
class Column {
  of = new Int32Array(1024);

  set(at: number, value: number): void {
    if (at >= this.of.length) {
      const larger = new Int32Array(Math.max(at + 1, this.of.length * 2));
      larger.set(this.of);
      this.of = larger;
    }
    this.of[at] = value;
  }

  clear(): void {
    this.of = new Int32Array(1024);
  }
}

/** Addresses by their bytes: a table of slots, and all bytes in one piece. Numbers are given from 0. */
class Addresses {
  #count = 0;
  #slots = new Int32Array(4096).fill(-1);
  #bytes = Buffer.allocUnsafeSlow(1 << 18);
  #used = 0;
  readonly #hash = new Column();
  readonly #from = new Column();
  readonly #to = new Column();

  get full(): boolean {
    return this.#count > MOST_ADDRESSES || this.#used > MOST_BYTES;
  }

  clear(): void {
    this.#count = this.#used = 0;
    this.#slots = new Int32Array(4096).fill(-1);
    this.#bytes = Buffer.allocUnsafeSlow(1 << 18);
    for (const column of [this.#hash, this.#from, this.#to]) column.clear();
  }

  text(id: number): string {
    return this.#bytes.toString('utf8', this.#from.of[id]!, this.#to.of[id]!);
  }

  /** The address that is `length` bytes of `head` and then `tail` from `from` to `to`; -1: not known. */
  find(head: Uint8Array, length: number, tail: Uint8Array, from: number, to: number, hash: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let slot = place(hash) & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]!;
      if (id < 0) return -1;
      if (this.#hash.of[id] === hash && this.#is(id, head, length, tail, from, to)) return id;
    }
  }

  #is(id: number, head: Uint8Array, length: number, tail: Uint8Array, from: number, to: number): boolean {
    const bytes = this.#bytes;
    let at = this.#from.of[id]!;
    if (this.#to.of[id]! - at !== length + to - from) return false;
    // From the end: where addresses differ, they do so there.
    const start = at + length;
    for (let i = to - 1; i >= from; i--) if (bytes[start + i - from] !== tail[i]) return false;
    for (let i = 0; i < length; i++) if (bytes[at++] !== head[i]) return false;
    return true;
  }

  add(head: Uint8Array, length: number, tail: Uint8Array, from: number, to: number, hash: number): number {
    const id = this.#count++;
    const size = length + to - from;
    if (this.#used + size > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(this.#used + size, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    this.#from.set(id, this.#used);
    this.#used = copied(head, 0, length, this.#bytes, this.#used);
    this.#used = copied(tail, from, to, this.#bytes, this.#used);
    this.#to.set(id, this.#used);
    this.#hash.set(id, hash);
    if (this.#count * 2 > this.#slots.length) this.#rehash();
    else this.#put(id);
    return id;
  }

  #put(id: number): void {
    const mask = this.#slots.length - 1;
    let slot = place(this.#hash.of[id]!) & mask;
    while (this.#slots[slot]! >= 0) slot = (slot + 1) & mask;
    this.#slots[slot] = id;
  }

  #rehash(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let id = 0; id < this.#count; id++) this.#put(id);
  }
}

/** A longer one goes the long way. */
const LONGEST_BASE = 2048;

/**
 * What the links of a page are resolved against, in bytes. `relative` and `absolute` say whether a link is sure to lead to
 * `length` bytes of `bytes` and then its own from `from` to `to`, whose `hash` is ready.
 */
class Base {
  plain = false;
  readonly bytes = Buffer.allocUnsafeSlow(LONGEST_BASE);
  length = 0;
  from = 0;
  to = 0;
  hash = 0;
  #base = '';
  #originEnd = 0;
  #folderEnd = 0;
  /** Of as many bytes. */
  readonly #hashOf = new Int32Array(LONGEST_BASE + 1);

  set(base: string): void {
    if (base === this.#base) return;
    this.#base = base;
    this.plain = /^https?:\/\//.test(base) && URL.canParse(base) && new URL(base).href === base;
    const query = base.search(/[?#]/);
    const folder = base.slice(0, base.lastIndexOf('/', query < 0 ? base.length : query) + 1);
    if (folder.length > LONGEST_BASE) this.plain = false;
    if (!this.plain) return;
    this.#folderEnd = this.bytes.write(folder, 'latin1');
    this.#originEnd = folder.indexOf('/', 8);
    let hash = SEED;
    for (let i = 0; i < this.#folderEnd; i++) {
      this.#hashOf[i] = hash;
      hash = step(hash, this.bytes[i]!);
    }
    this.#hashOf[this.#folderEnd] = hash;
  }

  /** As createResolve (url/resolve.ts) is sure: only a path, without segments that a dot begins, without escapes. */
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
          while (this.bytes[length - 1] !== SLASH) length--;
        }
      }
      scheme = at === from;
      if (scheme && first === QUERY) return false;
    }
    let hash = this.#hashOf[length]!;
    let path = true;
    let before = SLASH;
    this.length = length;
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
        else if (c !== PERCENT || path) return false;
      }
      before = c;
      hash = step(hash, c);
    }
    this.to = at;
    this.hash = hash;
    return true;
  }

  /** What begins with `http://` or `https://` and has only visible ASCII, without references, leads where it says. */
  absolute(page: Uint8Array, from: number, to: number): boolean {
    let hash = SEED;
    let at = from;
    for (; at < to; at++) {
      const c = page[at]!;
      if (c === HASH) {
        if (isBang(page, at, to)) return false;
        break;
      }
      if (c <= 32 || c >= 127 || c === AMP) return false;
      hash = step(hash, c);
    }
    this.length = 0;
    this.from = from;
    this.to = at;
    this.hash = hash;
    return true;
  }
}

function isAbsolute(page: Uint8Array, from: number, to: number): boolean {
  if (page[from] !== 104 || to - from < 8 || page[from + 1] !== 116 || page[from + 2] !== 116 || page[from + 3] !== 112)
    return false;
  const colon = page[from + 4] === 115 ? from + 5 : from + 4;
  return page[colon] === COLON && page[colon + 1] === SLASH && page[colon + 2] === SLASH;
}

function same(data: Uint8Array, from: number, to: number, otherFrom: number, otherTo: number): boolean {
  if (to - from !== otherTo - otherFrom) return false;
  for (let i = from, j = otherFrom; i < to; i++, j++) if (data[i] !== data[j]) return false;
  return true;
}

/** Byte by byte: these are short, and a call into native code costs more. Answers where it ended. */
function copied(from: Uint8Array, start: number, end: number, into: Uint8Array, at: number): number {
  let to = at;
  for (let i = start; i < end; i++) into[to++] = from[i]!;
  return to;
}

/** As partsOf has it: `#!` may stand for a page of its own. */
function withoutFragment(url: string): string {
  const fragment = url.indexOf('#');
  return fragment < 0 || url.charCodeAt(fragment + 1) === BANG ? url : url.slice(0, fragment);
}
/** Whether the fragment that begins at `at` may be of that kind: also by a reference, or behind blanks that `URL` drops. */
function isBang(page: Uint8Array, at: number, to: number): boolean {
  const next = at + 1 < to ? page[at + 1]! : 0x7f;
  return next === BANG || next === AMP || next <= 32;
}

/** FNV-1a, a byte a step; `place` mixes the high bits into the low ones. */
const SEED = 0x811c9dc5 | 0;
const step = (hash: number, byte: number): number => Math.imul(hash ^ byte, 0x01000193);
const place = (hash: number): number => hash ^ (hash >>> 15);

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
