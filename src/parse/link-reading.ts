import { attr, has, hrefOf, indexOf } from './attributes.ts';
import { Head } from './head.ts';
import { isIntegration, MAX_DEPTH } from './open-elements.ts';
import { RawLinks } from './raw-links.ts';
import { scan, type Tokens } from './scan.ts';
import {
  A,
  BREAKOUT,
  FLAGS,
  findAttribute,
  findTag,
  nameHash,
  RULE,
  RULES,
  SPECIAL,
  T,
  TAG_COUNT,
  VOID,
} from './tags.ts';
import { KIND, Tape } from './tape.ts';
import { TextBlocks } from './text-blocks.ts';

/** The attributes that say where an element leads, or what it asks of robots. */
const LEADS = new Int32Array(TAG_COUNT);
for (const [tag, ...names] of [
  ['a', 'href', 'xlink:href', 'rel'],
  ['area', 'href', 'rel'],
  ['base', 'href'],
  ['link', 'href', 'rel', 'type'],
  ['meta', 'name', 'content', 'http-equiv', 'property', 'itemprop'],
  ['iframe', 'src'],
  ['frame', 'src'],
  ['form', 'action', 'method'],
] as const)
  for (const name of names) LEADS[T[tag]]! |= 1 << A[name];

/** More meta elements of different names than this, and head.ts might keep none of the last ones. */
const MOST_META = 60;
const NAMES = [A.name, A.property, A.itemprop] as const;
/** What `http-equiv` says where it steers a reader or a robot. */
const STEERING = ['refresh', 'pragma'] as const;
const AMPERSAND = 38;
/** Elements open in a drawing or in a form that are followed. */
const MOST_OPEN = 128;
/** Elements open at once, stray tags aside, from which on a reader may give up the innermost, a template among them. */
const DEEP = MAX_DEPTH / 2;
const FORM = { none: 0, open: 1, unclear: 2 } as const;

/**
 * The links of a page, its base, and what it asks of robots, without its text, its headings, or what its elements stand in:
 * the tokens of scan.ts, of which a handful of elements count. A test holds it to the links of the full reading.
 *
 * What stands in what matters to four things alone: drawings, templates, forms within forms, and what a table pushes out
 * in front of itself. Well-formed ones are followed here; where a page is not (`sure` is false), the full reading is to be
 * asked. Text is gathered for the digest: its bytes between the tags, blanks left out.
 *
 * One instance serves page after page. Cost: that of the tokenizer, a fifth of a full reading.
 */
export class LinkReading extends Tape implements Tokens {
  readonly xml = false;
  readonly links = new RawLinks(new TextBlocks());
  readonly head = new Head(this.links);
  /** False: what was found may not be what the full reading finds. */
  sure = true;

  private keep = 0;
  private pending = 0;
  private hash = 0;
  private metas = 0;
  private templates = 0;
  private open = 0;
  private tables = false;
  private inTitle = false;
  private names: readonly string[] = [];
  /** Where the name of the last meta element stands. */
  private nameFrom = 0;
  private nameTo = 0;
  /** Names of the elements that are open in a drawing, the drawing first; in a form. */
  private readonly drawn = new Int32Array(MOST_OPEN);
  private depth = 0;
  /** The innermost of them holds HTML again (`title`, `desc`). */
  private inHtml = false;
  private readonly held = new Int32Array(MOST_OPEN);
  private heldDepth = 0;
  private form: number = FORM.none;
  private gathered = Buffer.allocUnsafeSlow(1 << 16);
  private end = 0;

  /** `agent`: our name in lower case, which a meta element may have. Good until the next page. */
  read(page: Buffer, agent: string): void {
    this.bytes = page;
    this.names = ['robots', agent];
    this.nameFrom = this.nameTo = 0;
    this.sure = true;
    this.keep = this.metas = this.templates = this.open = this.depth = this.heldDepth = this.end = 0;
    this.tables = this.inTitle = this.inHtml = false;
    this.form = FORM.none;
    if (this.gathered.length < page.length || this.gathered.length > 8 * page.length + (1 << 20))
      this.gathered = Buffer.allocUnsafeSlow(Math.max(1 << 16, page.length));
    this.links.begin(page);
    this.head.begin();
    scan(page, this);
    if (this.links.tooMany || this.metas > MOST_META) this.sure = false;
    this.release();
  }

  /** The text between the tags, without blanks; not a copy. */
  get words(): Buffer {
    return this.gathered.subarray(0, this.end);
  }

  inForeign(): boolean {
    return this.depth > 0 && !this.inHtml;
  }

  text(from: number, to: number): void {
    if (this.inTitle) return;
    const { bytes, gathered } = this;
    let at = this.end;
    for (let i = from; i < to; i++) {
      const c = bytes[i]!;
      if (c > 32) gathered[at++] = c;
    }
    this.end = at;
  }

  raw(): void {}
  comment(): void {}

  start(_nameFrom: number, _nameTo: number, hash: number): number {
    const tag = findTag(hash);
    this.hash = hash;
    this.pending = tag;
    this.keep = LEADS[tag]!;
    if (this.depth > 0 && tag !== T.a) this.keep = 0;
    this.attributes = 0;
    return tag;
  }

  attributeAt(_nameFrom: number, _nameTo: number, from: number, to: number, hash: number): void {
    if (this.keep === 0) return;
    const name = findAttribute(hash);
    if (name === 0 || ((this.keep >>> name) & 1) === 0) return;
    for (let i = 0; i < this.attributes; i++) if (this.attribute[i] === name) return;
    this.pushAttribute(name, from, to);
  }

  startEnd(selfClosing: boolean): void {
    const tag = this.pending;
    if ((FLAGS[tag]! & VOID) === 0 && ++this.open > DEEP && this.templates > 0) this.sure = false;
    if (this.depth > 0) this.draw(tag, selfClosing);
    else if (tag === T.svg) {
      // In HTML a drawing that closes itself is left open by some readers, and closed by others.
      if (selfClosing) this.sure = false;
      this.drawn[0] = this.hash;
      this.depth = 1;
      this.inHtml = false;
    } else if (tag === T.math) this.sure = false;
    else if (tag === T.template) this.templates++;
    else if (tag === T.table) this.tables = true;
    else if (tag === T.title) this.inTitle = true;
    if (this.form === FORM.open && this.depth === 0) this.hold(tag);
    if (this.keep !== 0 && this.attributes > 0) this.lead(tag);
    else if (tag === T.form && this.depth === 0) this.beginForm();
  }

  close(_nameFrom: number, _nameTo: number, hash: number): void {
    const tag = findTag(hash);
    if (this.open > 0) this.open--;
    if (this.depth > 0) {
      let at = this.depth - 1;
      while (at >= 0 && this.drawn[at] !== hash) at--;
      // One that ends something around the drawing may end the drawing too.
      if (at < 0) this.sure = false;
      else this.depth = at;
      this.inHtml = false;
      return;
    }
    if (tag === T.title) this.inTitle = false;
    else if (tag === T.template && this.templates > 0) this.templates--;
    if (this.form === FORM.open) this.letGo(tag, hash);
  }

  /** An element in a drawing. */
  private draw(tag: number, selfClosing: boolean): void {
    if (this.inHtml || (FLAGS[tag]! & BREAKOUT) !== 0 || this.depth === MOST_OPEN) this.sure = false;
    else if (!selfClosing) {
      this.drawn[this.depth++] = this.hash;
      this.inHtml = isIntegration(tag);
    }
  }

  /** An element that leads somewhere, or says something: an entry of the tape for as long as it is looked at. */
  private lead(tag: number): void {
    this.length = 0;
    this.push(KIND.empty, tag, 0, 0);
    this.many[0] = this.attributes;
    const { head, links } = this;
    switch (tag) {
      case T.a: {
        const href = hrefOf(this, 0);
        if (href >= 0 && this.templates === 0)
          links.add(this.valueFrom[href]!, this.valueTo[href]!, 0, 0, '', attr(this, 0, A.rel).toLowerCase(), '');
        break;
      }
      case T.area:
        if (has(this, 0, A.href)) head.addLink(this, 0, A.href, '', attr(this, 0, A.rel).toLowerCase(), '');
        break;
      case T.iframe:
      case T.frame:
        if (attr(this, 0, A.src) !== '' && this.templates === 0) head.addLink(this, 0, A.src, '', '', 'frame');
        break;
      case T.link:
        head.readLink(this, 0);
        break;
      case T.meta:
        this.meta();
        break;
      case T.base:
        // Of two the first counts, and a table may push the second out in front of it.
        if (this.tables) this.sure = false;
        if (head.base === '' && has(this, 0, A.href)) head.base = attr(this, 0, A.href);
        break;
      case T.form:
        if (has(this, 0, A.action) && attr(this, 0, A.method).toLowerCase() !== 'post') {
          if (attr(this, 0, A.action).trim() !== '' && this.templates === 0) {
            if (this.form !== FORM.none) this.sure = false;
            head.addLink(this, 0, A.action, '', '', 'form');
          }
        }
        this.beginForm();
        break;
    }
  }

  /** Only of what steers a robot or sends the reader on is more made than a count. */
  private meta(): void {
    const name = indexOf(this, 0, A.name);
    // Hundreds of keywords are one name to the full reading.
    if (name < 0 || !this.again(this.valueFrom[name]!, this.valueTo[name]!)) this.metas++;
    if (!this.mayBe(A['http-equiv'], STEERING) && !NAMES.some((attribute) => this.mayBe(attribute, this.names))) return;
    if (this.tables) this.sure = false;
    this.head.readMeta(this, 0);
  }

  /** Whether a name is that of the meta element before. */
  private again(from: number, to: number): boolean {
    const { bytes, nameFrom: before } = this;
    const length = to - from;
    let same = length === this.nameTo - before;
    for (let i = 0; same && i < length; i++) same = bytes[from + i] === bytes[before + i];
    this.nameFrom = from;
    this.nameTo = to;
    return same;
  }

  /** Whether an attribute may say one of these words: it does, or is not plainly written. */
  private mayBe(attribute: number, words: readonly string[]): boolean {
    const at = indexOf(this, 0, attribute);
    if (at < 0) return false;
    const bytes = this.bytes as Buffer;
    const from = this.valueFrom[at]!;
    const to = this.valueTo[at]!;
    for (let i = from; i < to; i++) {
      const c = bytes[i]!;
      if (c <= 32 || c === AMPERSAND || c >= 128) return true;
    }
    for (const word of words)
      if (to - from === word.length && bytes.toString('latin1', from, to).toLowerCase() === word) return true;
    return false;
  }

  // --- Whether a form is open when another begins: then that other is none.

  private beginForm(): void {
    if (this.templates > 0) return; // ends with the template, and none in it is counted
    if (this.form === FORM.none) {
      this.form = FORM.open;
      this.heldDepth = 0;
    } else this.form = FORM.unclear;
  }

  private hold(tag: number): void {
    if (tag === T.form || (FLAGS[tag]! & VOID) !== 0 || RULES[tag] === RULE.page) return;
    if (this.heldDepth === MOST_OPEN) this.form = FORM.unclear;
    else this.held[this.heldDepth++] = this.hash;
  }

  private letGo(tag: number, hash: number): void {
    let at = this.heldDepth;
    if (tag === T.form || (FLAGS[tag]! & SPECIAL) !== 0)
      while (at > 0 && this.held[at - 1] !== hash && ENDS_BY_ITSELF.has(this.held[at - 1]!)) at--;
    if (tag === T.form) this.form = at === 0 ? FORM.none : FORM.unclear;
    else if (at > 0 && this.held[at - 1] === hash) this.heldDepth = at - 1;
    else this.form = FORM.unclear;
  }
}

/** Elements whose end tag may be left out, by the hashes of their names. */
const ENDS_BY_ITSELF: ReadonlySet<number> = new Set(
  ['p', 'li', 'dd', 'dt', 'option', 'optgroup'].map((name) => nameHash(Buffer.from(name), 0, name.length)),
);
