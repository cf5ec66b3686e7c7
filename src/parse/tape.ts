/** What an entry of a tape is. */
export const KIND = {
  /** `from`: its first attribute, `many`: how many; `to`: the entry that closes it. */
  open: 1,
  /** `from`: the entry that opened it. */
  close: 2,
  /** An element without content; as open, and `to` is itself. */
  empty: 3,
  /** Bytes `from` to `to`, with character references. */
  text: 4,
  /** The same without: what looks like one is text. */
  raw: 5,
  /** Words on both sides are apart, though no element says so. */
  gap: 6,
  /** A comment that switches indexing off (`from` = 1) or on again (0). */
  noindex: 7,
} as const;

/** Where a tape may have kept more memory than this (in entries) for one huge page, it gives it back afterwards. */
const KEEP_ENTRIES = 1 << 17;

/**
 * A page as a flat list of entries in document order, properly nested: what each reader writes (through Nesting) and all
 * that follows reads. No object and no string is made for an element; texts and attribute values are ranges of `bytes`
 * (UTF-8).
 *
 * One tape serves page after page. Who holds a range must have copied it by then.
 * Cost: 11 bytes an entry, 9 an attribute; memory grows with the largest page seen and is given back above a bound.
 */
export class Tape {
  bytes: Uint8Array = new Uint8Array(0);
  length = 0;
  kind = new Uint8Array(4096);
  tag = new Uint8Array(4096);
  many = new Uint8Array(4096);
  from = new Uint32Array(4096);
  to = new Uint32Array(4096);
  attributes = 0;
  attribute = new Uint8Array(2048);
  valueFrom = new Uint32Array(2048);
  valueTo = new Uint32Array(2048);
  /** Some element lay deeper than MAX_DEPTH of nesting.ts. */
  tooDeep = false;

  /** Lets go of the page, and of memory that only a huge one needed. */
  release(): void {
    this.bytes = new Uint8Array(0);
    if (this.kind.length > KEEP_ENTRIES) this.size(4096);
    if (this.attribute.length > KEEP_ENTRIES) this.sizeAttributes(2048);
  }

  protected push(kind: number, tag: number, from: number, to: number): void {
    const at = this.length;
    if (at === this.kind.length) this.size(at * 2);
    this.kind[at] = kind;
    this.tag[at] = tag;
    this.many[at] = 0;
    this.from[at] = from;
    this.to[at] = to;
    this.length = at + 1;
  }

  protected pushAttribute(name: number, from: number, to: number): void {
    const at = this.attributes;
    if (at === this.attribute.length) this.sizeAttributes(at * 2);
    this.attribute[at] = name;
    this.valueFrom[at] = from;
    this.valueTo[at] = to;
    this.attributes = at + 1;
  }

  private size(entries: number): void {
    const keep = Math.min(this.length, entries);
    this.kind = grown(this.kind, new Uint8Array(entries), keep);
    this.tag = grown(this.tag, new Uint8Array(entries), keep);
    this.many = grown(this.many, new Uint8Array(entries), keep);
    this.from = grown(this.from, new Uint32Array(entries), keep);
    this.to = grown(this.to, new Uint32Array(entries), keep);
  }

  private sizeAttributes(entries: number): void {
    const keep = Math.min(this.attributes, entries);
    this.attribute = grown(this.attribute, new Uint8Array(entries), keep);
    this.valueFrom = grown(this.valueFrom, new Uint32Array(entries), keep);
    this.valueTo = grown(this.valueTo, new Uint32Array(entries), keep);
  }
}

function grown<A extends Uint8Array | Uint32Array>(old: A, fresh: A, keep: number): A {
  fresh.set(old.subarray(0, keep));
  return fresh;
}
