import { align, digits, headline, type LabFigures, type Sample } from './figures.ts';

/**
 * A measured crawl as one HTML file: figures, plots over time, where the CPU went, how long the gaps were. No scripts,
 * no other files, so it can be mailed and opened anywhere; plots are SVG, and each says its largest value.
 */

const WIDTH = 720;
const HEIGHT = 150;

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Line {
  readonly name: string;
  readonly values: readonly number[];
}

/** Lines over time. All share one scale, from 0 to the largest value. */
function plot(title: string, seconds: readonly number[], lines: readonly Line[], unit: string): string {
  const end = Math.max(seconds.at(-1) ?? 0, 1e-3);
  const top = Math.max(...lines.flatMap(({ values }) => values), 1e-9);
  const x = (second: number) => ((second / end) * WIDTH).toFixed(1);
  const y = (value: number) => (HEIGHT - (value / top) * (HEIGHT - 4)).toFixed(1);
  const drawn = lines.map(
    ({ values }, i) =>
      `<polyline class="l${i % 6}" points="${values.map((value, at) => `${x(seconds[at]!)},${y(value)}`).join(' ')}"/>`,
  );
  const legend =
    lines.length > 1 ? lines.map(({ name }, i) => `<span class="k${i % 6}">${escapeHtml(name)}</span>`).join(' ') : '';
  return (
    `<h2>${escapeHtml(title)}</h2><figure><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">` +
    `<path class="axis" d="M0 0V${HEIGHT}H${WIDTH}"/>${drawn.join('')}</svg>` +
    `<figcaption>0 to ${digits(top)} ${escapeHtml(unit)}, over ${digits(end)} s ${legend}</figcaption></figure>`
  );
}

interface Bar {
  readonly name: string;
  readonly value: number;
}

function bars(title: string, list: readonly Bar[], unit: string): string {
  const top = Math.max(...list.map(({ value }) => value), 1e-9);
  const rows = list.map(
    ({ name, value }) =>
      `<tr><th>${escapeHtml(name)}</th><td><div class="bar" style="width:${((value / top) * 100).toFixed(1)}%"></div></td>` +
      `<td class="n">${digits(value)}</td></tr>`,
  );
  return `<h2>${escapeHtml(title)}</h2><table class="bars">${rows.join('')}</table><p class="unit">${escapeHtml(unit)}</p>`;
}

/** Change a second between samples, smoothed over a few of them: progress is told in jumps. */
function rate(samples: readonly Sample[], of: (sample: Sample) => number): number[] {
  const reach = Math.max(1, Math.round(samples.length / 60));
  return samples.map((sample, i) => {
    const before = samples[Math.max(0, i - reach)]!;
    const span = sample.second - before.second;
    return span > 0 ? Math.max(0, of(sample) - of(before)) / span : 0;
  });
}

const STYLE = `
:root { color-scheme: light dark; --ink: #1d2733; --paper: #fff; --line: #8896a4; --c0: #1464b4; --c1: #c2571a; --c2: #2b8a3e; --c3: #8b3fa8; --c4: #b8860b; --c5: #c2255c; }
@media (prefers-color-scheme: dark) { :root { --ink: #dde5ec; --paper: #14191f; --line: #66727f; --c0: #6cb0f5; --c1: #f0995e; --c2: #74c98a; --c3: #c894e0; --c4: #e0b84c; --c5: #f08bb0; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 760px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem } h2 { font-size: 1.05rem; margin: 1.8rem 0 .3rem }
svg { width: 100%; height: auto } polyline { fill: none; stroke-width: 1.5; vector-effect: non-scaling-stroke } .axis { fill: none; stroke: var(--line) }
figure { margin: 0 } figcaption, .unit { color: var(--line); font-size: .85rem; margin: 0 }
table { border-collapse: collapse; width: 100% } th { text-align: left; font-weight: 400; padding-right: 1rem } td.n { text-align: right; font-variant-numeric: tabular-nums }
.figures tr { border-bottom: 1px solid color-mix(in srgb, var(--line) 30%, transparent) } .bars td:nth-child(2) { width: 55% } .bar { background: var(--c0); height: .8em }
.bad { color: var(--c5); font-weight: 600 } pre { white-space: pre-wrap; font-size: .85rem }
${[0, 1, 2, 3, 4, 5].map((i) => `.l${i} { stroke: var(--c${i}) } .k${i} { color: var(--c${i}); margin-left: .8em }`).join('\n')}`;

export function report(figures: LabFigures, complaints: readonly string[]): string {
  const { samples, lab, steps, pages } = figures;
  const seconds = samples.map(({ second }) => second);
  const over = (title: string, of: (sample: Sample) => number, unit: string) =>
    plot(title, seconds, [{ name: '', values: samples.map(of) }], unit);
  const threads = Math.max(0, ...samples.map(({ loops }) => loops.length));
  const web =
    figures.web.kind === 'folder'
      ? figures.web.folder
      : `${figures.web.options.pages} pages of ${figures.web.options.hosts} hosts, seed ${figures.web.options.seed}`;
  const verdict = complaints.length
    ? complaints.map((one) => `<p class="bad">${escapeHtml(one)}</p>`).join('')
    : '<p>Polite and complete: no violation, no page missed.</p>';
  const rows = Object.entries(headline(figures)).map(
    ([name, value]) => `<tr><th>${escapeHtml(name)}</th><td class="n">${digits(value)}</td></tr>`,
  );
  const { edgesMs, counts } = lab.politeness;
  const gaps = counts
    .map((value, i) => ({ name: edgesMs[i]! < 0 ? 'longer' : `below ${edgesMs[i]} ms`, value }))
    .filter(({ value }) => value > 0);
  const settings = align([
    ['web', web],
    ['threads', String(figures.threads)],
    ['delay, ms', String(figures.delayMs)],
    ['connections a host', String(figures.connections)],
    ['machine', `${figures.machine.cpu}, ${figures.machine.cores} cores, ${figures.machine.memoryGB} GB`],
    ['Node', `${figures.machine.node} on ${figures.machine.platform}`],
    ['load before', String(figures.machine.load)],
    ['date', figures.at],
  ]);
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Measured crawl: ${escapeHtml(web)}</title><style>${STYLE}</style></head><body>
<h1>Measured crawl</h1>
<pre>${escapeHtml(settings)}</pre>
${verdict}
<table class="figures">${rows.join('\n')}</table>
${bars(
  'CPU by step',
  steps.map(({ step, cpuSeconds }) => ({ name: step, value: (1000 * cpuSeconds) / Math.max(pages, 1) })),
  'CPU seconds per 1,000 pages',
)}
${plot('Pages', seconds, [{ name: '', values: rate(samples, ({ fetched }) => fetched) }], 'pages/s')}
${plot('Bytes', seconds, [{ name: '', values: rate(samples, ({ bytes }) => bytes / 1e6) }], 'MB/s')}
${over('Memory', ({ rssBytes }) => rssBytes / 1e6, 'MB resident')}
${over('Cores in use', ({ cores }) => cores, 'cores')}
${plot(
  'Event loops in use',
  seconds,
  [
    { name: 'main', values: samples.map(({ mainLoop }) => mainLoop) },
    ...Array.from({ length: threads }, (_, i) => ({
      name: `thread ${i + 1}`,
      values: samples.map(({ loops }) => loops[i] ?? 0),
    })),
  ],
  'of the time',
)}
${over('Requests in flight', ({ inFlight }) => inFlight, 'requests')}
${over('Bytes in flight', ({ bytesHeld }) => bytesHeld / 1e6, 'MB fetched, waiting to be read, or not yet written')}
${gaps.length ? bars('Pauses between two requests of one host', gaps, 'requests, by the pause before them') : ''}
${bars(
  'Outcomes',
  Object.entries(figures.outcomes).map(([name, value]) => ({ name, value })),
  'addresses',
)}
</body></html>
`;
}
