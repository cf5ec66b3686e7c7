import { Fosters } from './foster.ts';
import { FLAGS, INLINE, SCOPE, SPECIAL, T, TAG_COUNT } from './tags.ts';
import { KIND, Tape } from './tape.ts';

/** Elements open at once; as browsers do, deeper ones become children of the last allowed. */
export const MAX_DEPTH = 512;
/** Bit of the keys of unknown names. */
export const UNKNOWN = 0x40000000;

/**
 * The elements that are open: opening one, and closing the innermost of a name as far as its scope, its list, its table or
 * its block allows, with what stands in it. What a table pushes out in front of itself is noted when it ends.
 *
 * Which tag opens and closes what is in nesting.ts. Cost: constant, but for searches that MAX_DEPTH bounds.
 */
export class OpenElements extends Tape {
  /** Every element with its class is kept, for selectors. */
  keepAll = false;

  /** Open elements: number of the name (a hash with UNKNOWN for other names), entry (-1: not on the tape). */
  protected depth = 0;
  protected readonly key = new Int32Array(MAX_DEPTH + 1);
  private readonly entry = new Int32Array(MAX_DEPTH + 1);
  /** Whether what stands in it is foreign, and whether it is foreign itself. */
  protected readonly foreign = new Uint8Array(MAX_DEPTH + 1);
  protected readonly alien = new Uint8Array(MAX_DEPTH + 1);
  protected readonly openOf = new Int32Array(TAG_COUNT);
  /** What tables push out; of elements that are being pushed out, the depth they stand in and the entry they begin at. */
  protected readonly fosters = new Fosters();
  private readonly pushedFrom: number[] = [];
  private readonly pushedAt: number[] = [];
  /** The last of `pushedFrom`; -1: none. */
  private pushing = -1;

  /** Nothing is open, and nothing pushed out. */
  protected beginOpen(): void {
    this.depth = 0;
    this.openOf.fill(0);
    this.key[0] = 0;
    this.entry[0] = -1;
    this.foreign[0] = 0;
    this.fosters.begin();
    this.pushedFrom.length = this.pushedAt.length = 0;
    this.pushing = -1;
  }

  protected open(tag: number, key: number, first: number, selfClosing: boolean): void {
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

  protected pop(): void {
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
  protected inTable(): boolean {
    const key = this.key[this.depth]!;
    return key < TAG_COUNT && ROWS[key] === 1;
  }

  /** Whether a table is open and no cell of it, whatever else is: then another table ends it. */
  protected betweenCells(): boolean {
    if (this.openOf[T.table] === 0) return false;
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      if (key === T.td || key === T.th || key === T.caption || key === T.template) return false;
      if (key < TAG_COUNT && ROWS[key] === 1) return true;
    }
    return false;
  }

  /** Entries that stand in front of the innermost table. */
  protected pushOut(from: number, to: number): void {
    for (let at = this.depth; at > 0 && this.key[at] !== T.template; at--)
      if (this.key[at] === T.table) {
        if (to > from) this.fosters.add(from, to, this.entry[at]!);
        return;
      }
  }

  private popTo(depth: number): void {
    while (this.depth > depth) this.pop();
  }

  protected closeP(): void {
    if (this.openOf[T.p]! > 0) this.closeInScope(T.p);
  }

  protected inButtonScope(tag: number): boolean {
    for (let at = this.depth; at > 0; at--) {
      const key = this.key[at]!;
      if (key === tag) return true;
      if (key === T.button || (key < TAG_COUNT && (FLAGS[key]! & SCOPE) !== 0)) return false;
    }
    return false;
  }

  /** Pops through the innermost `tag`, unless a scope lies between: for p also a button, for li a list. */
  protected closeInScope(tag: number): void {
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

  protected closeHeading(): void {
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
  protected closeInline(key: number): void {
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
  protected closeLink(): void {
    if (this.openOf[T.a] === 0) return;
    this.closeInline(T.a);
  }

  /** End tags in foreign content look for their element among the foreign ones first. */
  protected closeAlien(key: number): boolean {
    for (let at = this.depth; at > 0 && this.alien[at] === 1; at--) {
      if (this.key[at] === key) {
        this.popTo(at - 1);
        return true;
      }
    }
    return false;
  }

  /** Elements left open in a form stay open: then it ends with its parent. */
  protected closeForm(): void {
    let at = this.depth;
    while (at > 0 && endsByItself(this.key[at]!)) at--;
    this.popTo(at);
    if (this.key[at] === T.form) this.pop();
  }

  protected closeInTable(tag: number): void {
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
  protected closeItem(a: number, b: number): void {
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
  protected clearToTable(parent: number): void {
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

/** Elements whose end tag may be left out. */
const endsByItself = (key: number): boolean =>
  key === T.p || key === T.li || key === T.dd || key === T.dt || key === T.option || key === T.optgroup;
export const isHeading = (tag: number): boolean => tag >= T.h1 && tag <= T.h6;
const INTEGRATION = new Uint8Array(TAG_COUNT);
for (const name of ['foreignobject', 'desc', 'title', 'mi', 'mo', 'mn', 'ms', 'mtext', 'annotation-xml'])
  INTEGRATION[T[name as keyof typeof T]] = 1;
export const isIntegration = (key: number): boolean => key < TAG_COUNT && INTEGRATION[key] === 1;
