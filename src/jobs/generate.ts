/**
 * generate: fetchlists of the pages that are due, best score first.
 *
 * One ordered scan of crawldb reads due time, lease, status and score where they lie and keeps the best `topN`, exactly,
 * with exact limits a host and a domain (keys keep both together, so a limit needs the memory of one host). Only what is
 * chosen is decoded, checked against the gate once more, leased, and written. A list interleaves hosts: the first pages
 * of all hosts, then the second ones, so that a shard always has many hosts ready.
 *
 * The segment is renamed into place before its leases hold: a process killed between the two leaves a fetchlist that can
 * be fetched, and never pages that wait for one.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CrawlError } from '../errors.ts';
import { decodeState, encodeState, stateAt } from '../page/codec.ts';
import type { Reason } from '../page/reason.ts';
import { isDue } from '../page/schedule.ts';
import { segmentFolder, segmentName, segmentPart } from '../page/segment.ts';
import { believed, newState, type PageState } from '../page/state.ts';
import { type Status, statusCode } from '../page/status.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { RecordReader, RecordWriter } from '../store/records.ts';
import { createAdmit } from '../url/admit.ts';
import { hashOfText } from '../url/hash.ts';
import { domainOf } from '../url/host.ts';
import { hostOfSite, keyOf, siteOfKey, urlOf } from '../url/key.ts';
import { Best } from './best.ts';
import { scheduleRules } from './rules.ts';

export interface GenerateInput {
  /** URLs in one fetchlist; default `round.topN`. */
  readonly topN?: number;
  /** URLs of one host in one fetchlist; default `round.perHost`; -1: no limit. */
  readonly perHost?: number;
  /** The same for a registered domain, all its hosts together. */
  readonly perDomain?: number;
  /** Fetchlists made at once. */
  readonly segments?: number;
  /** Pages below this score stay. */
  readonly minScore?: number;
  /** Only pages in one of these states. */
  readonly status?: readonly Status[];
  /** Pages whose interval is longer, in seconds, stay (Nutch calls it generate.min.interval). */
  readonly maxInterval?: number;
  /** As if it were so many days later. */
  readonly addDays?: number;
  /** Pages that are taken though their time has not come, by key and record; called for all that wait. */
  readonly again?: (key: string, state: Buffer) => boolean;
  /** Any other condition; called for pages that pass the rest. */
  readonly where?: (url: string, state: PageState) => boolean;
  /** Whether pages that the gate would not admit any more stay; default true. */
  readonly filter?: boolean;
}

/**
 * `segments` made, `generated` pages in them, `scanned`, `due`, `rejected.<rule>` (notDue, leased, status, score,
 * interval, where, filtered, perHost, perDomain, topN), `filtered.<reason>`, and `nextDue`: when the next page that waits
 * is due, ms since the epoch (absent when none waits).
 */
export async function generate(context: JobContext, input: GenerateInput = {}): Promise<Counters> {
  return (await generateSegments(context, input)).counters;
}

export async function generateSegments(
  context: JobContext,
  input: GenerateInput = {},
): Promise<{ readonly counters: Counters; readonly segments: readonly string[] }> {
  const { round } = context.options;
  const most = Math.max(1, input.topN ?? round.topN);
  const count = Math.max(1, input.segments ?? 1);
  const perHost = input.perHost ?? round.perHost;
  const perDomain = input.perDomain ?? -1;
  const total = most * count;
  const limits = { total, host: perHost < 0 ? -1 : perHost * count, domain: perDomain < 0 ? -1 : perDomain * count };
  let { best, counters } = await choose(context, input, limits, false);
  if (input.filter ?? true) {
    const gate = gateOf(context);
    let refused = false;
    for (const { key } of best.take()) refused ||= gate(Buffer.from(key).toString('latin1')) !== null;
    // Rare: the scope or a filter was changed since these pages came in. Then they must not take the places of others.
    if (refused) ({ best, counters } = await choose(context, input, limits, true));
  }
  const chosen: Chosen[] = Array.from({ length: count }, () => ({ keys: [], values: [] }));
  divide(best, chosen, most, perHost, perDomain);
  const lists = chosen.filter(({ keys }) => keys.length > 0);
  const names = segmentNames(context, lists.length);
  const expires = context.now + round.lease * 1000;
  const change = context.tables.crawldb.change();
  try {
    const leased: { key: Buffer; state: Uint8Array }[] = [];
    for (const [at, list] of lists.entries()) {
      const lease = { segment: names[at]!, expires };
      list.values = list.values.map((value) =>
        Buffer.from(encodeState({ ...trusted(decodeState(value), context.now), lease })),
      );
      list.keys.forEach((key, i) => void leased.push({ key, state: list.values[i]! }));
      await writeList(context, names[at]!, list);
    }
    leased.sort((a, b) => a.key.compare(b.key));
    for (const { key, state } of leased) change.put(key, state);
    await change.commit();
  } catch (error) {
    change.abandon();
    throw error;
  }
  const generated = lists.reduce((sum, { keys }) => sum + keys.length, 0);
  const { nextDue, ...counted } = counters;
  const waits = Number.isFinite(nextDue) ? { nextDue: nextDue! } : {};
  return { counters: { segments: lists.length, generated, ...counted, ...waits }, segments: names };
}

/** A page that was fetched at a time that cannot be is fetched whole: else it is never known which text of it is the newest. */
function trusted(state: PageState, now: number): PageState {
  const fetched = believed(state.fetched, now);
  return fetched === state.fetched ? state : { ...state, fetched, etag: '', lastModified: '' };
}

interface Chosen {
  keys: Buffer[];
  values: Buffer[];
}
interface Limits {
  readonly total: number;
  readonly host: number;
  readonly domain: number;
}

async function choose(
  context: JobContext,
  input: GenerateInput,
  limits: Limits,
  filter: boolean,
): Promise<{ best: Best; counters: Record<string, number> }> {
  const now = context.now + (input.addDays ?? 0) * 86_400_000;
  const rules = scheduleRules(context.options);
  const minScore = input.minScore ?? Number.NEGATIVE_INFINITY;
  const wanted = input.status && new Set<number>(input.status.map((status) => statusCode[status]));
  const gate = filter ? gateOf(context) : null;
  const rejected = { notDue: 0, leased: 0, status: 0, score: 0, interval: 0, where: 0, filtered: 0 };
  const filtered: Record<string, number> = {};
  let scanned = 0;
  let due = 0;
  let nextDue = Number.POSITIVE_INFINITY;
  // A limit a domain needs its hosts gathered first: then a group is a domain, and a Best of its own keeps its hosts.
  const best = new Best(limits.total, limits.domain >= 0 ? limits.domain : limits.host);
  const hosts = limits.domain >= 0 && limits.host >= 0 ? new Best(limits.domain, limits.host) : null;
  const flush = (): void => {
    if (hosts) for (const { key, value, score } of hosts.drain()) best.add(score, key, value);
    best.nextGroup();
  };
  const grouped = limits.host >= 0 || limits.domain >= 0;
  /** Beginning of the keys of the present host, the space behind it included. */
  let site = ' ';
  let domain = '';
  for await (const entries of context.tables.crawldb.texts()) {
    if (context.signal.aborted) throw new CrawlError('interrupted', 'generate was stopped; nothing has changed');
    for (const [key, value] of entries) {
      scanned++;
      const at = value.readDoubleLE(stateAt.due);
      if (!isDue(at, now, rules) && !input.again?.(key, value)) {
        rejected.notDue++;
        if (at < nextDue) nextDue = at;
        continue;
      }
      if ((value[stateAt.has]! & 2) !== 0) {
        const { lease } = decodeState(value);
        if (lease && lease.expires > now) {
          rejected.leased++;
          if (lease.expires < nextDue) nextDue = lease.expires;
          continue;
        }
      }
      due++;
      if (wanted && !wanted.has(value[stateAt.status]!)) {
        rejected.status++;
        continue;
      }
      const score = value.readDoubleLE(stateAt.score);
      if (score < minScore) {
        rejected.score++;
        continue;
      }
      if (input.maxInterval !== undefined && decodeState(value).interval > input.maxInterval) {
        rejected.interval++;
        continue;
      }
      if (gate) {
        const reason = gate(key);
        if (reason !== null) {
          rejected.filtered++;
          filtered[`filtered.${reason}`] = (filtered[`filtered.${reason}`] ?? 0) + 1;
          continue;
        }
      }
      if (input.where && !input.where(urlOf(key), decodeState(value))) {
        rejected.where++;
        continue;
      }
      if (grouped && !key.startsWith(site)) {
        site = key.slice(0, key.indexOf(' ') + 1);
        if (limits.domain < 0) best.nextGroup();
        else {
          hosts?.nextGroup();
          const next = domainOf(hostOfSite(siteOfKey(key)));
          if (next !== domain) flush();
          domain = next;
        }
      }
      (hosts ?? best).add(score, key, value);
    }
  }
  flush();
  const counters: Record<string, number> = { scanned, due };
  const add = (name: string, by: number): void => {
    if (by > 0) counters[`rejected.${name}`] = by;
  };
  for (const [name, by] of Object.entries(rejected)) add(name, by);
  add('perHost', limits.domain < 0 ? best.crowded : (hosts?.crowded ?? 0));
  add('perDomain', limits.domain >= 0 ? best.crowded + (hosts?.dropped ?? 0) : 0);
  add('topN', best.dropped + Math.max(0, best.size - limits.total));
  return { best, counters: { ...counters, ...filtered, nextDue } };
}

/** Why the gate would refuse the page of a key, or null. */
function gateOf(context: JobContext): (key: string) => Reason | null {
  const admit = createAdmit(context.options.scope, context.seeds, 'crawldb');
  return (key) => {
    const admitted = admit(urlOf(key));
    return admitted.url === null ? admitted.reason : null;
  };
}

/** Best first, each page into the first list that has room for it, its host and its domain. */
function divide(best: Best, lists: readonly Chosen[], most: number, perHost: number, perDomain: number): void {
  const counts = lists.map(() => new Map<string, number>());
  for (const { key, value } of best.take()) {
    const host = siteOfKey(Buffer.from(key).toString('latin1'));
    const domain = perDomain >= 0 ? `domain ${domainOf(hostOfSite(host))}` : '';
    for (const [at, list] of lists.entries()) {
      const taken = counts[at]!;
      const ofHost = taken.get(host) ?? 0;
      const ofDomain = taken.get(domain) ?? 0;
      if (list.keys.length >= most || (perHost >= 0 && ofHost >= perHost)) continue;
      if (perDomain >= 0 && ofDomain >= perDomain) continue;
      taken.set(host, ofHost + 1);
      if (perDomain >= 0) taken.set(domain, ofDomain + 1);
      list.keys.push(Buffer.from(key));
      list.values.push(Buffer.from(value));
      break;
    }
  }
}

interface Split {
  readonly file: string;
}

/** Puts a list into its order: by rank within the host, then by a hash, so that every host is met early and often. */
export const generateJob: Job<Split, null> = {
  name: 'generate',
  map({ file }, _args, emit) {
    const reader = new RecordReader(file);
    const ranks = new Map<string, number>();
    const order = Buffer.alloc(16);
    try {
      for (let line = 0; reader.next(); line++) {
        const { key } = reader;
        const host = siteOfKey(key);
        const rank = ranks.get(host) ?? 0;
        ranks.set(host, rank + 1);
        order.writeUInt32BE(rank, 0);
        order.writeUInt32BE(hashOfText(host), 4);
        order.writeUInt32BE(line, 8);
        // Behind the order its own key: two pages never share one, whatever a hash says.
        order.writeUInt32BE(reader.keyEnd - reader.keyStart, 12);
        emit(Buffer.from(order), reader.block.subarray(reader.keyStart, reader.valueEnd));
      }
    } finally {
      reader.close();
    }
  },
  reduce(order, values, _args, emit) {
    const length = Buffer.from(order).readUInt32BE(12);
    for (const value of values) emit(value.subarray(0, length), value.subarray(length));
  },
};

async function writeList(context: JobContext, segment: string, list: Chosen): Promise<void> {
  const file = join(context.dir, 'tmp', `generate-${segment}.rec`);
  const folder = segmentFolder(context.dir, segment);
  const making = `${folder}.making`;
  mkdirSync(dirname(file), { recursive: true });
  const writer = new RecordWriter(file);
  try {
    list.keys.forEach((key, i) => {
      const value = list.values[i]!;
      writer.appendBytes(key, 0, key.length, value, 0, value.length);
    });
  } finally {
    writer.close();
  }
  const output = await runJob(
    generateJob,
    // Putting a list in order takes milliseconds, starting a thread for it a hundred.
    { splits: [{ file }], args: null, bytes: 0, partitions: 1 },
    context,
  );
  rmSync(making, { recursive: true, force: true });
  mkdirSync(join(making, 'crawl_generate'), { recursive: true });
  const part = segmentPart(context.dir, segment, 'crawl_generate', 0).slice(folder.length);
  renameSync(output.files[0]!, making + part);
  renameSync(making, folder);
  output.discard();
  rmSync(file, { force: true });
}

/** yyyyMMddHHmmss in UTC; the next seconds where one is taken. */
function segmentNames(context: JobContext, count: number): string[] {
  const names: string[] = [];
  for (let at = context.now; names.length < count; at += 1000) {
    const name = segmentName(at);
    if (!existsSync(segmentFolder(context.dir, name))) names.push(name);
  }
  return names;
}

/** A fetchlist of given addresses, without crawldb: what its records say is what a page just heard of has. */
export async function freeList(
  context: JobContext,
  urls: readonly string[],
): Promise<{ readonly counters: Counters; readonly segment: string | null }> {
  const admit = createAdmit({ ...context.options.scope, mode: 'any' }, context.seeds, 'inject');
  const keys = new Set<string>();
  let rejected = 0;
  for (const url of urls) {
    const admitted = admit(url);
    if (admitted.url === null) rejected++;
    else keys.add(keyOf(admitted.url));
  }
  if (keys.size === 0) return { counters: { segments: 0, generated: 0, rejected }, segment: null };
  const [segment] = segmentNames(context, 1) as [string];
  const state = Buffer.from(encodeState(newState(context.now, context.options.schedule.interval, { score: 1 })));
  const list: Chosen = { keys: [...keys].map((key) => Buffer.from(key)), values: [...keys].map(() => state) };
  await writeList(context, segment, list);
  return { counters: { segments: 1, generated: keys.size, rejected }, segment };
}
