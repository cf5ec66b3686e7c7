import { appendFileSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { machine } from './machine.ts';

export { align, digits } from '../src/lab/figures.ts';

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
