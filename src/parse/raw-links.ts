import type { ByteWriter } from '../../index/io/bytes.ts';
import { attributeValue } from './references.ts';
import type { TextBlocks } from './text-blocks.ts';

/** What a link stands in, where that is no `a` or `area`. */
export type LinkPlace = '' | 'link' | 'frame' | 'form';

/** Links of one page that are kept; a page with more is marked. */
const MAX_LINKS = 20_000;
/** Longest text of a link kept, in characters. */
export const ANCHOR_CHARS = 100;
/** Room for more links than this is given back with the next page. */
const KEEP_LINKS = 1 << 12;

/**
 * The links of a page as they stand in it, in page order: where each address and each text is written, not what it says.
 * Most links of a site were met before, so that who follows them needs no string of any; who does asks `href` and `anchor`.
 *
 * Addresses are ranges of `page` (an attribute's value, references and all), texts ranges of the page's text. Good until
 * the next page. Cost: no allocation a link, 17 bytes.
 */
export class RawLinks {
  count = 0;
  tooMany = false;
  page: Buffer = NOTHING;
  hrefFrom = new Uint32Array(256);
  hrefTo = new Uint32Array(256);
  /** The same range twice where the text is `label`. */
  textFrom = new Uint32Array(256);
  textTo = new Uint32Array(256);
  /** Text that does not stand in the page's: of a picture, of an attribute. */
  readonly label: string[] = [];
  /** As written, lower-case. */
  readonly rel: string[] = [];
  readonly place: LinkPlace[] = [];

  readonly #blocks: TextBlocks;

  constructor(blocks: TextBlocks) {
    this.#blocks = blocks;
  }

  begin(page: Buffer): void {
    this.page = page;
    this.count = 0;
    this.tooMany = false;
    if (this.hrefFrom.length > KEEP_LINKS) this.#size(256, 0);
  }

  /** Lets go of the page. */
  release(): void {
    this.page = NOTHING;
  }

  /** A link whose address stands in the page from `from` to `to`. */
  add(from: number, to: number, textFrom: number, textTo: number, label: string, rel: string, place: LinkPlace): void {
    const at = this.count;
    if (at >= MAX_LINKS) {
      this.tooMany = true;
      return;
    }
    if (at === this.hrefFrom.length) this.#size(2 * at, at);
    this.hrefFrom[at] = from;
    this.hrefTo[at] = to;
    this.textFrom[at] = textFrom;
    this.textTo[at] = textTo;
    this.label[at] = label;
    this.rel[at] = rel;
    this.place[at] = place;
    this.count = at + 1;
  }

  /** As written, references decoded. */
  href(link: number): string {
    return attributeValue(this.page, this.hrefFrom[link]!, this.hrefTo[link]!);
  }

  /** Its text, on one line. */
  anchor(link: number): string {
    const from = this.textFrom[link]!;
    const to = this.textTo[link]!;
    return to > from ? this.#blocks.line(from, to, ANCHOR_CHARS) : this.label[link]!;
  }

  /** The same text as UTF-8, behind what `out` holds. */
  writeAnchor(link: number, out: ByteWriter): void {
    const from = this.textFrom[link]!;
    const to = this.textTo[link]!;
    if (to - from > ANCHOR_CHARS || to === from) {
      const text = this.anchor(link);
      if (text !== '') out.utf8(text);
      return;
    }
    out.reserve(to - from);
    const { data } = out;
    const text = this.#blocks.out;
    let at = out.length;
    for (let i = from; i < to; i++) {
      const c = text[i]!;
      data[at++] = c === 10 ? 32 : c;
    }
    out.length = at;
  }

  #size(room: number, keep: number): void {
    const sized = (old: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
      const fresh = new Uint32Array(room);
      fresh.set(old.subarray(0, keep));
      return fresh;
    };
    this.hrefFrom = sized(this.hrefFrom);
    this.hrefTo = sized(this.hrefTo);
    this.textFrom = sized(this.textFrom);
    this.textTo = sized(this.textTo);
    this.label.length = this.rel.length = this.place.length = keep;
  }
}

const NOTHING = Buffer.alloc(0);
