import { appendFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { machine } from './machine.ts';

/** The work folder of every measurement: `NUTHATCH_BENCH`, else `.bench` here. Never inside the package. */
export const workFolder = (): string => resolve(process.env.NUTHATCH_BENCH ?? '.bench');

let here: ReturnType<typeof machine> | undefined;

/** Appends one line to `<work>/results/<name>.jsonl`: the figures, when, on which machine, Node and commit. */
export function record(name: string, figures: Readonly<Record<string, unknown>>): void {
  const folder = join(workFolder(), 'results');
  mkdirSync(folder, { recursive: true });
  here ??= machine();
  const line = JSON.stringify({ at: new Date().toISOString(), bench: name, ...figures, machine: here });
  appendFileSync(join(folder, `${name}.jsonl`), `${line}\n`);
}

/** Three digits that count, with thousands apart: 12,345 · 12.3 · 0.0123. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}

/** Rows of equal shape as an aligned table; the first row is the heading. */
export function table(rows: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => (row[column] ?? '').length));
  const widths = (rows[0] ?? []).map((_, column) => width(column));
  return rows
    .map((row) =>
      row.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[0]!))).join('  '),
    )
    .join('\n');
}
