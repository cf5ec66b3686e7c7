/**
 * Which documents have nearly the same text: groups of those whose sketches (parse/near.ts) agree, over all live documents.
 *
 *     bands      documents that agree in one of the 16 bands of their sketches meet; of those that meet, each is compared
 *                with the first few that are not near each other: near ones are bound together
 *     leaders    of what is bound together, best first, each joins the first leader that it is near to, or becomes one: so a
 *                chain of small changes makes no group of texts that have little in common
 *
 * Cost: per band two passes of a counting sort; comparisons at most MOST_COMPARED a document and band, so it grows as the
 * number of documents does. Memory: 40 bytes a document, beside the columns. One thread: the answer depends on the documents
 * and their order alone.
 */
import { setImmediate } from 'node:timers/promises';
import { type Column, isLive, PostingsCursor, type SegmentReader } from '../../index/index.ts';
import { CrawlError } from '../errors.ts';
import { BANDS, equalValues, NEAR_VALUES } from '../parse/near.ts';
import { withoutScheme } from './dedup-order.ts';

/** The leader, then those that are near to it, best first: documents, numbered over all segments. */
export type NearGroup = readonly number[];

/** Documents, not near each other, that one is compared with; of a band, and of what is bound together. */
const MOST_COMPARED = 16;
const MOST_LEADERS = 256;

/** In the order in which documents stand, of what is bound together. @throws CrawlError 'interrupted' */
export async function findNear(
  readers: readonly SegmentReader[],
  by: 'score' | 'url',
  signal: AbortSignal,
): Promise<NearGroup[]> {
  const sketches = new Sketches(readers);
  const bound = new Bound(sketches.size);
  const meeting = new Meeting(sketches.size);
  for (let band = 0; band < BANDS; band++) {
    meeting.sort(sketches, band);
    bindAll(meeting, sketches, bound);
    await setImmediate();
    if (signal.aborted) throw new CrawlError('interrupted', 'dedup was stopped; the index is as it was');
  }
  const sets = [...bound.sets()];
  const worth = new Worth(sketches, sets, by);
  return sets.flatMap((set) => groupsOf(set, sketches, worth));
}

/** The sketches of live documents that have one, numbered through. */
class Sketches {
  readonly readers: readonly SegmentReader[];
  /** How many there are. */
  readonly size: number;
  /** By number: the document, over all segments. */
  readonly #docs: Uint32Array;
  /** By segment: the numbers of its columns, the first document, the first number. */
  readonly #words: Uint32Array[] = [];
  readonly #bases: number[] = [];
  readonly #first: number[] = [];

  constructor(readers: readonly SegmentReader[]) {
    this.readers = readers;
    const docs = new Uint32Array(readers.reduce((sum, reader) => sum + reader.docs, 0));
    let size = 0;
    let base = 0;
    for (const reader of readers) {
      const column = reader.column('near');
      this.#bases.push(base);
      this.#first.push(size);
      if (column?.kind === 'hash512') {
        const { bytes, present } = column;
        this.#words.push(new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >>> 2));
        for (let doc = 0; doc < reader.docs; doc++)
          if (isLive(reader.live, doc) && isLive(present, doc)) docs[size++] = base + doc;
      } else this.#words.push(new Uint32Array(0));
      base += reader.docs;
    }
    this.size = size;
    this.#docs = docs.subarray(0, size);
  }

  /** Into `keys`: the number of a band of each sketch. */
  band(band: number, keys: Uint32Array): void {
    for (let s = 0; s < this.readers.length; s++) {
      const words = this.#words[s]!;
      const base = this.#bases[s]!;
      const end = this.#first[s + 1] ?? this.size;
      for (let n = this.#first[s]!; n < end; n++) keys[n] = words[(this.#docs[n]! - base) * BANDS + band]!;
    }
  }
  near(a: number, b: number): boolean {
    const [left, right] = [this.#segmentOf(a), this.#segmentOf(b)];
    const atA = (this.#docs[a]! - this.#bases[left]!) * BANDS;
    const atB = (this.#docs[b]! - this.#bases[right]!) * BANDS;
    return equalValues(this.#words[left]!, atA, this.#words[right]!, atB) >= NEAR_VALUES;
  }
  /** The document, numbered over all segments. */
  doc(n: number): number {
    return this.#docs[n]!;
  }
  #segmentOf(n: number): number {
    let segment = this.#first.length - 1;
    while (this.#first[segment]! > n) segment--;
    return segment;
  }
}

/** Sketches in the order of one band. */
class Meeting {
  /** Numbers of sketches, and what stands in the band of each, in its order; of equal ones, by number. */
  order: Uint32Array;
  keys: Uint32Array;
  #spareOrder: Uint32Array;
  #spareKeys: Uint32Array;
  readonly #counts = new Uint32Array((1 << 16) + 1);

  constructor(size: number) {
    [this.order, this.keys, this.#spareOrder, this.#spareKeys] = [0, 0, 0, 0].map(() => new Uint32Array(size)) as [
      Uint32Array,
      Uint32Array,
      Uint32Array,
      Uint32Array,
    ];
  }
  sort(sketches: Sketches, band: number): void {
    sketches.band(band, this.keys);
    for (let n = 0; n < this.order.length; n++) this.order[n] = n;
    this.#pass(0);
    this.#pass(16);
  }
  #pass(shift: number): void {
    const { order, keys } = this;
    const counts = this.#counts.fill(0);
    for (let i = 0; i < keys.length; i++) counts[((keys[i]! >>> shift) & 0xffff) + 1]!++;
    for (let value = 1; value < counts.length; value++) counts[value]! += counts[value - 1]!;
    for (let i = 0; i < keys.length; i++) {
      const at = counts[(keys[i]! >>> shift) & 0xffff]!++;
      this.#spareKeys[at] = keys[i]!;
      this.#spareOrder[at] = order[i]!;
    }
    [this.order, this.keys, this.#spareOrder, this.#spareKeys] = [this.#spareOrder, this.#spareKeys, order, keys];
  }
}

/** Binds those of each run of equal keys that are near. */
function bindAll({ order, keys }: Meeting, sketches: Sketches, bound: Bound): void {
  const others: number[] = [];
  for (let from = 0; from < keys.length; ) {
    let end = from + 1;
    while (end < keys.length && keys[end] === keys[from]) end++;
    if (end - from > 1) {
      others.length = 0;
      for (let i = from; i < end; i++) {
        const n = order[i]!;
        let joined = false;
        for (let k = 0; k < others.length && !joined; k++) {
          joined = bound.find(n) === bound.find(others[k]!);
          if (!joined && sketches.near(n, others[k]!)) joined = bound.join(n, others[k]!);
        }
        if (!joined && others.length < MOST_COMPARED) others.push(n);
      }
    }
    from = end;
  }
}

/** What is bound together, as trees whose root is their first number. */
class Bound {
  readonly #parent: Uint32Array;

  constructor(size: number) {
    this.#parent = Uint32Array.from({ length: size }, (_, n) => n);
  }
  find(n: number): number {
    const parent = this.#parent;
    let at = n;
    while (parent[at] !== at) {
      parent[at] = parent[parent[at]!]!;
      at = parent[at]!;
    }
    return at;
  }
  join(a: number, b: number): true {
    const [x, y] = [this.find(a), this.find(b)];
    this.#parent[Math.max(x, y)] = Math.min(x, y);
    return true;
  }
  /** Those of two and more, in the order of their first numbers. */
  *sets(): Generator<number[], void, undefined> {
    const sets = new Map<number, number[]>();
    for (let n = 0; n < this.#parent.length; n++) {
      const root = this.find(n);
      if (root === n) continue;
      const set = sets.get(root);
      if (set) set.push(n);
      else sets.set(root, [root, n]);
    }
    for (const root of [...sets.keys()].sort((a, b) => a - b)) yield sets.get(root)!;
  }
}

/** The ids of all documents of groups, by their numbers over all segments. */
export function idsOf(readers: readonly SegmentReader[], groups: readonly NearGroup[]): ReadonlyMap<number, string> {
  const wanted = new Uint32Array(readers.reduce((sum, reader) => sum + reader.docs, 0));
  for (const group of groups) for (const doc of group) wanted[doc] = doc + 1;
  const ids = new Map<number, string>();
  eachId(readers, wanted, (_reader, _doc, number, id) => ids.set(number - 1, id));
  return ids;
}

/** The id of each document that has a number other than 0 in `numbers`, which goes over all segments. */
function eachId(
  readers: readonly SegmentReader[],
  numbers: Uint32Array,
  take: (reader: SegmentReader, doc: number, number: number, id: string) => void,
): void {
  const docs = new PostingsCursor();
  let base = 0;
  for (const reader of readers) {
    const ids = reader.terms('id');
    for (let n = 0; n < ids.size; n++) {
      ids.postings(n, docs);
      for (let doc = docs.next(); doc < reader.docs; doc = docs.next()) {
        const number = numbers[base + doc]!;
        if (number > 0) take(reader, doc, number, ids.term(n));
      }
    }
    base += reader.docs;
  }
}

/** Which of two documents that are bound to others is the better one, by the rules of dedup-order.ts. */
class Worth {
  readonly #score: Float64Array;
  readonly #time: Float64Array;
  /** Length of the address without its scheme, doubled; one less under https. */
  readonly #length: Uint32Array;
  readonly #byUrl: boolean;

  constructor(sketches: Sketches, sets: readonly (readonly number[])[], by: 'score' | 'url') {
    this.#byUrl = by === 'url';
    const { readers } = sketches;
    const size = sets.length === 0 ? 0 : sketches.size;
    this.#score = new Float64Array(size);
    this.#time = new Float64Array(size);
    this.#length = new Uint32Array(size);
    if (size === 0) return;
    /** By document, over all segments: the number of its sketch and one more, where it is bound. */
    const numbers = new Uint32Array(readers.reduce((sum, reader) => sum + reader.docs, 0));
    for (const set of sets) for (const n of set) numbers[sketches.doc(n)] = n + 1;
    eachId(readers, numbers, (reader, doc, number, id) => {
      this.#score[number - 1] = numberIn(reader.column('boost'), doc, 1);
      this.#time[number - 1] = numberIn(reader.column('fetched'), doc, 0);
      this.#length[number - 1] = 2 * withoutScheme(id).length - (id.startsWith('https:') ? 1 : 0);
    });
  }
  /** Below 0 when `a` is the better one; of equals the first is. */
  readonly compare = (a: number, b: number): number => {
    const score = this.#score[b]! - this.#score[a]!;
    const time = this.#time[b]! - this.#time[a]!;
    const length = this.#length[a]! - this.#length[b]!;
    return (this.#byUrl ? length || score || time : score || time || length) || a - b;
  };
}

const numberIn = (column: Column | null, doc: number, otherwise: number): number =>
  column?.kind === 'f64' && !Number.isNaN(column.values[doc]!) ? column.values[doc]! : otherwise;

function groupsOf(set: number[], sketches: Sketches, worth: Worth): NearGroup[] {
  const groups: number[][] = [];
  for (const n of set.sort(worth.compare)) {
    let joined = false;
    for (let g = 0; g < groups.length && g < MOST_LEADERS && !joined; g++) {
      joined = sketches.near(n, groups[g]![0]!);
      if (joined) groups[g]!.push(n);
    }
    if (!joined) groups.push([n]);
  }
  return groups.filter((group) => group.length > 1).map((group) => group.map((n) => sketches.doc(n)));
}
