import { is } from './attributes.ts';
import { tokensOf } from './side-names.ts';
import { A, SKIP, T } from './tags.ts';
import { KIND, type Tape } from './tape.ts';

/** Why an element may be no main text; the bounds are in main-text.ts. */
export const SIDE = { hidden: 1, role: 2, invisible: 3, form: 4, names: 5, tag: 6, never: 7, snippet: 8 } as const;
/** Why an element may be the main text. */
export const MAIN = { article: 1, body: 2, main: 3, only: 4, include: 5 } as const;

/**
 * The elements of a page that may be its main text, or may not, and how much text each element holds: what main-text.ts
 * chooses by. Entries are those of the tape, in order. Serves page after page.
 */
export class Regions {
  sides = 0;
  sideEntry = new Uint32Array(256);
  sideKind = new Uint8Array(256);
  mains = 0;
  mainEntry = new Uint32Array(64);
  mainKind = new Uint8Array(64);

  /**
   * Of a closed element, by its entry: characters of text, of text in links, of text in real paragraphs in it. Known only
   * of paragraphs, of sides, and of what may be main.
   */
  text = new Uint32Array(4096);
  link = new Uint32Array(4096);
  para = new Uint32Array(4096);
  textAll = 0;
  linkAll = 0;
  paraAll = 0;

  /** For a tape of so many entries. */
  begin(entries: number): void {
    if (this.text.length < entries || this.text.length > 8 * entries + (1 << 17)) {
      const room = Math.max(4096, entries + (entries >> 2));
      this.text = new Uint32Array(room);
      this.link = new Uint32Array(room);
      this.para = new Uint32Array(room);
    }
    this.sides = this.mains = this.textAll = this.linkAll = this.paraAll = 0;
  }

  /** Something new whenever an element is taken for a side or a main one: that is counted, others need not be. */
  get named(): number {
    return this.sides + this.mains;
  }

  open(entry: number): void {
    this.text[entry] = this.textAll;
    this.link[entry] = this.linkAll;
    this.para[entry] = this.paraAll;
  }

  /** `paragraph`: a `p` that counts. */
  close(entry: number, paragraph: boolean): void {
    const text = this.textAll - this.text[entry]!;
    const link = this.linkAll - this.link[entry]!;
    if (paragraph && text >= 40 && link < text * 0.4) this.paraAll += text;
    this.text[entry] = text;
    this.link[entry] = link;
    this.para[entry] = this.paraAll - this.para[entry]!;
  }

  side(entry: number, kind: number): void {
    if (this.sides === this.sideEntry.length) {
      this.sideEntry = doubled(this.sideEntry, new Uint32Array(this.sides * 2));
      this.sideKind = doubled(this.sideKind, new Uint8Array(this.sides * 2));
    }
    this.sideEntry[this.sides] = entry;
    this.sideKind[this.sides++] = kind;
  }

  main(entry: number, kind: number): void {
    if (this.mains === this.mainEntry.length) {
      this.mainEntry = doubled(this.mainEntry, new Uint32Array(this.mains * 2));
      this.mainKind = doubled(this.mainKind, new Uint8Array(this.mains * 2));
    }
    this.mainEntry[this.mains] = entry;
    this.mainKind[this.mains++] = kind;
  }

  /**
   * What the attributes of an element say about its place. Answers which of all attributes is its id, or the name of a
   * link target; -1: none, or it is empty or too long.
   */
  look(tape: Tape, i: number, tag: number, flags: number): number {
    const first = tape.from[i]!;
    const last = first + tape.many[i]!;
    const bytes = tape.bytes as Buffer;
    const open = tape.kind[i] === KIND.open;
    let id = -1;
    for (let a = first; a < last; a++) {
      const from = tape.valueFrom[a]!;
      const to = tape.valueTo[a]!;
      switch (tape.attribute[a]) {
        case A.id:
          if (to - from <= 200) id = from < to ? a : -1;
          if (open && (flags & SKIP) === 0 && tokensOf(bytes, from, to)) this.side(i, SIDE.names);
          break;
        case A.class:
          if (open && (flags & SKIP) === 0 && tokensOf(bytes, from, to)) this.side(i, SIDE.names);
          break;
        case A.name:
          if (tag === T.a && id < 0 && to - from <= 200 && from < to) id = a;
          break;
        case A.hidden:
          if (open) this.side(i, SIDE.hidden);
          break;
        case A['aria-hidden']:
          if (open && is(bytes, from, to, 'true')) this.side(i, SIDE.hidden);
          break;
        case A.role:
          if (!open) break;
          if (/^\s*(navigation|contentinfo|banner|complementary|search)\s*$/i.test(bytes.toString('latin1', from, to)))
            this.side(i, SIDE.role);
          else if (is(bytes, from, to, 'main')) this.main(i, MAIN.main);
          break;
        case A.style:
          if (open && to - from >= 12 && /display\s*:\s*none/i.test(bytes.toString('latin1', from, to)))
            this.side(i, SIDE.invisible);
          break;
        case A.itemprop:
          if (open && is(bytes, from, to, 'articlebody')) this.main(i, MAIN.body);
          break;
        case A['data-nosnippet']:
          if (open) this.side(i, SIDE.snippet);
          break;
        case A['data-pagefind-ignore']:
          if (open) this.side(i, SIDE.never);
          break;
        case A['data-pagefind-body']:
          if (open) {
            this.main(i, MAIN.only);
          }
          break;
      }
    }
    return id;
  }
}

function doubled<X extends Uint8Array | Uint32Array>(old: X, fresh: X): X {
  fresh.set(old);
  return fresh;
}
