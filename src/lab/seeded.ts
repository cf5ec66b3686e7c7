/**
 * Numbers from a seed and the names of things, without a state between calls: the n-th page is the same whichever page
 * was asked for before it, so a web needs no memory.
 */

/** 32 well mixed bits of a seed and two numbers (the finaliser of MurmurHash3, fed twice). */
export function mix(seed: number, a: number, b = 0): number {
  let h = (seed ^ Math.imul(a, 0xcc9e2d51)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = (h ^ Math.imul(b + 0x9e3779b9, 0x1b873593)) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** 0 <= x < 1. */
export const unit = (seed: number, a: number, b = 0): number => mix(seed, a, b) / 2 ** 32;

/** A whole number 0 <= x < n, low numbers more often: P(x < k) = (k/n)^(1/skew); skew 1 is even, 3 is a steep power law. */
export const skewed = (u: number, n: number, skew: number): number => Math.min(n - 1, Math.floor(n * u ** skew));

/** 0, 1, 2, ... with the given mean, each less likely than the one before (geometric). */
export const geometric = (u: number, mean: number): number =>
  mean <= 0 ? 0 : Math.floor(Math.log(1 - u) / Math.log(mean / (1 + mean)));

/** Log-normal: half of all below the median; sigma 0.5 is narrow, 1 is wide. Box and Muller's transform of two units. */
export const logNormal = (u: number, v: number, median: number, sigma: number): number =>
  median * Math.exp(sigma * Math.sqrt(-2 * Math.log(1 - u)) * Math.cos(2 * Math.PI * v));
