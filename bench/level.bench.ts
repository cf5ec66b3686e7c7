/** How should the tables be written and read: key by key, or in key order and in batches? */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from '../src/store/level.ts';
import { random, word } from './corpus.ts';
import { question } from './question.ts';

const ask = question('level');
const RECORDS = 100_000;
const SINGLE = 10_000;
const folder = mkdtempSync(join(tmpdir(), 'nuthatch-level-'));

const keys = ask.memory(`${RECORDS} keys`, () => {
  const set = new Set<string>();
  const rnd = random(1);
  while (set.size < RECORDS)
    set.add(`org.example.${word(Math.floor(rnd() * 200))}:https/${word(Math.floor(rnd() * 1e6))}/${set.size}.html`);
  return [...set].sort().map((key) => Buffer.from(key));
});
const value = Buffer.alloc(64, 7);
const shuffled = keys.slice();
const rnd = random(2);
for (let i = shuffled.length - 1; i > 0; i--) {
  const j = Math.floor(rnd() * (i + 1));
  [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
}

const put = async (level: Level, list: readonly Buffer[], size: number): Promise<void> => {
  const batch = level.batch();
  for (let from = 0; from < list.length; from += size) {
    for (let i = from; i < Math.min(list.length, from + size); i++) batch.put(list[i]!, value);
    await batch.write(from + size >= list.length);
  }
};
const work = (amount: number) => ({ amount, unit: 'records' });

const one = await Level.open(join(folder, 'one'));
await ask.once('put one by one, keys shuffled', () => put(one, shuffled.slice(0, SINGLE), 1), work(SINGLE));
await one.close();
const mixed = await Level.open(join(folder, 'mixed'));
await ask.once('batches of 5,000, keys shuffled', () => put(mixed, shuffled, 5000), work(RECORDS));
await mixed.close();
const level = await Level.open(join(folder, 'sorted'));
await ask.once('batches of 5,000, in key order', () => put(level, keys, 5000), work(RECORDS));

await ask.once(
  'get one by one, keys shuffled',
  async () => {
    for (const key of shuffled.slice(0, SINGLE)) await level.get(key);
  },
  work(SINGLE),
);
await ask.once(
  'get many, 1,000 sorted keys at a time',
  async () => {
    for (let from = 0; from < RECORDS; from += 1000) await level.getMany(keys.slice(from, from + 1000));
  },
  work(RECORDS),
);
await ask.once(
  'read a range in order',
  async () => {
    let seen = 0;
    for await (const chunk of level.chunks()) seen += chunk.length;
    if (seen !== RECORDS) throw new Error(`${seen} records of ${RECORDS}`);
  },
  work(RECORDS),
);
await level.close();
const bytes = readdirSync(join(folder, 'sorted')).reduce(
  (sum, file) => sum + statSync(join(folder, 'sorted', file)).size,
  0,
);
ask.figure('on disk', { 'bytes a record': bytes / RECORDS });
rmSync(folder, { recursive: true });
