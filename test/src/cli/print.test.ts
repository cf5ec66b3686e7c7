import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { count, counters, duration, size } from '../../../src/cli/figures.ts';
import { createPrinter, cut, safe } from '../../../src/cli/print.ts';

const Print = suite('print');

interface Observed extends ReturnType<typeof createPrinter> {
  readonly written: () => string;
  readonly at: (ms: number) => void;
}
function printer(terminal: boolean, quiet = false): Observed {
  let text = '';
  let now = 0;
  const made = createPrinter({
    write: (more) => void (text += more),
    terminal,
    columns: 80,
    quiet,
    clock: () => now,
  });
  return { ...made, written: () => text, at: (ms) => void (now = ms) };
}
const progress = {
  kind: 'fetch-progress',
  fetched: 1234,
  failed: 6,
  queued: 2000,
  bytes: 12_900_000,
  inFlight: 8,
  bytesHeld: 0,
  hostsReady: 1,
  hostsWaiting: 3,
  remainingMs: 245_000,
  pagesPerSecond: 124.4,
  bytesPerSecond: 1e6,
  oldestMs: 10,
  held: [],
} as const;

Print(
  'a terminal gets one bar, drawn over at most ten times a second, with rate, bytes, hosts waiting and time left',
  () => {
    const { onEvent, written, at } = printer(true);
    onEvent({ kind: 'step-started', step: 'fetch' });
    at(10_000);
    onEvent(progress);
    at(10_050);
    onEvent({ ...progress, fetched: 9999 });
    const bars = written().split('\r\x1b[2K');
    assert.is(bars.length, 2);
    assert.is(bars[1], '  fetch [###.......] 1,240 pages  124/s  12.3 MB  3 hosts waiting  4 min left');
    assert.ok(!written().includes('\n'));
  },
);

Print('what a page says cannot steer a terminal, nor a log that is read on one', () => {
  const title = '\x1b]0;mine\x07\x1b[31mred\x1b[2J\u2028\x9b5m';
  assert.is(safe(title), ' ]0;mine  [31mred [2J  5m');
  assert.is(safe('\x1b[1mbold\x1b[0m'), '\x1b[1mbold\x1b[0m', 'what marks a match stays');
  const { note, written } = printer(false);
  note(`warning: ${title}`);
  assert.not.match(written(), /[\x1b\x07\x9b]/);
});

Print('sentences take the bar away first, and are broken between words, never cut; a log has them in one line', () => {
  const message = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
  const { onEvent, note, written } = printer(true);
  onEvent({ kind: 'step-started', step: 'fetch' });
  onEvent({ kind: 'warning', message });
  note('next');
  const [first, ...lines] = written().trimEnd().split('\n');
  assert.ok(first!.startsWith('  fetch ...\r\x1b[2Kwarning: word0 '));
  assert.is(lines.at(-1), 'next');
  const shown = [first!.split('\x1b[2K')[1]!, ...lines.slice(0, -1)];
  assert.ok(shown.every((line) => line.length <= 79));
  assert.ok(shown.slice(1).every((line) => line.startsWith('  word')));
  assert.is(shown.map((line) => line.trim()).join(' '), `warning: ${message}`);
  const log = printer(false);
  log.note(message);
  assert.is(log.written(), `${message}\n`);
});

Print('where there is no terminal, a step has a plain line every ten seconds and one at its end', () => {
  const { onEvent, written, at } = printer(false);
  onEvent({ kind: 'step-started', step: 'fetch' });
  at(5000);
  onEvent(progress);
  assert.is(written(), '');
  at(10_000);
  onEvent(progress);
  at(11_000);
  onEvent(progress);
  onEvent({ kind: 'step-finished', step: 'fetch', seconds: 75, cpuSeconds: 1, counters: { fetched: 2, later: 0 } });
  const lines = written().split('\n');
  assert.is(lines.length, 3);
  assert.ok(!written().includes('\x1b'));
  assert.is(lines[1], '  fetch       2 pages  1 min 15 s');
});

Print('quiet leaves only warnings', () => {
  const { onEvent, written } = printer(true, true);
  onEvent({ kind: 'step-started', step: 'fetch' });
  onEvent({ kind: 'round-started', round: 1 });
  onEvent({ kind: 'warning', message: 'odd', where: 'seeds.txt' });
  assert.is(written(), 'warning: odd (seeds.txt)\n');
});

Print('what a page could do to a terminal is taken out', () => {
  assert.is(cut('a\x1b[31mb\nc\u009bd', 80), 'a [31mb c d');
  assert.is(cut('ab\u{1f43f}cd', 4), 'ab…');
  assert.is(cut('ab\u{1f43f}', 4), 'ab\u{1f43f}');
});

Print('counts, sizes and times read as people write them', () => {
  assert.equal([0, 999, 1000, 1_234_567].map(count), ['0', '999', '1,000', '1,234,567']);
  assert.equal([0, 1023, 1024, 5 << 20, 2 ** 40].map(size), ['0 B', '1023 B', '1.0 kB', '5.0 MB', '1024.0 GB']);
  assert.equal([0, 1500, 9949, 9950, 59_000, 61_000, 3_723_000].map(duration), [
    '0.0 s',
    '1.5 s',
    '9.9 s',
    '10 s',
    '59 s',
    '1 min 01 s',
    '1 h 02 min',
  ]);
  assert.is(counters({ byUrl: 2, byDigest: 0, removed: 1200 }), '2 by url, 1,200 removed');
  assert.is(counters({}), 'nothing to do');
  assert.is(
    counters({ scanned: 7, 'rejected.notDue': 7, 'outcome.gone': 2, nextDue: Date.UTC(2026, 11, 30, 18, 20) }),
    '7 scanned, 7 rejected: not due, 2 gone, next due 2026-12-30 18:20 UTC',
  );
});

Print.run();
