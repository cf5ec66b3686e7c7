import { ByteWriter } from '../../index/io/bytes.ts';
import type { Reason } from '../page/reason.ts';
import { beginPageLinks, type PageLinks } from '../page/segment.ts';
import type { RawLinks } from '../parse/raw-links.ts';
import type { Admit, Admitted } from '../url/admit.ts';
import { Base, hashOf, isAbsolute, isBang } from '../url/base.ts';
import { isFile, leadsInside } from '../url/files.ts';
import { keyOf } from '../url/key.ts';
import { createResolve } from '../url/resolve.ts';
import { Addresses, Column, copied } from './addresses.ts';
import { MOST_ANCHORS, NOFOLLOW, withoutFragment } from './parts.ts';

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

  /** What `#lookUp` met for the first time and cannot tell the address of: that is kept when `URL` said it. -1: nothing. */
  #untold = -1;
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
        if (this.#untold >= 0) this.#alias.set(this.#untold, id);
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
    this.#untold = -1;
    if (from === to || !base.plain) return UNSURE;
    if (page[from] === HASH) return own && !isBang(page, from, to) ? NO_ADDRESS : UNSURE;
    const absolute = isAbsolute(page, from, to);
    if (!(absolute ? base.absolute(page, from, to) : base.relative(page, from, to))) return UNSURE;
    let id = this.#known.find(base.head, base.length, base.number, page, base.from, base.to, base.hash);
    if (id < 0) {
      id = this.#known.add(base.head, base.length, page, base.from, base.to, base.hash);
      this.#unknown(id);
      if (absolute && !base.escaped) this.#alias.set(id, this.#aliasOf(page.toString('latin1', base.from, base.to)));
    }
    const alias = this.#alias.of[id]!;
    if (alias !== UNASKED) return alias;
    if (!base.escaped) return id;
    this.#untold = id;
    return UNSURE;
  }

  /** An absolute address means the same on every page, but may be written in many ways. */
  #aliasOf(written: string): number {
    if (!URL.canParse(written)) return NO_ADDRESS;
    const address = withoutFragment(new URL(written).href);
    return address === written ? UNASKED : this.#idOf(address);
  }

  #idOf(address: string): number {
    const bytes = Buffer.from(address);
    const hash = hashOf(bytes);
    let id = this.#known.find(bytes, 0, -1, bytes, 0, bytes.length, hash);
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

function same(data: Uint8Array, from: number, to: number, otherFrom: number, otherTo: number): boolean {
  if (to - from !== otherTo - otherFrom) return false;
  for (let i = from, j = otherFrom; i < to; i++, j++) if (data[i] !== data[j]) return false;
  return true;
}

const HASH = 35;
