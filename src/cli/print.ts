import type { CrawlEvent, OnEvent } from '../events.ts';
import { count, duration, size } from './figures.ts';
import { told } from './told.ts';
import { wrapped } from './wrap.ts';

/**
 * Makes lines of events. On a terminal the running step has one line at the bottom that is drawn over; elsewhere it has
 * a plain line now and then. No line is longer than the terminal is wide (80 columns where nothing says).
 */
export interface Printer {
  readonly onEvent: OnEvent;
  /** Sentences of their own, above the bar: on a terminal broken between words, elsewhere one line. */
  note(text: string): void;
  /** Takes the bar away. Call before anything else is written to the same terminal. */
  end(): void;
}

export interface PrinterSettings {
  readonly write: (text: string) => void;
  /** A terminal: the bar may be redrawn. */
  readonly terminal: boolean;
  readonly columns: number;
  /** Only warnings. */
  readonly quiet: boolean;
  /** ms since the epoch. */
  readonly clock: () => number;
}

/** Time between two drawings of the bar, ms: a person reads no faster. */
const REDRAW_MS = 100;
/** Time between two plain lines of one step, ms. */
const PLAIN_MS = 10_000;
const UP_AND_CLEAR = '\r\x1b[2K';

export function createPrinter({ write, terminal, columns, quiet, clock }: PrinterSettings): Printer {
  let bar = '';
  let drawn = Number.NEGATIVE_INFINITY;

  const clear = (): void => {
    if (bar) write(UP_AND_CLEAR);
    bar = '';
  };
  const line = (text: string): void => {
    clear();
    // On a terminal a line is cut at its edge; a log keeps it whole, because someone will search it.
    write(`${terminal ? cut(text, columns) : safe(text)}\n`);
  };
  const note = (text: string): void => {
    clear();
    write(`${terminal ? folded(text, columns) : safe(text)}\n`);
  };
  const progress = (text: string): void => {
    const now = clock();
    if (now - drawn < (terminal ? REDRAW_MS : PLAIN_MS)) return;
    drawn = now;
    if (!terminal) line(text);
    else {
      const next = cut(text, columns - 1);
      write(`${bar ? UP_AND_CLEAR : ''}${next}`);
      bar = next;
    }
  };

  const onEvent = (event: CrawlEvent): void => {
    if (event.kind === 'warning') note(`warning: ${event.message}${event.where ? ` (${event.where})` : ''}`);
    else if (!quiet) show(event);
  };
  const show = (event: CrawlEvent): void => {
    switch (event.kind) {
      case 'round-started':
        line(`round ${event.round}`);
        break;
      case 'step-started':
        // Plain lines come after PLAIN_MS of one step; the bar at once.
        drawn = terminal ? Number.NEGATIVE_INFINITY : clock();
        if (terminal) progress(`  ${event.step} ...`);
        break;
      case 'step-progress':
        progress(
          `  ${event.step.padEnd(12)}${meter(event.done, event.total)} ${count(event.done)} of ${count(event.total)} ${event.unit}`,
        );
        break;
      case 'fetch-progress':
        progress(fetchLine(event));
        break;
      case 'step-finished':
        line(`  ${event.step.padEnd(12)}${told(event.step, event.counters)}  ${duration(event.seconds * 1000)}`);
        break;
    }
  };
  return { onEvent, note, end: clear };
}

function fetchLine(event: CrawlEvent & { kind: 'fetch-progress' }): string {
  const done = event.fetched + event.failed;
  const parts = [
    `  fetch ${meter(done, done + event.queued + event.inFlight)} ${count(done)} pages`,
    `${event.pagesPerSecond.toFixed(event.pagesPerSecond < 10 ? 1 : 0)}/s`,
    size(event.bytes),
    event.hostsWaiting ? `${count(event.hostsWaiting)} host${event.hostsWaiting === 1 ? '' : 's'} waiting` : '',
    event.remainingMs > 0 ? `${roughly(event.remainingMs)} left` : '',
    event.held[0] ? `${event.held[0].host}: ${event.held[0].why}` : '',
  ];
  return parts.filter(Boolean).join('  ');
}

/** `[####......]`, ten wide. */
const meter = (done: number, total: number): string => {
  const filled = total > 0 ? Math.min(10, Math.floor((done / total) * 10)) : 0;
  return `[${'#'.repeat(filled)}${'.'.repeat(10 - filled)}]`;
};

/** As precise as a forecast can be. */
const roughly = (ms: number): string =>
  ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : duration(ms);

/** Without what a page could do to a terminal; bold, which is ours, stays. */
export const safe = (text: string): string =>
  text.replaceAll(/[\x00-\x1a\x1c-\x1f\x7f-\x9f\u2028\u2029]|\x1b(?!\[[01]m)/g, ' ');

/** Whole sentences for a terminal: lines that end between words, the further ones set in by two columns. */
export const folded = (text: string, columns: number): string => wrapped(safe(text), columns - 3).join('\n  ');

/** At most `width` columns; control characters, which a page could bring along, become spaces. */
export function cut(text: string, width: number): string {
  const plain = text.replaceAll(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, ' ');
  if (plain.length <= width) return plain;
  const end = /[\ud800-\udbff]$/.test(plain.slice(0, width - 1)) ? width - 2 : width - 1;
  return `${plain.slice(0, end)}…`;
}
