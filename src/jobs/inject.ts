/**
 * inject: seed lines into crawldb. Lines are read, normalised and filtered on the pool; the seeds come back sorted and
 * meet crawldb in one ordered pass. A seed names what belongs to the crawl, so the scope does not apply to it; scheme,
 * length, filters and traps do.
 */
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { kindOfFile } from '../net/file.ts';
import type { Settled } from '../options.ts';
import { decodeState, encodeState } from '../page/codec.ts';
import { explain } from '../page/reason.ts';
import { parseSeed } from '../page/seed.ts';
import { newState, type PageState } from '../page/state.ts';
import { forceRefetch } from '../page/transition.ts';
import type { Counters, JobContext } from '../run/context.ts';
import type { Job } from '../run/job.ts';
import { runJob } from '../run/run.ts';
import { join } from '../store/join.ts';
import { type Admitted, createAdmit } from '../url/admit.ts';
import { fileUrlOf, isFile, looksLikePath } from '../url/files.ts';
import { keyOf, urlOf } from '../url/key.ts';
import { transitionRules } from './rules.ts';

/** What happens to a page that crawldb knows: nothing; score, interval and metadata from the line; or all anew. */
export type InjectMode = 'keep' | 'update' | 'overwrite';

export interface InjectInput {
  readonly lines: readonly string[];
  readonly mode?: InjectMode;
  /** Where the lines come from, for warnings. */
  readonly source?: string;
}
export interface Injected {
  /** `lines`, `injected`, `known`, `updated`, `overwritten`, `repeated`, `rejected`, `rejected.<reason>`, `problems`. */
  readonly counters: Counters;
  /** Addresses of the seeds that passed, in the order of their lines. */
  readonly accepted: readonly string[];
}

interface Split {
  /** Number of the first line, from 1. */
  readonly from: number;
  readonly lines: readonly string[];
}
interface Args {
  readonly scope: Settled['scope'];
  readonly interval: number;
  readonly now: number;
  readonly source: string;
}

/** Keys of warnings: below those of all pages. */
const WARNING = 0;
const SCORE = 1;
const INTERVAL = 2;
const FIXED = 4;
const MODIFIED = 8;

/** A value: line:u32 given:u8 state. A warning's key: 0 and its line number in ten digits. */
export const injectJob: Job<Split, Args> = {
  name: 'inject',
  async map({ from, lines }, { scope, interval, now, source }, emit, count) {
    const admit = createAdmit({ ...scope, mode: 'any' }, [], 'inject');
    const admitFile = createAdmit({ ...scope, mode: 'any', files: ['file:///'] }, [], 'inject');
    const warn = (line: number, text: string): void =>
      emit(Buffer.from(`\0${String(line).padStart(10, '0')}`), Buffer.from(`${source} line ${line}: ${text}`));
    const out = new ByteWriter();
    for (const [at, text] of lines.entries()) {
      const seed = parseSeed(text);
      if (!seed) continue;
      count('lines');
      const line = from + at;
      if (seed.problems.length > 0) {
        count('problems', seed.problems.length);
        warn(line, seed.problems.join('; '));
      }
      const place = placeOf(seed.url);
      const admitted = place === null ? admitSeed(admit, seed.url) : await admitPlace(admitFile, place);
      if (admitted.url === null) {
        count('rejected');
        count(`rejected.${admitted.reason}`);
        const shown = seed.url.length > 100 ? `${seed.url.slice(0, 97)}...` : seed.url;
        warn(line, `${shown}: ${explain(admitted.reason)}${admitted.rule ? ` (${admitted.rule})` : ''}`);
        continue;
      }
      const state = newState(now, seed.interval ?? interval, {
        score: seed.score ?? 1,
        fixedInterval: seed.fixedInterval ?? 0,
        modified: Math.min(seed.modified ?? 0, now),
        meta: seed.meta,
      });
      out.reset();
      out.u32(line);
      out.u8(
        (seed.score === undefined ? 0 : SCORE) |
          (seed.interval === undefined ? 0 : INTERVAL) |
          (seed.fixedInterval === undefined ? 0 : FIXED) |
          (seed.modified === undefined ? 0 : MODIFIED),
      );
      out.raw(encodeState(state));
      emit(Buffer.from(keyOf(admitted.url)), out.view());
    }
  },
  /** Of several lines for one page the last stands. */
  reduce(key, values, _args, emit, count) {
    if (key[0] === WARNING) {
      for (const value of values) emit(key, value);
      return;
    }
    let last: Uint8Array | undefined;
    for (const value of values) {
      if (last) count('repeated');
      last = new Uint8Array(value);
    }
    emit(key, last!);
  },
};

/** An address without scheme, as people write it (`example.org/docs`), is one of https; a local one of http. */
function admitSeed(admit: (url: string) => Admitted, text: string): Admitted {
  const bare = /^([a-z0-9-]+(?:\.[a-z0-9-]+)+|localhost)(?::\d+)?(?:[/?#]|$)/i.exec(text);
  if (!bare) return admit(text);
  return admit(`${/^localhost$|^\d+\.\d+\.\d+\.\d+$/i.test(bare[1]!) ? 'http' : 'https'}://${text}`);
}

/** The address of a place on disk that a seed names, as a path or as an address; null: it names none. */
const placeOf = (text: string): string | null =>
  looksLikePath(text) ? (fileUrlOf(text) ?? text) : isFile(text) ? text : null;

/** A folder is one with a slash at its end: it is what the crawl may read, and not its neighbours. */
async function admitPlace(admit: (url: string) => Admitted, place: string): Promise<Admitted> {
  const admitted = admit(place);
  if (admitted.url === null) return admitted;
  const kind = await kindOfFile(admitted.url);
  if (kind === null) return { url: null, reason: 'unreadable', rule: 'there is no such file or folder' };
  return kind === 'folder' && !admitted.url.endsWith('/') ? admit(`${admitted.url}/`) : admitted;
}

const LINES = 20_000;

export async function inject(context: JobContext, input: InjectInput): Promise<Injected> {
  const { lines, mode = 'keep', source = 'seeds' } = input;
  const splits: Split[] = [];
  for (let at = 0; at < lines.length; at += LINES) splits.push({ from: at + 1, lines: lines.slice(at, at + LINES) });
  const rules = transitionRules(context);
  const { scope, schedule } = context.options;
  const args: Args = { scope, interval: schedule.interval, now: context.now, source };
  const bytes = lines.reduce((sum, line) => sum + line.length, 0);
  const output = await runJob(injectJob, { splits, args, bytes }, context);
  const accepted: { line: number; url: string }[] = [];
  const counters: Record<string, number> = { injected: 0, known: 0, rejected: 0, ...output.counters };
  const count = (name: string): void => void (counters[name] = (counters[name] ?? 0) + 1);
  const { crawldb } = context.tables;
  const change = crawldb.change();
  try {
    await join(
      output.files,
      crawldb,
      ({ key, value, record }) => {
        if (key[0] === WARNING) {
          context.onEvent({ kind: 'warning', message: value.toString() });
          return;
        }
        const from = new ByteReader(value);
        accepted.push({ line: from.u32(), url: urlOf(key.toString()) });
        const given = from.u8();
        const seed = decodeState(from.raw(from.left));
        const old = record && decodeState(record);
        const next = old ? merged(old, seed, given, mode, rules) : seed;
        count(!old ? 'injected' : mode === 'keep' ? 'known' : mode === 'update' ? 'updated' : 'overwritten');
        const bytes = encodeState(next);
        if (!record?.equals(bytes)) change.put(key, bytes);
      },
      context.signal,
    );
    await change.commit();
  } catch (error) {
    change.abandon();
    throw error;
  } finally {
    output.discard();
  }
  accepted.sort((a, b) => a.line - b.line);
  return { counters, accepted: accepted.map(({ url }) => url) };
}

function merged(
  old: PageState,
  seed: PageState,
  given: number,
  mode: InjectMode,
  rules: Parameters<typeof forceRefetch>[2],
): PageState {
  // Whatever its line says, a seed is where depth is counted from.
  const known = old.depth === 0 ? old : { ...old, depth: 0 };
  if (mode === 'keep') return known;
  if (mode === 'overwrite')
    return { ...forceRefetch({ ...known, ...seed }, true, rules), inlinks: old.inlinks, fetched: old.fetched };
  // A page that changed after we fetched it is due; of one never fetched the time is all that is known.
  const changed = (given & MODIFIED) !== 0 && known.fetched > 0 && seed.modified > known.fetched;
  return {
    ...known,
    due: changed ? Math.min(known.due, rules.now) : known.due,
    modified: given & MODIFIED && known.fetched === 0 ? seed.modified : known.modified,
    score: given & SCORE ? seed.score : known.score,
    interval: given & INTERVAL ? seed.interval : known.interval,
    fixedInterval: given & FIXED ? seed.fixedInterval : known.fixedInterval,
    meta: seed.meta.size > 0 ? new Map([...known.meta, ...seed.meta]) : known.meta,
  };
}
