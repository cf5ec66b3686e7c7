import { align, digits, type LabFigures } from './figures.ts';

/**
 * Runs over sizes and threads as one table: what a page costs, and how that grows. `cost` is the CPU of a page over that
 * of the first run with as many threads; `speed` the pages a second over those of the first run with as many pages.
 */
export function growth(runs: readonly LabFigures[]): string {
  const rows = [['pages', 'threads', 'CPU s/1,000', 'cost', 'pages/s', 'speed', 'RSS, MB', 'impolite', 'missed']];
  const cpu = ({ cpuSeconds, startCpuSeconds, pages }: LabFigures) => ((cpuSeconds - startCpuSeconds) / pages) * 1000;
  const pace = ({ pages, seconds }: LabFigures) => pages / seconds;
  const size = ({ web, pages }: LabFigures) => (web.kind === 'synthetic' ? web.options.pages : pages);
  for (const run of runs) {
    const smallest = runs.find(({ threads }) => threads === run.threads)!;
    const narrowest = runs.find((other) => size(other) === size(run))!;
    rows.push([
      String(run.pages),
      String(run.threads),
      digits(cpu(run)),
      `x ${(cpu(run) / cpu(smallest)).toFixed(2)}`,
      digits(pace(run)),
      `x ${(pace(run) / pace(narrowest)).toFixed(2)}`,
      digits(run.peakRssBytes / 1e6),
      String(run.lab.politeness.violations),
      String(run.lab.pages.missed),
    ]);
  }
  return align(rows);
}
