import { reorder } from './foster.ts';
import { noindexMark } from './noindex.ts';
import { isHeading, isIntegration, OpenElements, UNKNOWN } from './open-elements.ts';
import {
  BREAK,
  BREAKOUT,
  FLAGS,
  findAttribute,
  findTag,
  KEPT,
  nameHash,
  RULE,
  RULES,
  SKIP,
  SPECIAL,
  T,
  VOID,
} from './tags.ts';
import { KIND } from './tape.ts';

/** Attributes of one element that are kept. */
const MAX_ATTRIBUTES = 200;
export interface NestingOptions {
  /** Every element with its class is kept, for selectors. */
  readonly keepAll?: boolean;
  /** The page is XHTML: every element may close itself, CDATA is text anywhere. */
  readonly xml?: boolean;
}

/**
 * How tags become a properly nested tape: the tree construction of the HTML standard (13.2.6) as far as it matters to text,
 * links and regions. Readers hand over what their tokenizer finds; this closes what is implied closed.
 *
 * Done: implied end tags, scopes, tables and what they push out in front of themselves, foreign content, the rule that a
 * link holds no link. Not done: formatting elements that go on after a block (they carry no text). Cost: constant a tag,
 * but for searches that MAX_DEPTH bounds.
 */
export class Nesting extends OpenElements {
  /** The page is XHTML: every element may close itself, CDATA is text anywhere. */
  xml = false;

  /** Bits of the attributes that the pending element keeps. */
  private kept = 0;
  private pendingKey = 0;
  private pendingTag = 0;
  private pendingAttributes = 0;

  /** Forgets the last page and begins the next. */
  begin(bytes: Uint8Array, how: NestingOptions = {}): void {
    this.bytes = bytes;
    this.keepAll = how.keepAll ?? false;
    this.xml = how.xml ?? false;
    this.length = 0;
    this.attributes = 0;
    this.tooDeep = false;
    this.beginOpen();
  }

  /** Closes what is open. */
  end(): void {
    while (this.depth > 0) this.pop();
    if (this.fosters.any) reorder(this, this.fosters.order(this.length));
  }

  /** Whether tags stand in SVG or MathML: no raw text, self-closing tags, CDATA. */
  inForeign(): boolean {
    return this.foreign[this.depth] === 1;
  }

  text(from: number, to: number): void {
    if (to <= from) return;
    if (this.inTable() && !isBlank(this.bytes, from, to)) this.pushOut(this.length, this.length + 1);
    this.push(KIND.text, 0, from, to);
  }

  raw(from: number, to: number): void {
    if (to > from) this.push(KIND.raw, 0, from, to);
  }

  /** A comment's content. Only marks that switch indexing off and on stay. */
  comment(from: number, to: number): void {
    const mark = noindexMark(this.bytes, from, to);
    if (mark >= 0) this.push(KIND.noindex, 0, mark, 0);
  }

  /** A start tag's name. Its attributes follow, then startEnd; without startEnd it never was. Answers its number. */
  start(nameFrom: number, nameTo: number, hash = nameHash(this.bytes, nameFrom, nameTo)): number {
    const tag = findTag(hash);
    this.pendingTag = tag;
    this.pendingKey = tag === 0 ? hash | UNKNOWN : tag;
    if (isIntegration(tag) && tag !== T.title && this.foreign[this.depth] === 0) {
      // Names of SVG and MathML mean nothing in HTML.
      this.pendingTag = 0;
      this.pendingKey = hash | UNKNOWN;
    }
    this.pendingAttributes = this.attributes;
    this.kept = this.keepAll ? -1 : this.foreign[this.depth] === 1 ? (tag === T.a ? KEPT[tag]! : 0) : KEPT[tag]!;
    return tag;
  }

  /** Where only the first of two attributes of a name counts. */
  attributeAt(
    nameFrom: number,
    nameTo: number,
    from: number,
    to: number,
    hash = nameHash(this.bytes, nameFrom, nameTo),
  ): void {
    const name = findAttribute(hash);
    if (name !== 0 && ((this.kept >>> name) & 1) === 1) this.addAttribute(name, from, to);
  }

  private addAttribute(name: number, from: number, to: number): void {
    for (let i = this.pendingAttributes; i < this.attributes; i++) if (this.attribute[i] === name) return;
    if (this.attributes - this.pendingAttributes <= MAX_ATTRIBUTES) this.pushAttribute(name, from, to);
  }

  /** Ends the start tag: closes what it implies closed and opens it. `selfClosing` counts in foreign content and XHTML. */
  startEnd(selfClosing: boolean): void {
    let tag = this.pendingTag;
    let key = this.pendingKey;
    const first = this.pendingAttributes;
    if (tag === T.image && this.foreign[this.depth] === 0) tag = key = T.img;
    let flags = FLAGS[tag]!;
    if (this.foreign[this.depth] === 1) {
      if ((flags & BREAKOUT) !== 0) while (this.foreign[this.depth] === 1) this.pop();
      else {
        // In SVG a title is a label and an image is a picture: nothing of HTML's applies but to links.
        const foreignTag = tag === T.a || tag === T.script || tag === T.style || tag === T.svg ? tag : foreignOf(tag);
        this.open(foreignTag, key, first, selfClosing);
        return;
      }
    }
    switch (RULES[tag]) {
      case RULE.none:
        break;
      case RULE.closesP:
        this.closeP();
        break;
      case RULE.heading:
        this.closeP();
        if (isHeading(this.key[this.depth]!)) this.pop();
        break;
      case RULE.li:
        this.closeItem(T.li, T.li);
        this.closeP();
        break;
      case RULE.dt:
        this.closeItem(T.dd, T.dt);
        this.closeP();
        break;
      case RULE.a:
        this.closeLink();
        break;
      case RULE.button:
        if (this.openOf[T.button]! > 0) this.closeInScope(T.button);
        break;
      case RULE.option:
        if (this.key[this.depth] === T.option) this.pop();
        break;
      case RULE.optgroup:
        if (this.key[this.depth] === T.option) this.pop();
        if (this.key[this.depth] === T.optgroup) this.pop();
        break;
      case RULE.cell:
        this.clearToTable(T.tr);
        break;
      case RULE.row:
        this.clearToTable(T.tbody);
        break;
      case RULE.rows:
      case RULE.caption:
      case RULE.col:
        this.clearToTable(T.table);
        break;
      case RULE.table:
        if (this.betweenCells()) this.closeInTable(T.table);
        else this.closeP();
        break;
      case RULE.page:
        // html, head and body come and go where they like; only their attributes count.
        if (this.attributes > first) {
          this.push(KIND.empty, tag, first, this.length);
          this.many[this.length - 1] = this.attributes - first;
        }
        return;
      case RULE.form:
        if (this.openOf[T.form]! > 0 && this.openOf[T.template] === 0) return;
        if (this.betweenCells()) {
          // It stands in no cell, so it holds nothing.
          this.open(tag, key, first, true);
          return;
        }
        this.closeP();
        break;
    }
    flags = FLAGS[tag]!;
    if ((flags & VOID) !== 0) {
      if ((flags & BREAK) !== 0 || this.attributes > first) {
        if ((flags & BREAK) !== 0 && RULES[tag] !== RULE.col && this.inTable())
          this.pushOut(this.length, this.length + 1);
        this.push(KIND.empty, tag, first, this.length);
        this.many[this.length - 1] = this.attributes - first;
      }
      return;
    }
    this.open(tag, key, first, selfClosing && this.xml);
  }

  close(nameFrom: number, nameTo: number, hash = nameHash(this.bytes, nameFrom, nameTo)): void {
    const tag = findTag(hash);
    // Nearly all end tags are of the innermost element; whatever that is, it ends and nothing else does. What is left to do
    // for others has a method of its own, so that this is short enough to be compiled into the reader.
    if (this.key[this.depth] === (tag === 0 ? hash | UNKNOWN : tag)) this.pop();
    else this.closeOther(tag, hash);
  }

  private closeOther(tag: number, hash: number): void {
    if (this.alien[this.depth] === 1 && this.closeAlien(tag === 0 ? hash | UNKNOWN : tag)) return;
    if (tag === T.br || (tag === T.p && (this.openOf[T.p] === 0 || !this.inButtonScope(T.p)))) {
      if (this.foreign[this.depth] === 1) while (this.foreign[this.depth] === 1) this.pop();
      this.push(KIND.gap, tag, 0, 0);
      return;
    }
    if (tag === 0 || (this.openOf[tag] === 0 && isIntegration(tag))) {
      this.closeInline(hash | UNKNOWN);
      return;
    }
    if (isHeading(tag)) {
      this.closeHeading();
      return;
    }
    // A row or its group may be open though no tag said so.
    if (this.openOf[tag] === 0 && (this.openOf[T.table] === 0 || (tag !== T.tr && tag !== T.tbody))) return;
    if (tag === T.template) {
      while (this.key[this.depth] !== T.template) this.pop();
      this.pop();
      return;
    }
    const flags = FLAGS[tag]!;
    if (tag === T.form) {
      this.closeForm();
    } else if (RULES[tag]! >= RULE.cell && RULES[tag]! <= RULE.table) this.closeInTable(tag);
    else if ((flags & SPECIAL) !== 0 || tag === T.dialog) this.closeInScope(tag);
    else this.closeInline(tag);
  }
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at]! > 32) return false;
  return true;
}

/** In foreign content: skipped text stays skipped (a title too), all else is a plain element. */
const foreignOf = (tag: number): number => ((FLAGS[tag]! & SKIP) !== 0 ? T.noembed : 0);
