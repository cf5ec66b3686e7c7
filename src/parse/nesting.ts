import { Fosters, reorder } from './foster.ts';
import { noindexMark } from './noindex.ts';
import {
  BREAK,
  BREAKOUT,
  FLAGS,
  findAttribute,
  findTag,
  INLINE,
  KEPT,
  nameHash,
  RULE,
  RULES,
  SCOPE,
  SKIP,
  SPECIAL,
  T,
  TAG_COUNT,
  VOID,
} from './tags.ts';
import { KIND, Tape } from './tape.ts';

/** Elements open at once; as browsers do, deeper ones become children of the last allowed. */
export const MAX_DEPTH = 512;
/** Attributes of one element that are kept. */
const MAX_ATTRIBUTES = 200;
/** Bit of the keys of unknown names. */
const UNKNOWN = 0x40000000;
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
export class Nesting extends Tape {
  /** Every element with its class is kept, for selectors. */
  keepAll = false;
  /** The page is XHTML: every element may close itself, CDATA is text anywhere. */
  xml = false;

  /** Open elements: number of the name (a hash with UNKNOWN for other names), entry (-1: not on the tape). */
  private depth = 0;
  private readonly key = new Int32Array(MAX_DEPTH + 1);
  private readonly entry = new Int32Array(MAX_DEPTH + 1);
  /** Whether what stands in it is foreign, and whether it is foreign itself. */
  private readonly foreign = new Uint8Array(MAX_DEPTH + 1);
  private readonly alien = new Uint8Array(MAX_DEPTH + 1);
  private readonly openOf = new Int32Array(TAG_COUNT);
  /** What tables push out; of elements that are being pushed out, the depth they stand in and the entry they begin at. */
  private readonly fosters = new Fosters();
  private readonly pushedFrom: number[] = [];
  private readonly pushedAt: number[] = [];
  /** The last of `pushedFrom`; -1: none. */
  private pushing = -1;

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
    this.depth = 0;
    this.openOf.fill(0);
    this.key[0] = 0;
    this.entry[0] = -1;
    this.foreign[0] = 0;
    this.fosters.begin();
    this.pushedFrom.length = this.pushedAt.length = 0;
    this.pushing = -1;
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

  private open(tag: number, key: number, first: number, selfClosing: boolean): void {
    if (this.depth === MAX_DEPTH && !selfClosing) {
      this.tooDeep = true;
      this.pop();
    }
    if (!selfClosing && this.inTable() && IN_TABLE[tag] === 0) {
      this.pushedFrom.push(this.depth);
      this.pushedAt.push(this.length);
      this.pushing = this.depth;
    }
    const foreign = this.foreign[this.depth]!;
    const many = this.attributes - first;
    const kept = this.keepAll || many > 0 || (tag !== 0 && (FLAGS[tag]! & INLINE) === 0);
    const entry = kept ? this.length : -1;
    if (kept) {
      this.push(selfClosing ? KIND.empty : KIND.open, tag, first, entry);
      this.many[entry] = many;
    } else this.attributes = first;
    if (selfClosing) return;
    this.depth++;
    this.key[this.depth] = key;
    this.entry[this.depth] = entry;
    const root = key === T.svg || key === T.math;
    this.alien[this.depth] = root || foreign === 1 ? 1 : 0;
    this.foreign[this.depth] = root ? 1 : foreign === 1 && isIntegration(key) ? 0 : foreign;
    if (key < TAG_COUNT) this.openOf[key]!++;
  }

  private pop(): void {
    const key = this.key[this.depth]!;
    const entry = this.entry[this.depth]!;
    if (key < TAG_COUNT) this.openOf[key]!--;
    this.depth--;
    if (entry >= 0) {
      this.to[entry] = this.length;
      this.push(KIND.close, this.tag[entry]!, entry, 0);
    }
    if (this.depth === this.pushing) {
      this.pushedFrom.pop();
      this.pushing = this.pushedFrom.at(-1) ?? -1;
      this.pushOut(this.pushedAt.pop()!, this.length);
    }
  }

  /** Whether what comes next stands in a table and in no cell of it. */
  private inTable(): boolean {
    const key = this.key[this.depth]!;
    return key < TAG_COUNT && ROWS[key] === 1;
  }

  /** Whether a table is open and no cell of it, whatever else is: then another table ends it. */
  private betweenCells(): boolean {
    if (this.openOf[T.table] === 0) return false;
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      if (key === T.td || key === T.th || key === T.caption || key === T.template) return false;
      if (key < TAG_COUNT && ROWS[key] === 1) return true;
    }
    return false;
  }

  /** Entries that stand in front of the innermost table. */
  private pushOut(from: number, to: number): void {
    for (let at = this.depth; at > 0 && this.key[at] !== T.template; at--)
      if (this.key[at] === T.table) {
        if (to > from) this.fosters.add(from, to, this.entry[at]!);
        return;
      }
  }

  private popTo(depth: number): void {
    while (this.depth > depth) this.pop();
  }

  private closeP(): void {
    if (this.openOf[T.p]! > 0) this.closeInScope(T.p);
  }

  private inButtonScope(tag: number): boolean {
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      if (key === tag) return true;
      if (key === T.button || (key < TAG_COUNT && (FLAGS[key]! & SCOPE) !== 0)) return false;
    }
    return false;
  }

  /** Pops through the innermost `tag`, unless a scope lies between: for p also a button, for li a list. */
  private closeInScope(tag: number): void {
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      const alien = this.alien[at] === 1;
      if (key === tag && !alien) {
        this.popTo(at - 1);
        return;
      }
      if (alien) {
        if (isIntegration(key)) return;
      } else if (key < TAG_COUNT && (FLAGS[key]! & SCOPE) !== 0) return;
      else if (tag === T.p && key === T.button) return;
      else if (tag === T.li && (key === T.ul || key === T.ol)) return;
    }
  }

  private closeHeading(): void {
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      if (isHeading(key)) {
        this.popTo(at - 1);
        return;
      }
      if (key < TAG_COUNT && (FLAGS[key]! & SCOPE) !== 0) return;
    }
  }

  /** An inline element ends with its tag, but its end tag does not reach out of a block. */
  private closeInline(key: number): void {
    for (let at = this.depth; at > 0; at--) {
      const open = this.key[at]!;
      if (open === key) {
        this.popTo(at - 1);
        return;
      }
      if (open < TAG_COUNT && (FLAGS[open]! & SPECIAL) !== 0) return;
    }
  }

  /** A link that is open where another starts ends there; blocks opened in it stay open, so only a mark is left. */
  private closeLink(): void {
    if (this.openOf[T.a] === 0) return;
    this.closeInline(T.a);
  }

  /** End tags in foreign content look for their element among the foreign ones first. */
  private closeAlien(key: number): boolean {
    for (let at = this.depth; at > 0 && this.alien[at] === 1; at--) {
      if (this.key[at] === key) {
        this.popTo(at - 1);
        return true;
      }
    }
    return false;
  }

  /** Elements left open in a form stay open: then it ends with its parent. */
  private closeForm(): void {
    let at = this.depth;
    while (at > 0 && endsByItself(this.key[at]!)) at--;
    this.popTo(at);
    if (this.key[at] === T.form) this.pop();
  }

  private closeInTable(tag: number): void {
    let part = 0;
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      if (key === tag) {
        this.popTo(at - 1);
        return;
      }
      if (key === T.table || key === T.template) {
        if (part > 0) this.popTo(part - 1);
        return;
      }
      // What the row, or the group of rows, without a tag of its own holds.
      if (key === T.td || key === T.th) part = tag === T.tr || tag === T.tbody ? at : 0;
      else if (key === T.tr) part = tag === T.tbody ? at : 0;
      else if (key === T.thead || key === T.tfoot || (key === T.tbody && tag === T.tbody)) part = 0;
    }
  }

  /** An item ends the last item of its list, also through elements left open in it. */
  private closeItem(a: number, b: number): void {
    if (this.openOf[a] === 0 && this.openOf[b] === 0) return;
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      if (key === a || key === b) {
        this.popTo(at - 1);
        return;
      }
      const special = key < TAG_COUNT && (FLAGS[key]! & SPECIAL) !== 0;
      if (special && key !== T.address && key !== T.div && key !== T.p) return;
    }
  }

  /** Closes cells, rows and groups down to where a new one may stand. No table open: nothing. */
  private clearToTable(parent: number): void {
    if (this.openOf[T.table] === 0) return;
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      const stop =
        key === T.table ||
        key === T.template ||
        (parent !== T.table && (key === T.tbody || key === T.thead || key === T.tfoot)) ||
        (parent === T.tr && key === T.tr);
      if (stop) {
        this.popTo(at);
        return;
      }
    }
  }
}

/** Where only parts of a table may stand: what else comes stands in front of the table. */
const ROWS = new Uint8Array(TAG_COUNT);
for (const tag of [T.table, T.tbody, T.thead, T.tfoot, T.tr, T.colgroup]) ROWS[tag] = 1;
/** What stands in a table all the same: its parts; a table, which ends it; and what is not shown. */
const IN_TABLE = new Uint8Array(TAG_COUNT);
for (const tag of [T.table, T.tbody, T.thead, T.tfoot, T.tr, T.td, T.th, T.caption, T.colgroup]) IN_TABLE[tag] = 1;
for (const tag of [T.script, T.style, T.template, T.form, T.title, T.head]) IN_TABLE[tag] = 1;

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (bytes[at]! > 32) return false;
  return true;
}

/** Elements whose end tag may be left out. */
const endsByItself = (key: number): boolean =>
  key === T.p || key === T.li || key === T.dd || key === T.dt || key === T.option || key === T.optgroup;
const isHeading = (tag: number): boolean => tag >= T.h1 && tag <= T.h6;
const INTEGRATION = new Set<number>(
  ['foreignobject', 'desc', 'title', 'mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml'].map(
    (name) => T[name as keyof typeof T],
  ),
);
const isIntegration = (key: number): boolean => INTEGRATION.has(key);
/** In foreign content: skipped text stays skipped (a title too), all else is a plain element. */
const foreignOf = (tag: number): number => ((FLAGS[tag]! & SKIP) !== 0 ? T.noembed : 0);
