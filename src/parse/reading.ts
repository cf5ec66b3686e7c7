import { attributeValue, referenceEnd, writeReference } from './references.ts';
import type { Marked } from './selectors.ts';
import { tokensOf } from './side-names.ts';
import { A, ASIDE, BREAK, FLAGS, SKIP, T } from './tags.ts';
import { KIND, MAX_DEPTH, type Tape } from './tape.ts';

/** What a byte is to text: word 0, blank 1, other 2, ampersand 3, NUL 4, 0xC2 (may begin a no-break space) 5, lead of a CJK character 6, continuation 7. */
const CLASS = new Uint8Array(256).fill(2);
for (let c = 0; c < 256; c++) {
  if ((c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c >= 0xc3) CLASS[c] = 0;
  else if (c === 32 || (c >= 9 && c <= 13)) CLASS[c] = 1;
  else if (c >= 0x80 && c <= 0xbf) CLASS[c] = 7;
}
CLASS[38] = 3;
CLASS[0] = 4;
CLASS[0xc2] = 5;
for (let c = 0xe3; c <= 0xe9; c++) CLASS[c] = 6;

/** Why an element may be no main text; the bounds are in main-text.ts. */
export const SIDE = { hidden: 1, role: 2, invisible: 3, form: 4, names: 5, tag: 6, never: 7, snippet: 8 } as const;
/** Why an element may be the main text. */
export const MAIN = { article: 1, body: 2, main: 3, only: 4, include: 5 } as const;

export interface RawLink {
  readonly href: string;
  readonly anchor: string;
  readonly rel: string;
  readonly from: '' | 'link' | 'frame' | 'form';
}
export interface RawHeading {
  readonly level: number;
  readonly text: string;
  readonly anchor: string;
  /** Entry of the tape it starts at. */
  readonly entry: number;
}

/** Longest anchor text and heading kept, in characters. */
const ANCHOR_CHARS = 100;
const HEADING_CHARS = 300;
const TITLE_CHARS = 1000;
const FIELD_CHARS = 10_000;
/** Links of one page that are kept; a page with more is marked. */
export const MAX_LINKS = 20_000;
const MAX_HEADINGS = 2_000;
const MAX_META = 200;

/**
 * One pass over a tape: visible text in blocks, links, headings, title, meta, what main-text.ts needs to choose. The
 * text of the page is written once, as UTF-8, into one buffer, blanks collapsed, a newline between blocks.
 *
 * An instance serves page after page and is good until the next `read`. Strings it hands out are copies.
 * Cost: some two nanoseconds a byte of text, no allocation an element; memory: 1.2 times the page, and 20 bytes a block.
 */
export class Reading {
  /** Visible text; `end` bytes of it are filled. */
  out: Buffer = Buffer.allocUnsafeSlow(1 << 16);
  end = 0;

  blocks = 0;
  blockFrom = new Uint32Array(1024);
  blockTo = new Uint32Array(1024);
  blockWords = new Uint32Array(1024);
  blockLinkWords = new Uint32Array(1024);
  /** Entry of the tape at which its text begins. */
  blockEntry = new Uint32Array(1024);
  /** 1: heading. */
  blockKind = new Uint8Array(1024);

  /** For an open entry: characters of text, of text in links, of text in real paragraphs below it. */
  text = new Uint32Array(4096);
  link = new Uint32Array(4096);
  para = new Uint32Array(4096);
  textAll = 0;
  linkAll = 0;
  paraAll = 0;

  sides = 0;
  sideEntry = new Uint32Array(256);
  sideKind = new Uint8Array(256);
  mains = 0;
  mainEntry = new Uint32Array(64);
  mainKind = new Uint8Array(64);

  title = '';
  hasTitle = false;
  base = '';
  lang = '';
  readonly links: RawLink[] = [];
  readonly headings: RawHeading[] = [];
  readonly meta = new Map<string, string>();
  readonly httpEquiv = new Map<string, string>();
  readonly jsonLd: string[] = [];
  readonly times: string[] = [];
  readonly feeds: string[] = [];
  canonical = '';
  tooManyLinks = false;

  /** Texts of the fields that selectors name. */
  readonly fields = new Map<string, string>();

  private marked: Marked | null = null;
  private readonly fieldStarts = new Map<number, number>();
  private pendingSpace = false;
  private blockStart = 0;
  private words = 0;
  private cjk = 0;
  private inWord = false;
  private linkWords = 0;
  private entry = 0;
  private kindOfBlock = 0;
  private chars = 0;

  /** `marked`: what selectors of the config mean, see selectors.ts. */
  read(tape: Tape, marked: Marked | null = null): void {
    this.reset(tape);
    this.marked = marked;
    const kinds = tape.kind;
    const { tag: tags, from, to } = tape;
    const n = tape.length;
    const bytes = tape.bytes as Buffer;
    const stack = new Int32Array(MAX_DEPTH + 2);
    const seenHeading = new Uint8Array(MAX_DEPTH + 2);
    let depth = 0;
    let skip = 0;
    let aside = 0;
    let noindexFrom = -1;
    // The open link.
    let linkEntry = -1;
    let linkHref = '';
    let linkRel = '';
    let linkStart = 0;
    let linkAlt = '';
    // The open heading.
    let headingEntry = -1;
    let headingStart = 0;
    let headingAnchor = '';
    let headingDepth = 0;
    // The last id or a[name] that no text followed.
    let near = '';
    let nearAt = -1;
    let capture = 0;

    for (let i = 0; i < n; i++) {
      const kind = kinds[i]!;
      if (kind === KIND.text || kind === KIND.raw) {
        if (capture !== 0) {
          if (capture === 1) this.readTitle(bytes, from[i]!, to[i]!, kind === KIND.text);
          else if (this.jsonLd.length < 50) this.jsonLd.push(bytes.toString('utf8', from[i]!, to[i]!));
          continue;
        }
        if (skip > 0) continue;
        this.entry = i;
        const before = this.words + (this.cjk >> 1);
        const chars = this.chars;
        this.append(bytes, from[i]!, to[i]!, kind === KIND.text);
        if (aside === 0) {
          const more = this.chars - chars;
          this.textAll += more;
          if (linkEntry >= 0) this.linkAll += more;
        }
        if (linkEntry >= 0) this.linkWords += this.words + (this.cjk >> 1) - before;
        continue;
      }
      if (kind === KIND.close) {
        const opened = from[i]!;
        const tag = tags[i]!;
        const flags = FLAGS[tag]!;
        depth--;
        if ((flags & SKIP) !== 0) {
          skip--;
          capture = 0;
        }
        if ((flags & ASIDE) !== 0) aside--;
        if (opened === linkEntry) {
          this.endLink(linkHref, linkRel, linkStart, linkAlt);
          linkEntry = -1;
        }
        if (opened === headingEntry) {
          this.endHeading(tape, headingEntry, headingStart, headingAnchor, stack, headingDepth, seenHeading);
          headingEntry = -1;
        }
        const text = this.textAll - this.text[opened]!;
        const link = this.linkAll - this.link[opened]!;
        if (tag === T.p && aside === 0 && text >= 40 && link < text * 0.4) this.paraAll += text;
        this.text[opened] = text;
        this.link[opened] = link;
        this.para[opened] = this.paraAll - this.para[opened]!;
        if (marked !== null && this.fieldStarts.has(opened)) this.endField(opened);
        if ((flags & BREAK) !== 0 && skip === 0) this.closeBlock();
        continue;
      }
      if (kind === KIND.gap) {
        if (skip === 0) this.closeBlock();
        continue;
      }
      if (kind === KIND.noindex) {
        if (from[i] === 1) noindexFrom = noindexFrom < 0 ? i : noindexFrom;
        else if (noindexFrom >= 0) {
          this.addSide(noindexFrom, SIDE.never);
          tape.to[noindexFrom] = i;
          noindexFrom = -1;
        }
        this.closeBlock();
        continue;
      }
      // open or empty
      const tag = tags[i]!;
      const flags = FLAGS[tag]!;
      if ((flags & BREAK) !== 0 && skip === 0) this.closeBlock();
      const many = tape.many[i]!;
      if (many > 0 && tag !== T.meta && tag !== T.link && tag !== T.script) {
        const id = this.look(tape, i, tag, flags);
        if (id !== '') {
          near = id;
          nearAt = this.end;
          if (headingEntry >= 0 && headingAnchor === '') headingAnchor = id;
        }
      }
      if (marked !== null && kind === KIND.open) {
        if (marked.exclude.has(i)) this.addSide(i, SIDE.never);
        if (marked.include.has(i)) this.addMain(i, MAIN.include);
        if (marked.fields.has(i)) this.fieldStarts.set(i, this.end);
      }
      if (kind === KIND.open) {
        depth++;
        stack[depth] = i;
        seenHeading[depth] = 0;
        this.text[i] = this.textAll;
        this.link[i] = this.linkAll;
        this.para[i] = this.paraAll;
        if ((flags & ASIDE) !== 0) {
          aside++;
          this.addSide(i, SIDE.tag);
        }
      }
      switch (tag) {
        case T.a:
          if (linkEntry >= 0) {
            this.endLink(linkHref, linkRel, linkStart, linkAlt);
            linkEntry = -1;
          }
          if (many > 0 && tape.many[i]! > 0) {
            const href = hrefOf(tape, i);
            if (href !== null && !this.insideTemplate(tape, stack, depth, skip)) {
              const rel = attr(tape, i, A.rel).toLowerCase();
              if (kind === KIND.empty) this.addLink(href, '', rel, '');
              else {
                linkEntry = i;
                linkHref = href;
                linkRel = rel;
                linkStart = this.end;
                linkAlt = '';
              }
            }
          }
          break;
        case T.area:
          if (has(tape, i, A.href)) {
            this.addLink(attr(tape, i, A.href), clean(attr(tape, i, A.alt)), attr(tape, i, A.rel).toLowerCase(), '');
          }
          break;
        case T.img:
          if (linkEntry >= 0 && linkAlt === '') linkAlt = attr(tape, i, A.alt);
          break;
        case T.iframe:
        case T.frame: {
          const src = attr(tape, i, A.src);
          if (src !== '' && !this.insideTemplate(tape, stack, depth, skip))
            this.addLink(src, clean(attr(tape, i, A.title)), '', 'frame');
          break;
        }
        case T.form: {
          if (has(tape, i, A.action) && attr(tape, i, A.method).toLowerCase() !== 'post') {
            const action = attr(tape, i, A.action);
            if (action.trim() !== '' && !this.insideTemplate(tape, stack, depth, skip))
              this.addLink(action, '', '', 'form');
          }
          this.addSide(i, SIDE.form);
          break;
        }
        case T.link:
          if (many > 0) this.readLink(tape, i);
          break;
        case T.meta:
          if (many > 0) this.readMeta(tape, i);
          break;
        case T.base:
          if (this.base === '' && has(tape, i, A.href)) this.base = attr(tape, i, A.href);
          break;
        case T.html:
          if (this.lang === '') this.lang = (attr(tape, i, A.lang) || attr(tape, i, A['xml:lang'])).trim();
          break;
        case T.time: {
          const date = attr(tape, i, A.datetime);
          if (date !== '' && this.times.length < 20) this.times.push(date);
          break;
        }
        case T.title:
          if (!this.hasTitle && kind === KIND.open && !this.insideTemplate(tape, stack, depth, skip)) {
            capture = 1;
            this.hasTitle = true;
          }
          break;
        case T.script:
          if (many > 0 && kind === KIND.open && /ld\+json/i.test(attr(tape, i, A.type))) capture = 2;
          break;
        case T.h1:
        case T.h2:
        case T.h3:
        case T.h4:
        case T.h5:
        case T.h6:
          if (kind === KIND.open && skip === 0) {
            if (headingEntry >= 0)
              this.endHeading(tape, headingEntry, headingStart, headingAnchor, stack, headingDepth, seenHeading);
            headingEntry = i;
            headingStart = this.end;
            headingDepth = depth;
            headingAnchor = attr(tape, i, A.id);
            if (headingAnchor === '' && nearAt === this.end) headingAnchor = near;
            this.kindOfBlock = 1;
          }
          break;
        case T.article:
          this.addMain(i, MAIN.article);
          break;
        case T.main:
          this.addMain(i, MAIN.main);
          break;
      }
      if (kind === KIND.open && (flags & SKIP) !== 0) skip++;
    }
    if (linkEntry >= 0) this.endLink(linkHref, linkRel, linkStart, linkAlt);
    if (noindexFrom >= 0) {
      this.addSide(noindexFrom, SIDE.never);
      tape.to[noindexFrom] = n;
    }
    this.closeBlock();
  }

  private reset(tape: Tape): void {
    const room = Math.ceil(tape.bytes.length * 1.25) + 64;
    if (this.out.length < room || this.out.length > 8 * room + (1 << 20)) this.out = Buffer.allocUnsafeSlow(room);
    if (this.text.length < tape.length || this.text.length > 8 * tape.length + (1 << 17)) {
      const room2 = Math.max(4096, tape.length + (tape.length >> 2));
      this.text = new Uint32Array(room2);
      this.link = new Uint32Array(room2);
      this.para = new Uint32Array(room2);
    }
    this.end = 0;
    this.blocks = 0;
    this.sides = 0;
    this.mains = 0;
    this.textAll = this.linkAll = this.paraAll = 0;
    this.title = this.base = this.lang = this.canonical = '';
    this.hasTitle = this.tooManyLinks = false;
    this.links.length = this.headings.length = this.jsonLd.length = this.times.length = this.feeds.length = 0;
    this.fields.clear();
    this.fieldStarts.clear();
    this.meta.clear();
    this.httpEquiv.clear();
    this.pendingSpace = this.inWord = false;
    this.blockStart = this.words = this.cjk = this.linkWords = this.kindOfBlock = this.chars = 0;
  }

  /** Writes text, blanks collapsed, references decoded. */
  private append(bytes: Buffer, from: number, to: number, references: boolean): void {
    const out = this.out;
    let o = this.end;
    let { words, cjk, inWord, pendingSpace, chars } = this;
    const started = this.blockStart;
    const first = o;
    for (let i = from; i < to; i++) {
      const c = bytes[i]!;
      const k = CLASS[c]!;
      if (k === 0) {
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        if (!inWord) {
          inWord = true;
          words++;
        }
        out[o++] = c;
        chars++;
      } else if (k === 1) {
        pendingSpace = true;
        inWord = false;
      } else if (k === 7) {
        out[o++] = c;
      } else if (k === 2 || (k === 3 && !references)) {
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        inWord = false;
        out[o++] = c;
        chars++;
      } else if (k === 6) {
        if (pendingSpace) {
          pendingSpace = false;
          if (o > started) out[o++] = 32;
        }
        inWord = false;
        // U+3000, the wide blank.
        if (c === 0xe3 && bytes[i + 1] === 0x80 && bytes[i + 2] === 0x80) {
          pendingSpace = true;
          i += 2;
        } else {
          cjk++;
          chars++;
          out[o++] = c;
        }
      } else if (k === 5) {
        if (bytes[i + 1] === 0xa0) {
          pendingSpace = true;
          inWord = false;
          i++;
        } else {
          if (pendingSpace) {
            pendingSpace = false;
            if (o > started) out[o++] = 32;
          }
          out[o++] = c;
          chars++;
        }
      } else if (k === 3) {
        const space = pendingSpace && o > started ? 1 : 0;
        if (space === 1) out[o] = 32;
        const at = o + space;
        const p = writeReference(bytes, i, to, out, at);
        i = referenceEnd - 1;
        const code = CLASS[out[at]!]!;
        if (p === at + 1 ? code === 1 : p === at + 2 && out[at] === 0xc2 && out[at + 1] === 0xa0) {
          pendingSpace = true;
          inWord = false;
        } else {
          pendingSpace = false;
          if (code === 0) {
            if (!inWord) words++;
            inWord = true;
          } else inWord = false;
          o = p;
          chars++;
        }
      }
    }
    if (o > first && this.blockEntryAt < 0) this.blockEntryAt = this.entry;
    this.end = o;
    this.words = words;
    this.cjk = cjk;
    this.inWord = inWord;
    this.pendingSpace = pendingSpace;
    this.chars = chars;
  }
  private blockEntryAt = -1;

  private closeBlock(): void {
    if (this.end > this.blockStart) {
      const b = this.blocks;
      if (b === this.blockFrom.length) this.growBlocks();
      this.blockFrom[b] = this.blockStart;
      this.blockTo[b] = this.end;
      this.blockWords[b] = this.words + (this.cjk >> 1);
      this.blockLinkWords[b] = this.linkWords;
      this.blockEntry[b] = this.blockEntryAt;
      this.blockKind[b] = this.kindOfBlock;
      this.blocks = b + 1;
      this.out[this.end++] = 10;
      this.blockStart = this.end;
    }
    this.words = this.cjk = this.linkWords = this.kindOfBlock = 0;
    this.inWord = this.pendingSpace = false;
    this.blockEntryAt = -1;
  }

  private growBlocks(): void {
    const grow = <X extends Uint8Array | Uint32Array>(old: X, fresh: X): X => {
      fresh.set(old);
      return fresh;
    };
    const room = this.blockFrom.length * 2;
    this.blockFrom = grow(this.blockFrom, new Uint32Array(room));
    this.blockTo = grow(this.blockTo, new Uint32Array(room));
    this.blockWords = grow(this.blockWords, new Uint32Array(room));
    this.blockLinkWords = grow(this.blockLinkWords, new Uint32Array(room));
    this.blockEntry = grow(this.blockEntry, new Uint32Array(room));
    this.blockKind = grow(this.blockKind, new Uint8Array(room));
  }

  private endField(entry: number): void {
    const text = this.slice(this.fieldStarts.get(entry)!, FIELD_CHARS);
    for (const name of this.marked!.fields.get(entry)!) {
      const before = this.fields.get(name);
      if (text !== '') this.fields.set(name, before === undefined ? text : `${before}\n${text}`);
    }
  }

  private addSide(entry: number, kind: number): void {
    if (this.sides === this.sideEntry.length) {
      const entries = new Uint32Array(this.sides * 2);
      entries.set(this.sideEntry);
      this.sideEntry = entries;
      const kinds = new Uint8Array(this.sides * 2);
      kinds.set(this.sideKind);
      this.sideKind = kinds;
    }
    this.sideEntry[this.sides] = entry;
    this.sideKind[this.sides++] = kind;
  }

  private addMain(entry: number, kind: number): void {
    if (this.mains === this.mainEntry.length) {
      const entries = new Uint32Array(this.mains * 2);
      entries.set(this.mainEntry);
      this.mainEntry = entries;
      const kinds = new Uint8Array(this.mains * 2);
      kinds.set(this.mainKind);
      this.mainKind = kinds;
    }
    this.mainEntry[this.mains] = entry;
    this.mainKind[this.mains++] = kind;
  }

  /** What the attributes of an element say about its place; answers its id, or the name of a link target. */
  private look(tape: Tape, i: number, tag: number, flags: number): string {
    const first = tape.from[i]!;
    const last = first + tape.many[i]!;
    const bytes = tape.bytes as Buffer;
    const open = tape.kind[i] === KIND.open;
    let id = '';
    for (let a = first; a < last; a++) {
      const from = tape.valueFrom[a]!;
      const to = tape.valueTo[a]!;
      switch (tape.attribute[a]) {
        case A.id:
          if (to - from <= 200) id = attributeValue(bytes, from, to);
          if (open && (flags & SKIP) === 0 && tokensOf(bytes, from, to)) this.addSide(i, SIDE.names);
          break;
        case A.class:
          if (open && (flags & SKIP) === 0 && tokensOf(bytes, from, to)) this.addSide(i, SIDE.names);
          break;
        case A.name:
          if (tag === T.a && id === '' && to - from <= 200) id = attributeValue(bytes, from, to);
          break;
        case A.hidden:
          if (open) this.addSide(i, SIDE.hidden);
          break;
        case A['aria-hidden']:
          if (open && is(bytes, from, to, 'true')) this.addSide(i, SIDE.hidden);
          break;
        case A.role:
          if (!open) break;
          if (/^\s*(navigation|contentinfo|banner|complementary|search)\s*$/i.test(bytes.toString('latin1', from, to)))
            this.addSide(i, SIDE.role);
          else if (is(bytes, from, to, 'main')) this.addMain(i, MAIN.main);
          break;
        case A.style:
          if (open && to - from >= 12 && /display\s*:\s*none/i.test(bytes.toString('latin1', from, to)))
            this.addSide(i, SIDE.invisible);
          break;
        case A.itemprop:
          if (open && is(bytes, from, to, 'articlebody')) this.addMain(i, MAIN.body);
          break;
        case A['data-nosnippet']:
          if (open) this.addSide(i, SIDE.snippet);
          break;
        case A['data-pagefind-ignore']:
          if (open) this.addSide(i, SIDE.never);
          break;
        case A['data-pagefind-body']:
          if (open) {
            this.addMain(i, MAIN.only);
          }
          break;
      }
    }
    return id;
  }

  private insideTemplate(tape: Tape, stack: Int32Array, depth: number, skip: number): boolean {
    if (skip === 0) return false;
    for (let at = depth; at > 0; at--) if (tape.tag[stack[at]!] === T.template) return true;
    return false;
  }

  private addLink(href: string, anchor: string, rel: string, from: RawLink['from']): void {
    if (this.links.length >= MAX_LINKS) {
      this.tooManyLinks = true;
      return;
    }
    this.links.push({ href, anchor, rel, from });
  }

  private endLink(href: string, rel: string, start: number, alt: string): void {
    const anchor = this.slice(start, ANCHOR_CHARS) || clean(alt);
    this.addLink(href, anchor, rel, '');
  }

  /** A copy of the text written since `start`, on one line. */
  private slice(start: number, chars: number): string {
    const out = this.out;
    let from = start;
    let to = this.end;
    while (from < to && (out[from] === 32 || out[from] === 10)) from++;
    while (to > from && out[to - 1] === 10) to--;
    if (from === to) return '';
    // 4 bytes a character at most; whole characters are cut below.
    const cut = to - from > chars * 4;
    if (cut) to = from + chars * 4;
    let text = out.toString('utf8', from, to);
    if (text.includes('\n')) text = text.replaceAll('\n', ' ');
    return text.length > chars ? cutAt(text, chars) : cut ? text.replace(/\ufffd+$/, '') : text;
  }

  private endHeading(
    tape: Tape,
    entry: number,
    start: number,
    found: string,
    stack: Int32Array,
    depth: number,
    seen: Uint8Array,
  ): void {
    let anchor = found;
    // The nearest of three sections around it that has an id and whose first heading this is.
    for (let at = depth - 1; at > 0 && at >= depth - 3; at--) {
      const around = stack[at]!;
      const tag = tape.tag[around]!;
      if (
        anchor === '' &&
        seen[at] === 0 &&
        (tag === T.section || tag === T.div || tag === T.article || tag === T.li || tag === T.td)
      ) {
        anchor = attr(tape, around, A.id);
      }
    }
    for (let at = depth - 1; at > 0 && at >= depth - 3; at--) seen[at] = 1;
    const text = this.slice(start, HEADING_CHARS);
    if (text === '' || this.headings.length >= MAX_HEADINGS) return;
    this.headings.push({ level: tape.tag[entry]! - T.h1 + 1, text, anchor, entry });
  }

  private readTitle(bytes: Buffer, from: number, to: number, references: boolean): void {
    const room = this.out;
    const { end, words, cjk, inWord, pendingSpace, chars, blockEntryAt, blockStart } = this;
    this.pendingSpace = false;
    this.blockStart = end;
    this.append(bytes, from, Math.min(to, from + TITLE_CHARS * 8), references);
    const text = room.toString('utf8', end, this.end);
    this.title = text.length > TITLE_CHARS ? cutAt(text, TITLE_CHARS) : text;
    this.end = end;
    this.words = words;
    this.cjk = cjk;
    this.inWord = inWord;
    this.pendingSpace = pendingSpace;
    this.chars = chars;
    this.blockEntryAt = blockEntryAt;
    this.blockStart = blockStart;
  }

  private readLink(tape: Tape, i: number): void {
    const rel = attr(tape, i, A.rel).toLowerCase();
    const href = attr(tape, i, A.href);
    if (href === '' || rel === '') return;
    const words = rel.split(/\s+/);
    if (words.includes('canonical')) {
      if (this.canonical === '') this.canonical = href;
      // It must be known to be able to stand for this page.
      this.addLink(href, '', rel, 'link');
    } else if (words.includes('alternate')) {
      const type = attr(tape, i, A.type).toLowerCase();
      if (/rss|atom|feed/.test(type)) {
        if (this.feeds.length < 20) this.feeds.push(href);
      }
      if (!words.includes('stylesheet') && !/oembed/.test(type))
        this.addLink(href, clean(attr(tape, i, A.title)), rel, 'link');
    } else if (words.some((word) => NAVIGATION.has(word)))
      this.addLink(href, clean(attr(tape, i, A.title)), rel, 'link');
  }

  private readMeta(tape: Tape, i: number): void {
    if (!has(tape, i, A.content)) return;
    const content = clean(attr(tape, i, A.content));
    const equiv = attr(tape, i, A['http-equiv']).toLowerCase().trim();
    if (equiv !== '' && !this.httpEquiv.has(equiv)) this.httpEquiv.set(equiv, content);
    for (const attribute of [A.name, A.property, A.itemprop]) {
      const name = attr(tape, i, attribute).toLowerCase().trim();
      if (name === '' || name.length > 100 || this.meta.size >= MAX_META) continue;
      if (name === 'robots' || !this.meta.has(name)) {
        const before = this.meta.get(name);
        // Several robots elements add up.
        this.meta.set(name, before === undefined ? content : before.length < 1000 ? `${before},${content}` : before);
      }
    }
  }
}

const NAVIGATION = new Set([
  'next',
  'prev',
  'previous',
  'first',
  'last',
  'start',
  'index',
  'contents',
  'up',
  'home',
  'amphtml',
  'author',
  'help',
  'license',
  'search',
  'chapter',
  'section',
]);

/** At most `chars` UTF-16 units, no half character, and a copy: a slice would keep the whole alive. */
function cutAt(text: string, chars: number): string {
  const code = text.charCodeAt(chars - 1);
  const cut = text.slice(0, code >= 0xd800 && code < 0xdc00 ? chars - 1 : chars);
  return Buffer.from(cut).toString();
}

/** One line, blanks collapsed. */
export function clean(text: string): string {
  const one = text.replace(/[\s\u00a0]+/g, ' ').trim();
  return one.length > 2000 ? cutAt(one, 2000) : one;
}

function indexOf(tape: Tape, entry: number, attribute: number): number {
  const first = tape.from[entry]!;
  const last = first + tape.many[entry]!;
  for (let a = first; a < last; a++) if (tape.attribute[a] === attribute) return a;
  return -1;
}
export const has = (tape: Tape, entry: number, attribute: number): boolean => indexOf(tape, entry, attribute) >= 0;
/** '' when it has none. */
export function attr(tape: Tape, entry: number, attribute: number): string {
  const a = indexOf(tape, entry, attribute);
  return a < 0 ? '' : attributeValue(tape.bytes as Buffer, tape.valueFrom[a]!, tape.valueTo[a]!);
}
function hrefOf(tape: Tape, entry: number): string | null {
  let a = indexOf(tape, entry, A.href);
  if (a < 0) a = indexOf(tape, entry, A['xlink:href']);
  return a < 0 ? null : attributeValue(tape.bytes as Buffer, tape.valueFrom[a]!, tape.valueTo[a]!);
}
function is(bytes: Uint8Array, from: number, to: number, word: string): boolean {
  if (to - from !== word.length) return false;
  for (let i = 0; i < word.length; i++) if ((bytes[from + i]! | 32) !== word.charCodeAt(i)) return false;
  return true;
}
