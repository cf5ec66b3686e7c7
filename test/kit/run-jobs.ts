import { writeFileSync } from 'node:fs';
import type { Job } from '../../src/run/job.ts';

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** Counts words of texts; fails in the ways its arguments ask for, the first time or always. */
export interface Args {
  readonly fault?: 'exit' | 'memory' | 'throw' | 'wait' | 'reduce-exit';
  /** A file that remembers that the fault has happened; without it, it happens every time. */
  readonly once?: string;
}
const due = (args: Args, fault: Args['fault']): boolean => {
  if (args.fault !== fault) return false;
  if (!args.once) return true;
  try {
    writeFileSync(args.once, '', { flag: 'wx' });
  } catch {
    return false; // it is there: another task has had its fault, perhaps at this very moment
  }
  return true;
};

export const words: Job<string, Args> = {
  name: 'words',
  async map(text, args, emit, count) {
    for (const word of text.split(' ')) emit(Buffer.from(word), u32(1));
    count('texts');
    if (due(args, 'exit')) process.exit(3);
    if (due(args, 'throw')) throw new Error('this text cannot be read');
    if (due(args, 'memory')) {
      const held: unknown[] = [];
      for (;;) held.push(new Array(100_000).fill(held.length));
    }
    if (due(args, 'wait')) await new Promise((done) => setTimeout(done, 60_000));
  },
  combine(kept, start, _end, more, from) {
    kept.writeUInt32LE(kept.readUInt32LE(start) + (more as Buffer).readUInt32LE(from), start);
    return true;
  },
  reduce(key, values, args, emit, count) {
    if (due(args, 'reduce-exit')) process.exit(4);
    let sum = 0;
    for (const value of values) sum += (value as Buffer).readUInt32LE();
    count('words');
    emit(key, u32(sum));
  },
};
