/**
 * Blocks that stand on many pages of one host (menus that no markup tells, notices, prompts to sign up) are boilerplate,
 * whatever a look at one page says. Counted over the pages of a host, then moved page by page: nothing is lost, only
 * weighed less.
 *
 *     const counts = new BlockCounts();
 *     for (page of the host) counts.add(page.text);
 *     for (page of the host) page = counts.split(page);
 *
 * The answer depends on the set of pages, not on their order. Memory: 12 bytes a different block, at most MAX_BLOCKS.
 */

/** Pages of a host below which nothing is told, since few pages are alike by chance. */
const MIN_PAGES = 5;
/** Share of a host's pages on which a block must stand. */
const SHARE = 0.3;
/** Blocks longer than this are content, however often they come: a copied page is for dedup, not for here. */
const MAX_CHARS = 400;
/** Different blocks of one host that are counted; further ones, seen after so many, are taken for content. */
const MAX_BLOCKS = 1 << 18;

export interface TextAndBoilerplate {
  readonly text: string;
  readonly boilerplate: string;
}

export class BlockCounts {
  private readonly counts = new Map<number, number>();
  private pages = 0;

  /** Counts the blocks (lines) of a page's text, each once. */
  add(text: string): void {
    this.pages++;
    const seen = new Set<number>();
    for (const line of text.split('\n')) {
      if (line === '' || line.length > MAX_CHARS) continue;
      const hash = blockHash(line);
      if (seen.has(hash)) continue;
      seen.add(hash);
      const count = this.counts.get(hash);
      if (count !== undefined) this.counts.set(hash, count + 1);
      else if (this.counts.size < MAX_BLOCKS) this.counts.set(hash, 1);
    }
  }

  /** Whether a block stands on too many pages of the host to be what this page is about. */
  repeats(line: string): boolean {
    if (this.pages < MIN_PAGES || line.length > MAX_CHARS) return false;
    return (this.counts.get(blockHash(line)) ?? 0) > Math.max(MIN_PAGES - 1, this.pages * SHARE);
  }

  /** The page with its repeated blocks moved to the boilerplate; as it was when nothing else would remain. */
  split<P extends TextAndBoilerplate>(page: P): P {
    if (this.pages < MIN_PAGES || page.text === '') return page;
    const kept: string[] = [];
    const moved: string[] = [];
    for (const line of page.text.split('\n')) (this.repeats(line) ? moved : kept).push(line);
    if (moved.length === 0 || kept.length === 0) return page;
    const boilerplate = page.boilerplate === '' ? moved : [page.boilerplate, ...moved];
    return { ...page, text: kept.join('\n'), boilerplate: boilerplate.join('\n') };
  }
}

/** 52 bits of a block, digits apart: a counter or a date in it does not make it another block. */
function blockHash(line: string): number {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  let digits = false;
  for (let i = 0; i < line.length; i++) {
    let c = line.charCodeAt(i);
    if (c >= 48 && c <= 57) {
      if (digits) continue;
      digits = true;
      c = 48;
    } else digits = false;
    low = Math.imul(low ^ c, 0x01000193);
    high = Math.imul(high ^ c, 0x5bd1e995) + 1;
  }
  return (low >>> 0) + ((high ^ (high >>> 15)) & 0xfffff) * 0x100000000;
}
