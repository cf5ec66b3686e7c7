/** What does a number cost to unpack: by unrolled code of its width, by a loop that carries its shift, with gaps summed? */
import { BLOCK, pack, packedWords, packPatched, unpackPatched } from '../index/format/pack.ts';
import { UNPACK, UNPACK_SUMMED } from '../index/format/unpack.ts';
import { random } from './corpus.ts';
import { question } from './question.ts';

const ask = question('postings');
const BLOCKS = 1000;
const out = new Int32Array(BLOCK);

/** The ten-line reader that the unrolled ones are held against. */
function loop(words: Int32Array, at: number, width: number): void {
  const mask = 2 ** width - 1;
  let bit = at * 32;
  for (let i = 0; i < BLOCK; i++, bit += width) {
    const word = bit >>> 5;
    const shift = bit & 31;
    let value = words[word]! >>> shift;
    if (shift + width > 32) value |= words[word + 1]! << (32 - shift);
    out[i] = value & mask;
  }
}

for (const width of [4, 7, 9, 12]) {
  const rnd = random(width);
  const words = new Int32Array(packedWords(BLOCK, width) * BLOCKS + 1);
  const block = new Int32Array(BLOCK);
  let at = 0;
  for (let b = 0; b < BLOCKS; b++) {
    for (let i = 0; i < BLOCK; i++) block[i] = Math.floor(rnd() * 2 ** width);
    at = pack(block, BLOCK, width, words, at);
  }
  const step = packedWords(BLOCK, width);
  await ask.compare(
    {
      [`${width} bits, a loop`]: () => {
        for (let b = 0; b < BLOCKS; b++) loop(words, b * step, width);
        return out[5];
      },
      [`${width} bits, unrolled`]: () => {
        const unpack = UNPACK[width]!;
        for (let b = 0; b < BLOCKS; b++) unpack(words, b * step, out);
        return out[5];
      },
      [`${width} bits, unrolled and summed`]: () => {
        const unpack = UNPACK_SUMMED[width]!;
        for (let b = 0; b < BLOCKS; b++) unpack(words, b * step, out, -1);
        return out[5];
      },
    },
    { amount: (BLOCKS * BLOCK) / 1e6, unit: 'M numbers' },
  );
}

// Frequencies: mostly small, now and then a large one, which is kept aside.
const rnd = random(3);
const words = new Int32Array(BLOCKS * 200);
const starts: number[] = [];
const block = new Int32Array(BLOCK);
let at = 0;
for (let b = 0; b < BLOCKS; b++) {
  for (let i = 0; i < BLOCK; i++) block[i] = rnd() < 0.02 ? Math.floor(rnd() * 1000) : Math.floor(rnd() ** 3 * 6);
  starts.push(at);
  at = packPatched(block, BLOCK, words, at);
}
ask.figure('frequencies, patched', { 'bits a number': (at * 32) / (BLOCKS * BLOCK) });
await ask.compare(
  {
    'frequencies, patched': () => {
      for (const start of starts) unpackPatched(words, start, BLOCK, out);
      return out[5];
    },
  },
  { amount: (BLOCKS * BLOCK) / 1e6, unit: 'M numbers' },
);
