import { KIND, type Tape } from './tape.ts';

/**
 * What stands in a table and belongs in no cell is put in front of the table, as the HTML standard has it (13.2.6.1, foster
 * parenting). Nesting writes a tape in the order of the page and notes such ranges here; at the end the tape is put in
 * order, once, and only if there are any.
 *
 * A range is balanced (every element in it ends in it), and two ranges are apart or one holds the other.
 */
export class Fosters {
  /** Of each range: its first entry, the one after its last, its table, and the next range of that table (-1: none). */
  private readonly start: number[] = [];
  private readonly end: number[] = [];
  private readonly next: number[] = [];
  /** Table -> its first and its last range. */
  private readonly first = new Map<number, number>();
  private readonly last = new Map<number, number>();

  get any(): boolean {
    return this.start.length > 0;
  }

  begin(): void {
    if (!this.any) return;
    this.start.length = this.end.length = this.next.length = 0;
    this.first.clear();
    this.last.clear();
  }

  /** Entries `start` to `end` stand in front of `table`, behind those given for it before. Given in the order of their ends. */
  add(start: number, end: number, table: number): void {
    const range = this.start.length;
    this.start.push(start);
    this.end.push(end);
    this.next.push(-1);
    const before = this.last.get(table);
    if (before === undefined) this.first.set(table, range);
    else this.next[before] = range;
    this.last.set(table, range);
  }

  /** New place -> entry. Cost: linear in the tape; recursion no deeper than elements nest. */
  order(entries: number): Uint32Array {
    const order = new Uint32Array(entries);
    /** Entry -> 1 more than the range that begins there. */
    const begins = new Uint32Array(entries);
    for (let range = 0; range < this.start.length; range++) begins[this.start[range]!] = range + 1;
    let at = 0;
    const put = (from: number, to: number): void => {
      for (let i = from; i < to; ) {
        // Its place was in front of the table; `from` is where that place begins.
        if (i > from && begins[i]! > 0) {
          i = this.end[begins[i]! - 1]!;
          continue;
        }
        const first = this.first.get(i);
        for (let range = first ?? -1; range >= 0; range = this.next[range]!) put(this.start[range]!, this.end[range]!);
        order[at++] = i++;
      }
    };
    put(0, entries);
    return order;
  }
}

/** Puts the entries of a tape in another order, in which it is as balanced as before. */
export function reorder(tape: Tape, order: Uint32Array): void {
  const n = order.length;
  const place = new Uint32Array(n);
  for (let i = 0; i < n; i++) place[order[i]!] = i;
  const kind = tape.kind.slice(0, n);
  const tag = tape.tag.slice(0, n);
  const many = tape.many.slice(0, n);
  const from = tape.from.slice(0, n);
  const to = tape.to.slice(0, n);
  for (let i = 0; i < n; i++) {
    const old = order[i]!;
    const what = kind[old]!;
    tape.kind[i] = what;
    tape.tag[i] = tag[old]!;
    tape.many[i] = many[old]!;
    tape.from[i] = what === KIND.close ? place[from[old]!]! : from[old]!;
    tape.to[i] = what === KIND.open || what === KIND.empty ? place[to[old]!]! : to[old]!;
  }
}
