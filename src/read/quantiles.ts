/**
 * Quantiles of a stream, each within one part in a hundred of the true value, in memory for some thousand buckets: values
 * are counted by the power of 1.02 they lie below. Source: Masson et al., DDSketch (2019).
 */
const GAMMA = Math.log(1.02);

export class Quantiles {
  count = 0;
  sum = 0;
  min = Number.POSITIVE_INFINITY;
  max = Number.NEGATIVE_INFINITY;
  private zeros = 0;
  private readonly above = new Map<number, number>();
  private readonly below = new Map<number, number>();

  add(value: number): void {
    this.count++;
    this.sum += value;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
    if (Math.abs(value) < 1e-300) {
      this.zeros++;
      return;
    }
    const buckets = value > 0 ? this.above : this.below;
    const bucket = Math.ceil(Math.log(Math.abs(value)) / GAMMA);
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + 1);
  }

  /** The value that `share` of all lie at or below; NaN when there are none. */
  at(share: number): number {
    if (this.count === 0) return Number.NaN;
    let left = Math.max(1, Math.ceil(share * this.count));
    const middle = (bucket: number): number => Math.exp((bucket - 0.5) * GAMMA);
    const held = (value: number): number => Math.min(Math.max(value, this.min), this.max);
    for (const [bucket, count] of [...this.below].sort((a, b) => b[0] - a[0]))
      if ((left -= count) <= 0) return held(-middle(bucket));
    if ((left -= this.zeros) <= 0) return 0;
    for (const [bucket, count] of [...this.above].sort((a, b) => a[0] - b[0]))
      if ((left -= count) <= 0) return held(middle(bucket));
    return this.max;
  }
}

/** What a person looks at first: ends, mean, and where most lie. */
export interface Spread {
  readonly min: number;
  readonly mean: number;
  readonly max: number;
  /** Share -> value, by names such as `p50`. */
  readonly quantiles: Readonly<Record<string, number>>;
}
const SHARES = [1, 5, 25, 50, 75, 95, 99];

export const spreadOf = (values: Quantiles): Spread | null =>
  values.count === 0
    ? null
    : {
        min: values.min,
        mean: values.sum / values.count,
        max: values.max,
        quantiles: Object.fromEntries(
          SHARES.map((share) => [`p${share}`, Number(values.at(share / 100).toPrecision(4))]),
        ),
      };
