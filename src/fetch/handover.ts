import type { Settled } from '../options.ts';
import type { PageInput } from '../parse/page.ts';
import type { ParseSettings } from '../parse/settings.ts';
import { createAdmit } from '../url/admit.ts';
import { Outlinks } from './outlinks.ts';
import type { PageFacts } from './parts.ts';
import { type PageRead, readPage } from './read-page.ts';
import type { Spent } from './spent.ts';

/**
 * Reading for a shard that has more to read than it can: a crawl of one host has one shard, which would leave the other
 * cores idle. Its bodies are moved, not copied, to a thread that has nothing else to do, and come back as the bytes to
 * write. Fetching does not move, so the delay stays exact. Costs 0.1 CPU s per 1,000 pages, so it is done only while the
 * shard's own loop is busy and the machine has a core to spare.
 */
export interface PageWork {
  readonly input: PageInput;
  readonly facts: Omit<PageFacts, 'body'>;
  readonly settings: ParseSettings;
  readonly scope: Settled['scope'];
  readonly seeds: readonly string[];
}

/** What the last task knew of links: tasks of a crawl share it. */
let known: { readonly name: string; readonly outlinks: Outlinks } | null = null;

/** What comes back, and what it took. */
export type PageReadFor = PageRead & Pick<Spent, 'readingMs'>;

/** The code of workers/page.ts. */
export function readForShard(work: PageWork): PageReadFor {
  const from = performance.now();
  const name = JSON.stringify([work.scope, work.seeds]);
  if (known?.name !== name) known = { name, outlinks: new Outlinks(createAdmit(work.scope, work.seeds, 'outlink')) };
  const read = readPage(work.input, work.facts, work.settings, known.outlinks);
  return { ...read, readingMs: performance.now() - from };
}

/** Share of its time that a loop must be at work before it hands pages over. */
const BUSY = 0.8;

/** Decides whether a shard hands its next page over. */
export class Helpers {
  readonly #most: number;
  readonly #utilization: () => number;
  #busy = false;
  /** Pages handed over and not yet back. */
  away = 0;

  /** @param threads that have nothing else to do; @param utilization of this loop since the last call, 0 to 1 */
  constructor(threads: number, utilization: () => number) {
    this.#most = threads * 4;
    this.#utilization = utilization;
  }

  /** Looks at the loop; called a few times a second. */
  look(): void {
    this.#busy = this.#utilization() > BUSY;
  }

  /** True: the next page shall be read elsewhere. */
  wanted(): boolean {
    return this.#busy && this.away < this.#most;
  }
}
