/**
 * The best N of a stream of records, exactly, in memory for 2N of them: records are collected, and whenever there are
 * twice as many as wanted the better half stays. Of equals the first come are better.
 *
 * A group (the pages of a host, which come together) may be held to its own best M: `open` marks where it begins, `close`
 * keeps its best. While groups are limited, only what lies before the open group counts as settled.
 */
export class Best {
  /** Records that were good enough when they came, and had to give way. */
  dropped = 0;
  /** Records that their group had no room for. */
  crowded = 0;
  private readonly most: number;
  private readonly perGroup: number;
  private score = new Float64Array(1024);
  private order = new Float64Array(1024);
  private at = new Uint32Array(1024);
  private keyLength = new Uint32Array(1024);
  private length = new Uint32Array(1024);
  private bytes = Buffer.allocUnsafeSlow(1 << 16);
  private used = 0;
  private count = 0;
  private coming = 0;
  private group = 0;
  /** Score of the worst of the settled N; what is not above it cannot be among the best. */
  private cutoff = Number.NEGATIVE_INFINITY;

  /** `perGroup` -1: groups are not limited. */
  constructor(most: number, perGroup: number) {
    this.most = most;
    this.perGroup = perGroup;
  }

  get size(): number {
    return this.count;
  }

  add(score: number, key: Uint8Array | string, value: Uint8Array): void {
    const order = this.coming++;
    if (score <= this.cutoff) {
      this.dropped++;
      return;
    }
    // A text of n UTF-16 units takes at most 3n bytes.
    this.room((typeof key === 'string' ? key.length * 3 : key.length) + value.length);
    let keyLength = key.length;
    if (typeof key === 'string') keyLength = this.bytes.write(key, this.used);
    else this.bytes.set(key, this.used);
    const size = keyLength + value.length;
    const i = this.count++;
    this.score[i] = score;
    this.order[i] = order;
    this.at[i] = this.used;
    this.keyLength[i] = keyLength;
    this.length[i] = size;
    this.bytes.set(value, this.used + keyLength);
    this.used += size;
    if (this.perGroup >= 0) {
      if (this.count - this.group > this.perGroup * 2 + 64) this.crowd();
    } else if (this.count >= this.most * 2 + 64) this.settle();
  }

  /** The pages that come from now on are of another group. */
  nextGroup(): void {
    if (this.perGroup < 0) return;
    if (this.count - this.group > this.perGroup) this.crowd();
    if (this.count >= this.most * 2 + 64) this.settle();
    this.group = this.count;
  }

  /** The best, best first. `key` and `value` share memory that the next `add` may overwrite. */
  *take(): Generator<{ key: Uint8Array; value: Uint8Array; score: number }, void, undefined> {
    this.nextGroup();
    for (const i of this.ranked(0, this.count).subarray(0, this.most)) {
      const at = this.at[i]!;
      const middle = at + this.keyLength[i]!;
      yield {
        key: this.bytes.subarray(at, middle),
        value: this.bytes.subarray(middle, at + this.length[i]!),
        score: this.score[i]!,
      };
    }
  }

  /** As `take`, and empty afterwards. */
  *drain(): Generator<{ key: Uint8Array; value: Uint8Array; score: number }, void, undefined> {
    let taken = 0;
    for (const record of this.take()) {
      taken++;
      yield record;
    }
    this.dropped += Math.max(0, this.count - taken);
    this.count = this.used = this.group = 0;
    this.cutoff = Number.NEGATIVE_INFINITY;
  }

  private ranked(from: number, to: number): Uint32Array {
    const ranks = new Uint32Array(to - from);
    for (let i = from; i < to; i++) ranks[i - from] = i;
    const { score, order } = this;
    return ranks.sort((a, b) => score[b]! - score[a]! || order[a]! - order[b]!);
  }

  private crowd(): void {
    const before = this.count;
    this.keep(this.group, this.perGroup);
    this.crowded += before - this.count;
  }

  private settle(): void {
    const before = this.count;
    this.cutoff = this.keep(0, this.most);
    this.dropped += before - this.count;
  }

  /** Of the records from `from` on, keeps the best `most`, in the order they came, and closes the gaps. Score of the worst kept. */
  private keep(from: number, most: number): number {
    const ranks = this.ranked(from, this.count);
    if (ranks.length <= most) return Number.NEGATIVE_INFINITY;
    const worst = most > 0 ? this.score[ranks[most - 1]!]! : Number.POSITIVE_INFINITY;
    const kept = ranks.slice(0, most).sort();
    let to = from;
    let used = from === 0 ? 0 : this.at[from]!;
    for (const i of kept) {
      this.bytes.copyWithin(used, this.at[i]!, this.at[i]! + this.length[i]!);
      this.score[to] = this.score[i]!;
      this.order[to] = this.order[i]!;
      this.at[to] = used;
      this.keyLength[to] = this.keyLength[i]!;
      this.length[to] = this.length[i]!;
      used += this.length[i]!;
      to++;
    }
    this.count = to;
    this.used = used;
    return worst;
  }

  private room(size: number): void {
    if (this.used + size > this.bytes.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(this.bytes.length * 2, this.used + size));
      this.bytes.copy(grown, 0, 0, this.used);
      this.bytes = grown;
    }
    if (this.count < this.score.length) return;
    const doubled = <T extends Float64Array | Uint32Array>(from: T, to: T): T => {
      to.set(from);
      return to;
    };
    const length = this.count * 2;
    this.score = doubled(this.score, new Float64Array(length));
    this.order = doubled(this.order, new Float64Array(length));
    this.at = doubled(this.at, new Uint32Array(length));
    this.keyLength = doubled(this.keyLength, new Uint32Array(length));
    this.length = doubled(this.length, new Uint32Array(length));
  }
}
