/**
 * Blocks that stand on many pages of one host (menus that no markup tells, notices, prompts to sign up) are boilerplate,
 * whatever a look at one page says. Counted over the pages of a host, then moved page by page: nothing is lost, only
 * weighed less.
 *
 *     const counts = new BlockCounts();
 *     for (page of the host) counts.add(page.text);
 *     for (page of the host) page = counts.split(page);
 *
 * The answer depends on the set of pages, not on their order. Memory: 24 to 48 bytes a different block, at most MAX_BLOCKS.
 * A text is scanned where it lies: no block is cut out to be counted, none but those moved to be split off.
 */

/** Pages of a host below which nothing is told, since few pages are alike by chance. */
const MIN_PAGES = 5;
/** Share of a host's pages on which a block must stand. */
const SHARE = 0.3;
/** Blocks longer than this are content, however often they come: a copied page is for dedup, not for here. */
const MAX_CHARS = 400;
/** Blocks of a host that are remembered from one time to the next, the most frequent ones. */
const MAX_REMEMBERED = 64;
/** Pages with a block that is remembered, where few pages tell nothing. */
const ALWAYS = 1 << 30;
/** Different blocks of one host that are counted; further ones, seen after so many, are taken for content. */
const MAX_BLOCKS = 1 << 18;

export interface TextAndBoilerplate {
  readonly text: string;
  readonly boilerplate: string;
}

/** Integers of a row: hash, its other half, pages with the block, the last of them. A row without pages is free. */
const ROW = 4;

export class BlockCounts {
  /** Open addressing, at most two thirds full. */
  private rows = new Int32Array(ROW << 10);
  private blocks = 0;
  private pages = 0;

  /** Counts the blocks (lines) of a page's text, each once. */
  add(text: string): void {
    const page = ++this.pages;
    for (let at = 0; at <= text.length; at = scan.end + 1) {
      scanBlock(text, at);
      if (scan.end === at || scan.long) continue;
      const { rows } = this;
      const row = this.rowOf(scan.low, scan.high);
      if (rows[row + 2] === 0) {
        if (this.blocks >= MAX_BLOCKS) continue;
        rows[row] = scan.low;
        rows[row + 1] = scan.high;
        rows[row + 2] = 1;
        rows[row + 3] = page;
        if (++this.blocks * ROW * 3 > rows.length * 2) this.grow();
      } else if (rows[row + 3] !== page) {
        rows[row + 2]!++;
        rows[row + 3] = page;
      }
    }
  }

  /** Whether there were pages enough to tell what a host repeats. */
  get tells(): boolean {
    return this.pages >= MIN_PAGES;
  }

  /** The blocks that the host repeats, as `remember` takes them: two integers each, in the order of their frequency. */
  repeated(): Int32Array {
    const { rows } = this;
    const most = this.most();
    const found: number[] = [];
    for (let row = 0; row < rows.length; row += ROW) if (rows[row + 2]! > most) found.push(row);
    // A total order, whatever the order of the pages was.
    found.sort((a, b) => rows[b + 2]! - rows[a + 2]! || rows[a]! - rows[b]! || rows[a + 1]! - rows[b + 1]!);
    const kept = found.slice(0, MAX_REMEMBERED);
    return Int32Array.from(kept.flatMap((row) => [rows[row]!, rows[row + 1]!]));
  }

  /** What the host repeated when there were pages enough to tell; for one of which there are too few now. */
  remember(blocks: Int32Array): void {
    for (let at = 0; at + 1 < blocks.length; at += 2) {
      const row = this.rowOf(blocks[at]!, blocks[at + 1]!);
      if (this.rows[row + 2] === 0) this.blocks++;
      this.rows[row] = blocks[at]!;
      this.rows[row + 1] = blocks[at + 1]!;
      this.rows[row + 2] = ALWAYS;
      if (this.blocks * ROW * 3 > this.rows.length * 2) this.grow();
    }
  }

  /** Pages on which a block may stand without being what a host repeats. */
  private most(): number {
    return this.tells ? Math.max(MIN_PAGES - 1, this.pages * SHARE) : ALWAYS - 1;
  }

  /** The page with its repeated blocks moved to the boilerplate; as it was when nothing else would remain. */
  split<P extends TextAndBoilerplate>(page: P): P {
    const { text } = page;
    if (text === '') return page;
    const most = this.most();
    const kept: string[] = [];
    const moved: string[] = page.boilerplate === '' ? [] : [page.boilerplate];
    const before = moved.length;
    // Neighbours that go the same way are cut out together.
    let start = 0;
    let away = false;
    for (let at = 0; at <= text.length; at = scan.end + 1) {
      scanBlock(text, at);
      // Whether it stands on too many pages of the host to be what this page is about.
      const repeats = scan.end > at && !scan.long && this.rows[this.rowOf(scan.low, scan.high) + 2]! > most;
      if (repeats === away) continue;
      if (at > start) (away ? moved : kept).push(text.slice(start, at - 1));
      start = at;
      away = repeats;
    }
    (away ? moved : kept).push(text.slice(start));
    if (moved.length === before || kept.length === 0) return page;
    return { ...page, text: kept.join('\n'), boilerplate: moved.join('\n') };
  }

  /** Where a block stands, or the free row where it would. */
  private rowOf(low: number, high: number): number {
    const { rows } = this;
    const mask = rows.length / ROW - 1;
    let at = (low ^ (low >>> 15)) & mask;
    while (rows[at * ROW + 2] !== 0 && (rows[at * ROW] !== low || rows[at * ROW + 1] !== high)) at = (at + 1) & mask;
    return at * ROW;
  }

  private grow(): void {
    const before = this.rows;
    this.rows = new Int32Array(before.length * 2);
    for (let row = 0; row < before.length; row += ROW)
      if (before[row + 2] !== 0)
        this.rows.set(before.subarray(row, row + ROW), this.rowOf(before[row]!, before[row + 1]!));
  }
}

/** The block that was scanned last: where it ends, whether it is too long to be counted, and 64 bits of it if not. */
const scan = { end: 0, long: false, low: 0, high: 0 };

/** Digits count once and alike: a counter or a date in a block does not make it another block. */
function scanBlock(text: string, start: number): void {
  const limit = Math.min(text.length, start + MAX_CHARS + 1);
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  let digits = false;
  let at = start;
  for (; at < limit; at++) {
    let c = text.charCodeAt(at);
    if (c === 10) break;
    if (c >= 48 && c <= 57) {
      if (digits) continue;
      digits = true;
      c = 48;
    } else digits = false;
    low = Math.imul(low ^ c, 0x01000193);
    high = Math.imul(high ^ c, 0x5bd1e995) + 1;
  }
  scan.long = at - start > MAX_CHARS;
  const end = scan.long ? text.indexOf('\n', at) : at;
  scan.end = end < 0 ? text.length : end;
  scan.low = low | 0;
  scan.high = (high ^ (high >>> 15)) | 0;
}
