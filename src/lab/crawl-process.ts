/** A process that does one crawl and watches itself at it: the other side of run.ts. */
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { Worker } from 'node:worker_threads';
import { Crawl } from '../crawl.ts';
import type { CrawlEvent } from '../events.ts';
import type { Options } from '../options.ts';
import { settle } from '../settle.ts';
import type { Sample, StepFigures } from './figures.ts';

export interface CrawlTask {
  readonly dir: string;
  readonly seeds: readonly string[];
  readonly options: Options;
}

export interface CrawlMeasured {
  readonly pages: number;
  readonly bytes: number;
  readonly indexed: number;
  readonly threads: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly startCpuSeconds: number;
  readonly peakRssBytes: number;
  readonly steps: readonly StepFigures[];
  readonly readingSeconds: number;
  readonly storingSeconds: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly samples: readonly Sample[];
}

const FIRST_INTERVAL_MS = 100;
/** With so many samples every second one is dropped and the interval doubled: a run of hours makes no larger report. */
const MOST_SAMPLES = 1200;

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

// Threads of the pool, as Node tells of them: their loops are read from here, so nothing in the pool needs to know.
const workers = new Set<Worker>();
process.on('worker', (worker) => {
  workers.add(worker);
  worker.once('exit', () => workers.delete(worker));
});

async function crawl({ dir, seeds, options, tell }: CrawlTask & { readonly tell: boolean }): Promise<CrawlMeasured> {
  const startCpuSeconds = cpuSeconds();
  const started = performance.now();
  const steps = new Map<string, StepFigures>();
  let samples: Sample[] = [];
  let step = '';
  let before = { fetched: 0, bytes: 0 };
  let now = { fetched: 0, bytes: 0, inFlight: 0, bytesHeld: 0 };

  let spent: readonly [readingMs: number, storingMs: number] = [0, 0];

  const onEvent = (event: CrawlEvent): void => {
    if (event.kind === 'step-started') step = event.step;
    else if (event.kind === 'step-finished') {
      const sum = steps.get(event.step);
      const counters: Record<string, number> = { ...sum?.counters };
      for (const [name, value] of Object.entries(event.counters)) counters[name] = (counters[name] ?? 0) + value;
      steps.set(event.step, {
        step: event.step,
        runs: (sum?.runs ?? 0) + 1,
        seconds: (sum?.seconds ?? 0) + event.seconds,
        cpuSeconds: (sum?.cpuSeconds ?? 0) + event.cpuSeconds,
        counters,
      });
      if (event.step === 'fetch') {
        const { fetched = 0, bytes = 0 } = event.counters;
        before = { fetched: before.fetched + fetched, bytes: before.bytes + bytes };
        now = { fetched: 0, bytes: 0, inFlight: 0, bytesHeld: 0 };
      }
      step = '';
    } else if (event.kind === 'fetch-progress') now = event;
    else if (event.kind === 'fetch-spent') spent = [spent[0] + event.readingMs, spent[1] + event.storingMs];
    if (tell && event.kind !== 'page') process.send?.({ event });
  };

  let lastSecond = 0;
  let lastCpu = startCpuSeconds;
  let lastMain = performance.eventLoopUtilization();
  const lastLoops = new WeakMap<Worker, ReturnType<Worker['performance']['eventLoopUtilization']>>();
  const sample = (): void => {
    const second = (performance.now() - started) / 1000;
    const cpu = cpuSeconds();
    const main = performance.eventLoopUtilization();
    const loops = [...workers].map((worker) => {
      const { eventLoopUtilization } = worker.performance;
      const current = eventLoopUtilization();
      const last = lastLoops.get(worker);
      lastLoops.set(worker, current);
      return last ? eventLoopUtilization(current, last).utilization : current.utilization;
    });
    samples.push({
      second,
      rssBytes: process.memoryUsage.rss(),
      cores: (cpu - lastCpu) / Math.max(second - lastSecond, 1e-3),
      mainLoop: performance.eventLoopUtilization(main, lastMain).utilization,
      loops,
      step,
      fetched: before.fetched + now.fetched,
      bytes: before.bytes + now.bytes,
      inFlight: now.inFlight,
      bytesHeld: now.bytesHeld,
    });
    lastSecond = second;
    lastCpu = cpu;
    lastMain = main;
    if (samples.length >= MOST_SAMPLES) {
      samples = samples.filter((_, i) => i % 2 === 1);
      interval *= 2;
      clearInterval(timer);
      timer = setInterval(sample, interval);
    }
  };
  let interval = FIRST_INTERVAL_MS;
  let timer = setInterval(sample, interval);

  const stop = new AbortController();
  process.once('SIGTERM', () => stop.abort());
  const { threads: wanted } = settle(options).work;
  const threads = wanted === 'auto' ? Math.min(availableParallelism(), 8) : wanted; // as the pool counts
  const opened = await Crawl.open(dir, options, { onEvent, signal: stop.signal });
  try {
    const summary = await opened.run([...seeds]);
    sample();
    return {
      pages: summary.fetched + summary.unchanged,
      bytes: steps.get('fetch')?.counters.bytes ?? 0,
      indexed: summary.indexed,
      threads,
      seconds: (performance.now() - started) / 1000,
      cpuSeconds: cpuSeconds(),
      startCpuSeconds,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
      steps: [...steps.values()],
      readingSeconds: spent[0] / 1000,
      storingSeconds: spent[1] / 1000,
      outcomes: summary.outcomes,
      samples,
    };
  } finally {
    clearInterval(timer);
    await opened.close();
  }
}

process.once('message', (task: CrawlTask & { readonly tell: boolean }) => {
  crawl(task).then(
    (measured) => process.send?.(measured, () => process.disconnect?.()),
    (error: Error) => process.send?.({ error: error.message }, () => process.disconnect?.()),
  );
});
process.on('SIGINT', () => undefined); // Ctrl-C reaches the whole group; the parent passes it on once, as SIGTERM
