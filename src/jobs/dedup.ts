/**
 * Duplicates, by Nutch 1.2's three jobs over the columns of all live documents:
 *
 *     dedup-url      by id: the copy fetched last stays; losers are marked, all go on, by digest
 *     dedup-digest   by digest: marked ones pass; of the others the best stays (dedup-order.ts); losers go on, by place
 *     dedup-delete   by index segment and document number: what is to be deleted, in order
 *
 * The order of the first two matters: an old copy of a page must not remove another page. Documents without a digest
 * (added from elsewhere) take part in the first only. Documents that can have no twin (suspects.ts) take part in none.
 *
 *     candidate := lost:u8  segment:u16  doc:u32  score:f64  time:f64  id:string
 *     loss      := rule:string  id:string  winner:string
 */
import {
  type Column,
  FsDirectory,
  isLive,
  openShared,
  PostingsCursor,
  type SegmentReader,
  type SharedSegment,
} from '../../index/index.ts';
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import type { Counters } from '../run/context.ts';
import type { Job } from '../run/job.ts';
import { type RunContext, runJob } from '../run/run.ts';
import { RecordReader } from '../store/records.ts';
import { type Candidate, type DedupRule, isLater, loses } from './dedup-order.ts';
import { findSuspects, hashOf, isSuspect, type Suspects } from './suspects.ts';

/** An index segment with its live documents. `segment` is its place in the list, ordered by name. */
export interface DedupSplit {
  readonly directory: string;
  readonly shared: SharedSegment;
  readonly segment: number;
  readonly docs: number;
}
/** A record file that the job before made. */
export interface FileSplit {
  readonly path: string;
}

export interface Loss {
  readonly rule: DedupRule;
  readonly id: string;
  readonly winner: string;
}

const out = new ByteWriter(512);
/** Losers of one digest kept until its winner is known; beyond, they name the best so far. */
const MOST_KEPT = 100_000;

/** A candidate but for its id, which ends it. */
function writePlace(to: ByteWriter, candidate: Omit<Candidate, 'id'>, lost: boolean): void {
  to.u8(lost ? 1 : 0);
  to.u16(candidate.segment);
  to.u32(candidate.doc);
  to.f64(candidate.score);
  to.f64(candidate.time);
}
function encode(candidate: Candidate, lost: boolean): Uint8Array {
  out.reset();
  writePlace(out, candidate, lost);
  out.string(candidate.id);
  return out.view();
}
const DIGEST = 16;
/** A copy in one buffer that is used again and again; good until the next call. */
function copyOf(value: Uint8Array): Uint8Array {
  if (held.length < value.length) held = new Uint8Array(value.length * 2);
  held.set(value);
  return held.subarray(0, value.length);
}
let held = new Uint8Array(1024);
function decode(value: Uint8Array): Candidate & { readonly lost: boolean } {
  const from = new ByteReader(value);
  const lost = from.u8() === 1;
  const segment = from.u16();
  const doc = from.u32();
  const score = from.f64();
  const time = from.f64();
  return { lost, segment, doc, score, time, id: from.string() };
}

/** By id. The digest travels in front of the candidate: it is the key of the next job. */
export const dedupUrl: Job<DedupSplit, Suspects> = {
  name: 'dedup-url',
  map({ directory, shared, segment }, suspects, emit, count) {
    const reader = openShared(new FsDirectory(directory), shared);
    try {
      const { live } = reader;
      const ids = reader.terms('id');
      const boost = reader.column('boost');
      const fetched = reader.column('fetched');
      const digest = reader.column('digest');
      const round = reader.column('segment');
      const docs = new PostingsCursor();
      const value = new ByteWriter(512);
      let documents = 0;
      for (let n = 0; n < ids.size; n++) {
        ids.key(n);
        const isSuspected = isSuspect(suspects.ids, hashOf(ids.keyBytes, ids.keyFrom, ids.keyEnd));
        ids.postings(n, docs);
        for (let doc = docs.next(); doc < reader.docs; doc = docs.next()) {
          if (!isLive(live, doc)) continue;
          documents++;
          const has = digest?.kind === 'hash128' && isLive(digest.present, doc);
          if (
            !isSuspected &&
            !(has && isSuspect(suspects.digests, hashOf(digest.bytes, doc * DIGEST, (doc + 1) * DIGEST)))
          )
            continue;
          // Its bytes go on as they are: no text is made of an id that nobody compares.
          ids.key(n);
          const score = boost?.kind === 'f64' && !Number.isNaN(boost.values[doc]!) ? boost.values[doc]! : 1;
          const known = fetched?.kind === 'f64' ? fetched.values[doc]! : Number.NaN;
          const time = Number.isNaN(known) ? timeOf(round, doc) + doc : known;
          value.reset();
          if (has) {
            value.u8(DIGEST);
            value.raw(digest.bytes.subarray(doc * DIGEST, doc * DIGEST + DIGEST));
          } else value.u8(0);
          writePlace(value, { score, time, segment, doc }, false);
          value.varint(ids.keyEnd - ids.keyFrom);
          value.slice(ids.keyBytes, ids.keyFrom, ids.keyEnd);
          emit.slice(ids.keyBytes, ids.keyFrom, ids.keyEnd, value.data, 0, value.length);
        }
      }
      count('documents', documents);
    } finally {
      reader.close();
    }
  },
  reduce(_id, values, _args, emit, count) {
    // Nearly every id stands once: its candidate goes on as it came, and nothing is decoded.
    let only: Uint8Array | undefined;
    let kept: { candidate: Candidate; digest: Uint8Array } | undefined;
    const read = (value: Uint8Array): { candidate: Candidate; digest: Uint8Array } => ({
      digest: value.subarray(1, 1 + value[0]!),
      candidate: decode(value.subarray(1 + value[0]!)),
    });
    for (const value of values) {
      if (!only) {
        only = copyOf(value);
        continue;
      }
      kept ??= read(new Uint8Array(only));
      const other = read(new Uint8Array(value));
      const later = isLater(kept.candidate, other.candidate);
      const loser = later ? kept : other;
      if (later) kept = other;
      count('by url');
      emit(loser.digest, encode(loser.candidate, true));
    }
    if (kept) emit(kept.digest, encode(kept.candidate, false));
    else if (only) emit.slice(only, 1, 1 + only[0]!, only, 1 + only[0]!, only.length);
  },
};

/** yyyyMMddHHmmss of a document's crawl segment as ms since the epoch; 0 where it has none. */
function timeOf(round: Column | null, doc: number): number {
  const segment = round?.kind === 'string' ? round.dictionary.value(round.ordinals[doc]!) : undefined;
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(segment ?? '');
  if (!match) return 0;
  const [year, month, day, hour, minute, second] = match.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Reads what the job before left, record by record. */
function copyAll({ path }: FileSplit, _args: unknown, emit: Parameters<Job['map']>[2]): void {
  const reader = new RecordReader(path);
  try {
    while (reader.next())
      emit.slice(reader.block, reader.keyStart, reader.keyEnd, reader.block, reader.valueStart, reader.valueEnd);
  } finally {
    reader.close();
  }
}

const place = Buffer.alloc(6);
function placeOf({ segment, doc }: Candidate): Uint8Array {
  place.writeUInt16BE(segment, 0);
  place.writeUInt32BE(doc, 2);
  return place;
}
function loss(rule: DedupRule, id: string, winner: string): Uint8Array {
  out.reset();
  out.string(rule);
  out.string(id);
  out.string(winner);
  return out.view();
}
export function decodeLoss(value: Uint8Array): Loss {
  const from = new ByteReader(value);
  return { rule: from.string() as DedupRule, id: from.string(), winner: from.string() };
}

export const dedupDigest: Job<FileSplit, { readonly by: 'score' | 'url' }> = {
  name: 'dedup-digest',
  map: copyAll,
  reduce(digest, values, { by }, emit, count) {
    // As above: a digest that stands once is nothing to be looked into.
    let first: Uint8Array | undefined;
    let best: Candidate | undefined;
    const losers: Candidate[] = [];
    const settle = (): void => {
      for (const loser of losers) {
        count('by digest');
        emit(placeOf(loser), loss(loses(loser, best!, by)!, loser.id, best!.id));
      }
      losers.length = 0;
    };
    for (const value of values) {
      if (value[0] === 1) {
        const candidate = decode(value);
        emit(placeOf(candidate), loss('url-latest', candidate.id, candidate.id));
      } else if (digest.length === 0) continue;
      else if (!first) first = copyOf(value);
      else {
        best ??= decode(first);
        const candidate = decode(value);
        const wins = loses(best, candidate, by) !== null;
        losers.push(wins ? best : candidate);
        if (wins) best = candidate;
        if (losers.length >= MOST_KEPT) settle();
      }
    }
    settle();
  },
};

export const dedupDelete: Job<FileSplit, null> = {
  name: 'dedup-delete',
  map: copyAll,
};

export interface Duplicates {
  /** Record files of losses, each sorted by place: segment:u16 doc:u32, big-endian. */
  readonly files: readonly string[];
  /** Names of the index segments that places speak of. */
  readonly segments: readonly string[];
  readonly counters: Counters;
  discard(): void;
}

/** The key of a record in `Duplicates.files`. */
export const readPlace = (key: Buffer): { segment: number; doc: number } => ({
  segment: key.readUInt16BE(0),
  doc: key.readUInt32BE(2),
});

function suspectsOf(splits: readonly DedupSplit[]): Suspects {
  const readers: SegmentReader[] = [];
  try {
    for (const { directory, shared } of splits) readers.push(openShared(new FsDirectory(directory), shared));
    return findSuspects(readers);
  } finally {
    for (const reader of readers) reader.close();
  }
}

/** Bytes a suspected document takes on its way, about: they tell the runner how many threads are worth it. */
const DOCUMENT_BYTES = 150;

/** Runs the three jobs. Survivors do not depend on the order of `given`. @throws what `runJob` throws */
export async function findDuplicates(
  context: RunContext,
  given: readonly Omit<DedupSplit, 'segment'>[],
  by: 'score' | 'url',
): Promise<Duplicates> {
  const splits = given
    .toSorted((a, b) => (a.shared.name < b.shared.name ? -1 : 1))
    .map((split, segment): DedupSplit => ({ ...split, segment }));
  const suspects = suspectsOf(splits);
  // Going through the ids costs about as much as a tenth of what sorting them would.
  const documents = splits.reduce((sum, { docs }) => sum + docs, 0);
  const bytes = (suspects.most + documents / 10) * DOCUMENT_BYTES;
  const made: { discard(): void }[] = [];
  try {
    const urls = await runJob(dedupUrl, { splits, args: suspects, bytes }, context);
    made.push(urls);
    const filesOf = (files: readonly string[]): FileSplit[] => files.map((path) => ({ path }));
    const digests = await runJob(
      dedupDigest,
      { splits: filesOf(urls.files), args: { by }, bytes: urls.records * DOCUMENT_BYTES },
      context,
    );
    made.push(digests);
    const input = { splits: filesOf(digests.files), args: null, bytes: digests.records * DOCUMENT_BYTES };
    const places = await runJob(dedupDelete, { ...input, partitions: 1 }, context);
    return {
      files: places.files,
      segments: splits.map(({ shared }) => shared.name),
      counters: {
        documents: urls.counters.documents ?? 0,
        duplicates: places.records,
        byUrl: urls.counters['by url'] ?? 0,
        byDigest: digests.counters['by digest'] ?? 0,
      },
      discard: () => places.discard(),
    };
  } finally {
    for (const output of made) output.discard();
  }
}
