/**
 * What does type-ahead cost with 200,000 titles? Building and opening in CPU seconds, the file and the heap in MB, then CPU
 * microseconds a keystroke: beginnings of real titles as they are typed, and the same with two letters swapped.
 *
 *     npm run bench -- suggest          needs d200k; NUTHATCH_ENTRIES=50000 for fewer
 */
import { buildSuggest, openSuggest, type SuggestEntry } from '../index/index.ts';
import { eachDocument, random } from './corpus.ts';
import { cpuSeconds } from './memory.ts';
import { question } from './question.ts';

const ask = question('suggest');
const most = Number(process.env.NUTHATCH_ENTRIES ?? 200_000);
const entries: SuggestEntry[] = [];
// Chunks of one page share its title, and many their first words: what a text is found by must be kept apart, as titles are.
eachDocument(
  'd200k',
  ({ title, text }) =>
    entries.push({
      text: `${title} ${text.slice(0, 24)} ${entries.length}`,
      id: `${entries.length}`,
      weight: entries.length % 97,
    }) < most,
);
if (entries.length > 0) {
  let before = cpuSeconds();
  const bytes = buildSuggest(entries);
  const build = cpuSeconds() - before;
  let open = 0;
  const suggest = ask.memory('opened', () => {
    before = cpuSeconds();
    const opened = openSuggest(bytes);
    open = cpuSeconds() - before;
    return opened;
  });
  ask.figure('cost', {
    entries: suggest.size,
    buildCpuSeconds: build,
    openCpuSeconds: open,
    fileMB: bytes.length / 1e6,
  });
  const rnd = random(3);
  const typed: string[] = [];
  const swapped: string[] = [];
  for (let i = 0; i < 400; i++) {
    const { text } = entries[Math.floor(rnd() * entries.length)]!;
    for (let n = 1; n <= Math.min(12, text.length); n++) typed.push(text.slice(0, n));
    const at = 2 + Math.floor(rnd() * 5);
    const line = text.slice(0, 12);
    swapped.push(line.slice(0, at) + (line[at + 1] ?? '') + (line[at] ?? '') + line.slice(at + 2));
  }
  for (const [what, lines] of Object.entries({ 'as typed': typed, 'two letters swapped': swapped })) {
    // The best of five a line: what else runs on the machine would be the p99.
    const times = lines.map(() => Number.POSITIVE_INFINITY);
    for (let run = 0; run < 5; run++)
      for (const [i, line] of lines.entries()) {
        const start = performance.now();
        suggest.ask(line);
        times[i] = Math.min(times[i]!, (performance.now() - start) * 1000);
      }
    times.sort((a, b) => a - b);
    const started = cpuSeconds();
    for (const line of lines) suggest.ask(line);
    const found = lines.filter((line) => suggest.ask(line).length > 0).length;
    ask.figure(what, {
      cpuUs: ((cpuSeconds() - started) * 1e6) / (2 * lines.length),
      p50Us: times[times.length >> 1]!,
      p99Us: times[Math.floor(times.length * 0.99)]!,
      answered: `${found} of ${lines.length}`,
    });
  }
}
