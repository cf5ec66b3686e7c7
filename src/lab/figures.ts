import type { LabCounts } from './counts.ts';
import type { Machine } from './machine.ts';
import type { WebOptions } from './options.ts';

/** One step of a crawl, its runs added up. */
export interface StepFigures {
  readonly step: string;
  readonly runs: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly counters: Readonly<Record<string, number>>;
}

/** What the crawling process looked like at one moment. */
export interface Sample {
  /** Since the start of the crawl. */
  readonly second: number;
  readonly rssBytes: number;
  /** Cores in use since the sample before: CPU seconds a second. */
  readonly cores: number;
  /** Of this process's own event loop since the sample before, 0 to 1. */
  readonly mainLoop: number;
  /** Of each thread of the pool, 0 to 1. */
  readonly loops: readonly number[];
  readonly step: string;
  readonly fetched: number;
  readonly bytes: number;
  /** Requests. */
  readonly inFlight: number;
  /** Bytes of bodies in flight, waiting to be read, and not yet written. */
  readonly bytesHeld: number;
}

/** A measured crawl, as `lab run --json` gives it and as `--compare` reads it. */
export interface LabFigures {
  readonly format: 1;
  readonly at: string;
  readonly machine: Machine;
  readonly web:
    | { readonly kind: 'synthetic'; readonly options: WebOptions }
    | { readonly kind: 'folder'; readonly folder: string };
  readonly threads: number;
  readonly delayMs: number;
  readonly connections: number;
  /** Pages had, those not changed since the last visit included. */
  readonly pages: number;
  /** Of bodies, as they came over the wire. */
  readonly bytes: number;
  readonly indexed: number;
  /** From the opening of the crawl folder to the published index. */
  readonly seconds: number;
  /** Of the whole crawling process, its start included. */
  readonly cpuSeconds: number;
  /** Of that, before the crawl began: Node and the modules. */
  readonly startCpuSeconds: number;
  readonly peakRssBytes: number;
  readonly steps: readonly StepFigures[];
  /** Of the fetch step: threads at work on reading pages (parse), and on packing and writing what is kept (store). */
  readonly readingSeconds: number;
  readonly storingSeconds: number;
  readonly outcomes: Readonly<Record<string, number>>;
  readonly samples: readonly Sample[];
  /** What the other side of the wire has seen. */
  readonly lab: LabCounts;
}

/** The figures that people compare, by name, each with its unit in the name. */
export function headline(figures: LabFigures): Readonly<Record<string, number>> {
  const { pages, bytes, seconds, cpuSeconds, peakRssBytes, steps } = figures;
  const thousand = pages / 1000;
  const found: Record<string, number> = {
    pages,
    'pages/s': pages / seconds,
    'MB/s': bytes / 1e6 / seconds,
    'CPU s per 1,000 pages': cpuSeconds / thousand,
  };
  for (const step of steps) {
    found[`  ${step.step}, CPU s per 1,000 pages`] = step.cpuSeconds / thousand;
    if (step.step !== 'fetch') continue;
    found['    parse in it, s per 1,000 pages'] = figures.readingSeconds / thousand;
    found['    store in it, s per 1,000 pages'] = figures.storingSeconds / thousand;
  }
  found['peak RSS, MB'] = peakRssBytes / 1e6;
  const fetching = figures.samples.filter(({ step }) => step === 'fetch');
  const mean = (of: (sample: Sample) => number) =>
    fetching.length ? fetching.reduce((sum, sample) => sum + of(sample), 0) / fetching.length : 0;
  found['main loop in use while fetching'] = mean(({ mainLoop }) => mainLoop);
  found['busiest thread in use while fetching'] = mean(({ loops }) => Math.max(0, ...loops));
  found['requests in flight'] = mean(({ inFlight }) => inFlight);
  found['bytes in flight, at most, MB'] = fetching.reduce((most, { bytesHeld }) => Math.max(most, bytesHeld), 0) / 1e6;
  found["the lab's own CPU s per 1,000 pages"] = figures.lab.cpuSeconds / thousand;
  found['politeness violations'] = figures.lab.politeness.violations;
  found['pages missed'] = figures.lab.pages.missed;
  found['pages asked for but not had'] = figures.lab.pages.unserved;
  return found;
}

/** What makes a run invalid: empty when it was polite and complete. */
export function complaints(figures: LabFigures): string[] {
  const { politeness, pages } = figures.lab;
  const found: string[] = [];
  if (politeness.violations)
    found.push(
      `${politeness.violations} politeness violations: ${politeness.tooSoon} too soon, ${politeness.overlapping} overlapping, ` +
        `${politeness.denied} forbidden by robots.txt, ${politeness.beforeRetryAfter} before a Retry-After was over`,
    );
  if (pages.missed) found.push(`${pages.missed} of ${pages.expected} pages missed: ${pages.missing.join(' ')}`);
  return found;
}

/** Three digits that count, thousands apart; '-' for what came of dividing by nothing. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return '-';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** One run as an aligned table, or several side by side with their ratio to the first: above 1 is more. */
export function table(runs: readonly LabFigures[]): string {
  const columns = runs.map(headline);
  const names = [...new Set(columns.flatMap((column) => Object.keys(column)))];
  const rows = names.map((name) => {
    const cells = [name];
    for (const [i, column] of columns.entries()) {
      const value = column[name];
      const first = columns[0]![name];
      cells.push(value === undefined ? '-' : digits(value));
      if (i > 0) cells.push(value !== undefined && first ? `x ${(value / first).toFixed(2)}` : '');
    }
    return cells;
  });
  return align(rows);
}

/** Cells in columns, the first to the left, the others to the right. */
export function align(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i ? cell.padStart(widths[i]!) : cell.padEnd(widths[0]!)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
