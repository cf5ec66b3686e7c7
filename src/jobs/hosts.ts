/**
 * hosts: what the fetches of a segment say of each host, added to what is known of it: outcomes by reason, failures,
 * response times, bytes. On the runner: outcomes are mapped to their host, folded, and joined with the hosts table.
 *
 *     key   := "stats " site                         (other keys of the table are those of the fetcher)
 *     value := version:u8=1  first:f64  last:f64  pages:f64  bytes:f64  ms:f64  times:u32[32]  count:varint
 *              (reason:string pages:varint)[count]
 *
 * `times[i]` counts answers that took from 2^(i/2) ms up, so a quantile is right within a factor of 1.42. Versions: 1.
 */
import { statSync } from 'node:fs';
import { type ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { CrawlError } from '../errors.ts';
import { decodeOutcome, guarded } from '../page/codec.ts';
import { hostOfSite, siteOf, siteOfKey } from '../page/key.ts';
import type { Reason } from '../page/reason.ts';
import { partFiles } from '../page/segment-files.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { join } from '../store/join.ts';
import { RecordReader } from '../store/records.ts';
import type { Tables } from '../store/tables.ts';

export interface HostStats {
  readonly host: string;
  /** First and last fetch, ms since the epoch. */
  readonly first: number;
  readonly last: number;
  /** Requests with an outcome. */
  readonly pages: number;
  readonly bytes: number;
  /** Mean time of an answer, ms; 0: none came. */
  readonly meanMs: number;
  /** Half, nine in ten, and ninety-nine in a hundred answers came within, ms. */
  readonly quantilesMs: readonly [number, number, number];
  readonly reasons: Readonly<Partial<Record<Reason, number>>>;
  /** Requests for which no answer came: DNS, connection, TLS, time. */
  readonly failures: number;
}

const BUCKETS = 32;
const PREFIX = 'stats ';
const noAnswer: readonly Reason[] = ['dns', 'connect', 'tls', 'timeout', 'reset', 'protocol'];

class Tally {
  first = Number.POSITIVE_INFINITY;
  last = 0;
  pages = 0;
  bytes = 0;
  ms = 0;
  readonly times = new Uint32Array(BUCKETS);
  readonly reasons = new Map<string, number>();

  answered(ms: number): void {
    this.ms += ms;
    this.times[Math.min(BUCKETS - 1, Math.max(0, Math.floor(2 * Math.log2(Math.max(ms, 1)))))]!++;
  }
  reason(reason: string, by: number): void {
    this.reasons.set(reason, (this.reasons.get(reason) ?? 0) + by);
  }
  add(value: Uint8Array): void {
    guarded('the record of a host', value, (from: ByteReader) => {
      this.first = Math.min(this.first, from.f64());
      this.last = Math.max(this.last, from.f64());
      this.pages += from.f64();
      this.bytes += from.f64();
      this.ms += from.f64();
      for (let i = 0; i < BUCKETS; i++) this.times[i]! += from.u32();
      for (let left = from.varint(); left > 0; left--) this.reason(from.string(), from.varint());
    });
  }
  encode(): Uint8Array {
    const out = new ByteWriter(256);
    out.u8(1);
    for (const value of [this.first, this.last, this.pages, this.bytes, this.ms]) out.f64(value);
    for (const times of this.times) out.u32(times);
    out.varint(this.reasons.size);
    for (const [reason, pages] of [...this.reasons].sort(([a], [b]) => (a < b ? -1 : 1))) {
      out.string(reason);
      out.varint(pages);
    }
    return out.finish();
  }
  stats(host: string): HostStats {
    const answers = this.times.reduce((sum, times) => sum + times, 0);
    const quantile = (share: number): number => {
      let left = answers * share;
      for (let i = 0; i < BUCKETS; i++)
        if ((left -= this.times[i]!) <= 0) return answers ? Math.round(2 ** ((i + 1) / 2)) : 0;
      return 0;
    };
    const reasons = Object.fromEntries(this.reasons) as Partial<Record<Reason, number>>;
    return {
      host,
      first: this.first,
      last: this.last,
      pages: this.pages,
      bytes: this.bytes,
      meanMs: answers > 0 ? this.ms / answers : 0,
      quantilesMs: [quantile(0.5), quantile(0.9), quantile(0.99)],
      reasons,
      failures: noAnswer.reduce((sum, reason) => sum + (reasons[reason] ?? 0), 0),
    };
  }
}

export const hostsJob: Job<string, null> = {
  name: 'hosts',
  map(file, _args, emit) {
    const reader = new RecordReader(file);
    // A shard owns its hosts, so one tally a host and file is all there is; flushed when hosts are many.
    const tallies = new Map<string, Tally>();
    const flush = (): void => {
      for (const [site, tally] of tallies) emit(Buffer.from(PREFIX + site), tally.encode());
      tallies.clear();
    };
    try {
      while (reader.next()) {
        const site = siteOfKey(reader.key);
        const { kind, reason, fetched, bytes, httpStatus, responseMs } = decodeOutcome(reader.value);
        if (kind === 'skipped') continue;
        let tally = tallies.get(site);
        if (!tally) {
          if (tallies.size >= 10_000) flush();
          tally = new Tally();
          tallies.set(site, tally);
        }
        tally.first = Math.min(tally.first, fetched);
        tally.last = Math.max(tally.last, fetched);
        tally.pages++;
        tally.bytes += bytes;
        if (httpStatus > 0) tally.answered(responseMs);
        tally.reason(reason, 1);
      }
      flush();
    } finally {
      reader.close();
    }
  },
  reduce(key, values, _args, emit) {
    const sum = new Tally();
    for (const value of values) sum.add(value);
    emit(key, sum.encode());
  },
};

/** `hosts` met in the segment, `added` ones that were unknown, and `failures`; `alreadyApplied` 1 when it is in. */
export async function hosts(context: JobContext, segment: string): Promise<Counters> {
  const table = context.tables.hosts;
  if (await table.applied(segment)) return { alreadyApplied: 1 };
  const splits = partFiles(context.dir, segment, 'crawl_fetch');
  if (splits.length === 0)
    throw new CrawlError('missing-input', `segment ${segment} has no crawl_fetch; run fetch on it first`, {
      where: segment,
    });
  const bytes = splits.reduce((sum, file) => sum + statSync(file).size, 0);
  const output = await runJob(hostsJob, { splits, args: null, bytes }, context);
  const counters = { hosts: 0, added: 0, failures: 0 };
  const change = table.change();
  try {
    await join(
      output.files,
      table,
      ({ key, value, record }) => {
        const sum = new Tally();
        sum.add(value);
        counters.hosts++;
        counters.failures += sum.stats('').failures;
        if (record) sum.add(record);
        else counters.added++;
        change.put(key, sum.encode());
      },
      context.signal,
    );
    await change.commit(segment);
    return counters;
  } catch (error) {
    change.abandon();
    throw error;
  } finally {
    output.discard();
  }
}

/** What is known of one host, by its name in lower case; null: nothing. */
export async function hostStats({ hosts: table }: Tables, host: string): Promise<HostStats | null> {
  const value = await table.get(PREFIX + siteOf(host));
  if (!value) return null;
  const tally = new Tally();
  tally.add(value);
  return tally.stats(host);
}

/** Every host that was fetched from, in key order. */
export async function* allHostStats({ hosts: table }: Tables): AsyncGenerator<HostStats, void, undefined> {
  for await (const { key, value } of table.records({ gte: PREFIX, lt: 'stats!' })) {
    const tally = new Tally();
    tally.add(value);
    yield tally.stats(hostOfSite(key.slice(PREFIX.length)));
  }
}
