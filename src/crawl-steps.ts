import { cpuUsage } from 'node:process';
import type { CrawlHold } from './crawl-hold.ts';
import { CrawlError } from './errors.ts';
import type { CrawlEvent } from './events.ts';
import { type IndexCall, IndexSession } from './jobs/index-session.ts';
import { isFetched, isInverted, isUpdated } from './jobs/progress.ts';
import type { Settled } from './options.ts';
import { partFiles } from './page/segment-files.ts';
import { segmentsOf } from './read/segment.ts';
import type { Counters, JobContext } from './run/context.ts';
import type { Tables } from './store/tables.ts';
import { shadowed } from './url/shadowed.ts';

/** The crawl that steps are run for. */
export interface StepsOf {
  readonly dir: string;
  readonly options: Settled;
  readonly signal: AbortSignal;
  readonly holding: CrawlHold;
  seeds(): readonly string[];
  tell(event: CrawlEvent): void;
  /** ms since the epoch. */
  now(): number;
  /** Called when an index was published, or could not be. */
  reload(): Promise<void>;
}

/**
 * How a job of a crawl is run: alone, with all that it needs, its begin and end told. A step on a segment takes the oldest
 * that waits for it; a step on the index ends with a commit.
 */
export class CrawlSteps {
  private readonly crawl: StepsOf;
  private rulesTold = false;

  constructor(crawl: StepsOf) {
    this.crawl = crawl;
  }

  /** Runs after whatever runs now, alone. */
  exclusive<T>(act: (context: JobContext) => Promise<T>, doing = 'crawl'): Promise<T> {
    return this.crawl.holding.exclusive(({ tables, pool }) => {
      if (this.crawl.signal.aborted) throw new CrawlError('interrupted', 'stopped; the state is kept');
      this.warnOfRules();
      return act({
        dir: this.crawl.dir,
        options: this.crawl.options,
        seeds: this.crawl.seeds(),
        pool,
        tables,
        signal: this.crawl.signal,
        onEvent: (event) => this.crawl.tell(event),
        now: this.crawl.now(),
        clock: () => this.crawl.now(),
      });
    }, doing);
  }
  /** Once: of filter rules that never decide. */
  private warnOfRules(): void {
    if (this.rulesTold) return;
    this.rulesTold = true;
    const { filters, filterSets } = this.crawl.options.scope;
    const all = [
      ...shadowed(filters).map((told) => `scope.filters ${told}`),
      ...filterSets.flatMap(({ filter, rules = [] }, at) =>
        filter === 'regex' ? shadowed(rules).map((told) => `scope.filterSets[${at}] ${told}`) : [],
      ),
    ];
    for (const message of all) this.crawl.tell({ kind: 'warning', message, where: 'scope' });
  }
  /** One job, told from its begin to its end. */
  step(name: string, act: (context: JobContext) => Promise<Counters>): Promise<Counters> {
    return this.exclusive((context) => this.timed(name, context, () => act(context)), name);
  }
  private async timed(
    step: string,
    context: JobContext,
    act: () => Promise<Counters>,
    segment?: string,
  ): Promise<Counters> {
    if (context.signal.aborted) throw new CrawlError('interrupted', `stopped before ${step}; the state is kept`);
    const started = performance.now();
    const cpu = cpuUsage();
    this.crawl.tell({ kind: 'step-started', step, ...(segment ? { segment } : {}) });
    const counters = await act();
    const used = cpuUsage(cpu);
    this.crawl.tell({
      kind: 'step-finished',
      step,
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: (used.user + used.system) / 1e6,
      counters,
    });
    return counters;
  }
  /**
   * A job on one segment: the one that is named, else the oldest that waits for it.
   * @throws CrawlError 'nothing-to-do' | 'usage' | 'missing-input'
   */
  segmentStep(
    step: string,
    named: string | undefined,
    waits: (segment: string, tables: Tables) => boolean | Promise<boolean>,
    act: (context: JobContext, segment: string) => Promise<Counters>,
  ): Promise<Counters> {
    return this.exclusive(async (context) => {
      const segment = named ?? (await this.oldest(waits, context.tables));
      if (segment === null)
        throw new CrawlError(
          'nothing-to-do',
          `no segment of ${this.crawl.dir} waits for ${step}; ${before[step] ?? 'generate'} makes them`,
        );
      if (!segmentsOf(this.crawl.dir).includes(segment))
        throw new CrawlError(
          'usage',
          `there is no segment ${segment} in ${this.crawl.dir}; nuthatch readseg lists them`,
        );
      if (step !== 'fetch' && !isFetched(this.crawl.dir, segment))
        throw new CrawlError('missing-input', `segment ${segment} has not been fetched; run nuthatch fetch first`);
      return this.timed(step, context, () => act(context, segment), segment);
    }, step);
  }
  private async oldest(
    waits: (segment: string, tables: Tables) => boolean | Promise<boolean>,
    tables: Tables,
  ): Promise<string | null> {
    for (const segment of segmentsOf(this.crawl.dir)) if (await waits(segment, tables)) return segment;
    return null;
  }
  /** Segments that an earlier run generated and did not bring to their end. */
  async unfinished(): Promise<string[]> {
    const { tables } = await this.crawl.holding.take('crawl');
    const left: string[] = [];
    for (const segment of segmentsOf(this.crawl.dir))
      if (!isFetched(this.crawl.dir, segment) && partFiles(this.crawl.dir, segment, 'crawl_generate').length === 0)
        this.crawl.tell({
          kind: 'warning',
          message: `segment ${segment} has no fetchlist and was never finished; it is passed over`,
        });
      else if (
        !isFetched(this.crawl.dir, segment) ||
        !(await isUpdated(tables, segment)) ||
        !(this.crawl.options.index.linksOnly || (await isInverted(tables, segment)))
      )
        left.push(segment);
    return left;
  }
  /** One step on the index, published at its end. `published` is called then, and not when it was refused. */
  indexStep(
    step: string,
    act: (session: IndexSession, context: JobContext) => Promise<Counters>,
    { anew = false, published = () => {} }: { anew?: boolean; published?: () => void } = {},
  ): Promise<Counters> {
    return this.step(step, async (context) => {
      const session = await IndexSession.open(context, { anew });
      try {
        const did = await act(session, context);
        const counters = { ...did, ...(await session.publish()) };
        published();
        return counters;
      } finally {
        await session.close();
        await this.crawl.reload();
      }
    });
  }

  /** Index, dedup, merge and publish, as one commit: a reader sees all of it or nothing. */
  index(call: IndexCall = {}): Promise<Counters> {
    return this.exclusive(async (context) => {
      const session = await IndexSession.open(context, { anew: call.all === true });
      try {
        const indexed = await this.timed('index', context, () => session.indexPages(call));
        if (session.unchanged && session.writer.segments.length < 2)
          return { ...indexed, published: session.documents };
        const deduped = await this.timed('dedup', context, () => session.dedup());
        const merged = await this.timed('merge', context, () => session.merge(this.crawl.options.index.merge));
        const published = await this.timed('publish', context, () => session.publish());
        return { ...indexed, ...deduped, ...merged, ...published };
      } finally {
        await session.close();
        await this.crawl.reload();
      }
    });
  }
}

/** Which step makes what a step waits for. */
const before: Readonly<Record<string, string>> = {
  fetch: 'generate',
  parse: 'fetch',
  updatedb: 'fetch',
  invertlinks: 'fetch',
};
