/**
 * Near duplicates: a sketch of a text, 64 bytes, that stays alike when the text is edited a little.
 *
 *     sketch := u8[64]         byte i: eight bits of the least hash in bin i of the text's sequences of four words
 *
 * The share of equal values estimates the share of sequences in common (MinHash: BRODER, On the resemblance and containment
 * of documents, 1997). One hash a sequence, whose first bits choose the bin, does for all 64 (LI, OWEN and ZHANG, One
 * permutation hashing, 2012; SHRIVASTAVA, Optimal densification, 2017, for bins that stay empty), and eight bits of a value
 * do as well as 32 (LI and KONIG, b-bit minwise hashing, 2010): two different ones have them in common once in 256.
 * NEAR_VALUES equal ones find 70 to 100 % of copies with up to 5 % of their words changed, and no false pair among the
 * 159,895 of test/src/parse/near.test.ts.
 *
 * Words are folded as the index folds them; texts written without blanks (Chinese, Japanese, Thai) count character by
 * character. A text of fewer words than a sequence has is one sequence; one without words has no sketch.
 * Pure and stable: sketches are kept on disk.
 */
import { CJK, charTable, IGNORED, SLOW, UNSPACED, WORD } from '../../index/text/table.ts';

const VALUES = 64;
/** Words of a sequence. */
const WORDS = 4;
/** Equal values from which two texts are near: a share of 0.6. */
export const NEAR_VALUES = 39;
/**
 * Values that make a band: four bytes of the sketch, read as one number. Pages alike by 0.6 have one of the 16 bands in
 * common with a chance of 90 %, by 0.8 of 99.98 %, by 0.3 of 12 %.
 */
export const BANDS = 16;

/** All bits of the answer depend on all bits of `h` (the last step of MurmurHash3). */
function mix(h: number): number {
  let x = h;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** Room for the hashes of one text, used again for the next. */
let hashes = new Uint32Array(1 << 12);

/** A 32-bit hash a word, into `hashes`; how many. */
function hashWords(text: string): number {
  const table = charTable();
  let count = 0;
  let h = 0;
  for (let i = 0; i <= text.length; i++) {
    const entry = i < text.length ? table[text.charCodeAt(i)]! : 0;
    if (entry & IGNORED) continue;
    const alone = (entry & (CJK | UNSPACED)) !== 0;
    if ((entry & (WORD | SLOW)) !== 0 && !alone) {
      // What folds to several characters counts as it is written.
      h = Math.imul((h || 0x811c9dc5) ^ (entry & SLOW ? text.charCodeAt(i) : entry & 0xffff), 0x01000193);
      continue;
    }
    if (hashes.length < count + 2) {
      const grown = new Uint32Array(hashes.length * 2);
      grown.set(hashes);
      hashes = grown;
    }
    if (h !== 0) hashes[count++] = mix(h);
    if (alone) hashes[count++] = mix(text.charCodeAt(i));
    h = 0;
  }
  return count;
}

/** The least hash of each bin so far; EMPTY where no sequence fell. */
const least = new Uint32Array(VALUES);
const EMPTY = 0xffffffff;

/** Null for a text without words. Cost: 15 ns a character, a twentieth of what a page costs in a round. */
export function sketchOf(text: string): Uint8Array | null {
  const words = hashWords(text);
  if (words === 0) return null;
  const sequences = Math.max(1, words - WORDS + 1);
  least.fill(EMPTY);
  for (let at = 0; at < sequences; at++) {
    let h = 0;
    const end = Math.min(words, at + WORDS);
    for (let i = at; i < end; i++) h = (Math.imul(h, 0x5bd1e995) + hashes[i]!) | 0;
    h = mix(h);
    const bin = h >>> 26;
    // Never EMPTY: the low bits are not all ones.
    const value = (h << 6) >>> 0;
    if (value < least[bin]!) least[bin] = value;
  }
  const sketch = new Uint8Array(VALUES);
  for (let bin = 0; bin < VALUES; bin++) {
    let from = bin;
    // An empty bin takes the value of another, the same one in every text in which that is the first that is not empty.
    for (let tries = 1; least[from] === EMPTY; tries++) from = mix((bin << 16) + tries) >>> 26;
    sketch[bin] = mix(least[from]! + bin);
  }
  return sketch;
}

/** How many values of two sketches, as the numbers of their bands from `a` and `b` on, are equal. */
export function equalValues(left: Uint32Array, a: number, right: Uint32Array, b: number): number {
  let equal = 0;
  for (let band = 0; band < BANDS; band++) {
    const x = left[a + band]! ^ right[b + band]!;
    // The high bit of each byte of `t` is set where the byte of x is not 0.
    const t = (((x & 0x7f7f7f7f) + 0x7f7f7f7f) | x) & 0x80808080;
    equal += 4 - (Math.imul(t >>> 7, 0x01010101) >>> 24);
  }
  return equal;
}
