import Benchmark from 'benchmark';
import { cpuSeconds, kept, peakRss } from './memory.ts';
import { align, digits, record } from './results.ts';

/** What is timed: called over and over; what it returns is kept, so that nothing is optimised away. */
export type Timed = () => unknown;

export interface Work {
  /** How much one call does, in `unit`: rates are told in it. Default: one call. */
  readonly amount?: number;
  /** 'MB', 'records', 'queries'. */
  readonly unit?: string;
  /** The case that is the base of the ratios; default: the first. */
  readonly base?: string;
}

/**
 * One question to measure: a bench file makes one, tells memory first, then compares cases. What it prints is for
 * people; the same figures go as JSON lines to the work folder.
 *
 *     const ask = question('words');
 *     const corpus = ask.memory('corpus', () => texts({ seed: 1, documents: 1000 }));
 *     await ask.compare({ table: () => run(corpus), regex: () => other(corpus) }, { amount: 3.2, unit: 'MB' });
 */
export function question(name: string) {
  let sink: unknown;
  console.log(`\n${name}`);

  return {
    name,

    /** Makes a value outside the timed part and tells what it keeps in memory. */
    memory<T>(what: string, make: () => T): T {
      const { value, kept: bytes } = kept(make);
      console.log(`  ${what}: heap ${digits(bytes.heap / 1e6)} MB, outside ${digits(bytes.outside / 1e6)} MB`);
      record(name, { what, heapBytes: bytes.heap, outsideBytes: bytes.outside });
      return value;
    },

    /** A figure that was found otherwise: bytes on disk, a count, CPU seconds of a run. */
    figure(what: string, figures: Readonly<Record<string, number | string>>): void {
      const cells = Object.entries(figures).map(
        ([key, value]) => `${key} ${typeof value === 'number' ? digits(value) : value}`,
      );
      console.log(`  ${what}: ${cells.join(', ')}`);
      record(name, { what, ...figures });
    },

    /**
     * Times the cases by benchmark.js, one after the other, then each once more against the CPU clock, which other
     * programs on the machine disturb less. Ratios are of CPU time, base = 1: below 1 is cheaper than the base.
     */
    async compare(cases: Readonly<Record<string, Timed>>, work: Work = {}): Promise<void> {
      const { amount = 1, unit = 'calls' } = work;
      const found: { what: string; perSecond: number; perCpuSecond: number; error: number }[] = [];
      for (const [what, run] of Object.entries(cases)) {
        const bench = await new Promise<Benchmark>((resolve, reject) => {
          new Benchmark(what, {
            fn: () => {
              sink = run();
            },
            maxTime: Number(process.env.NUTHATCH_BENCH_SECONDS ?? 1),
            onError: (event: { target: { error: Error } }) => reject(event.target.error),
            onComplete(this: Benchmark) {
              resolve(this);
            },
          }).run({ async: true });
        });
        const calls = Math.max(1, Math.ceil(bench.hz * 0.3));
        const before = cpuSeconds();
        for (let i = 0; i < calls; i++) sink = run();
        const cpu = Math.max(cpuSeconds() - before, 1e-6);
        found.push({
          what,
          perSecond: bench.hz * amount,
          perCpuSecond: (calls * amount) / cpu,
          error: bench.stats.rme,
        });
      }
      const base = found.find(({ what }) => what === work.base) ?? found[0]!;
      const rows = [['', `${unit}/s`, `${unit}/CPU s`, '+-', 'CPU, ratio']];
      for (const { what, perSecond, perCpuSecond, error } of found) {
        const ratio = base.perCpuSecond / perCpuSecond;
        rows.push([`  ${what}`, digits(perSecond), digits(perCpuSecond), `${error.toFixed(0)} %`, ratio.toFixed(2)]);
        record(name, { what, unit, perSecond, perCpuSecond, errorPercent: error, base: base.what, ratio });
      }
      console.log(align(rows));
      void sink;
    },

    /** Times asynchronous work once with the CPU clock of all threads; for what is too long to repeat. */
    async once<T>(what: string, run: () => Promise<T> | T, work: Work = {}): Promise<T> {
      const { amount = 1, unit = 'calls' } = work;
      const before = cpuSeconds();
      const started = performance.now();
      const value = await run();
      const cpu = Math.max(cpuSeconds() - before, 1e-6);
      const seconds = (performance.now() - started) / 1000;
      this.figure(what, {
        [`${unit}/CPU s`]: amount / cpu,
        'CPU s': cpu,
        'wall s': seconds,
        'peak RSS MB': peakRss() / 1e6,
      });
      return value;
    },
  };
}
