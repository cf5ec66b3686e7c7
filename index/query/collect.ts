/**
 * The kernels that find the best documents of a query without scoring all.
 *
 * A union goes in windows of documents (WINDOW): in each, the parts are put in order of the most they can add there; those
 * that even together cannot lift a document above the k-th best so far are only asked about documents that others found
 * (MaxScore, Turtle and Flood 1995; with block maxima, Ding and Suel 2011). Scores are rounded to 32 bits as they come in,
 * so that the order in which parts were added up decides nothing; equal scores go by document order.
 */
import { AndDocs, OptionalDocs } from './and.ts';
import { type Docs, END, WINDOW, Window } from './docs.ts';
import { BestDocs, OrDocs } from './or.ts';
import { PhraseDocs } from './phrase.ts';
import { GroupDocs, TermDocs } from './term.ts';
import type { TopDocs } from './top.ts';

/** Brings the documents of one segment of `size` documents to `top`, all that may matter to it. */
export function collectTop(docs: Docs, top: TopDocs, size: number): void {
  if (docs instanceof TermDocs) collectTerm(docs, top);
  else if (docs instanceof OrDocs && !(docs instanceof BestDocs)) collectUnion(docs.parts, top, size);
  else if (docs instanceof GroupDocs) collectUnion([docs], top, size);
  else if (docs instanceof AndDocs && docs.parts.every((part) => part instanceof TermDocs))
    collectTerms(docs.parts, top);
  else collectEach(docs, top);
}

/** One after the other; parts that know how pass over what is not above the floor. */
function collectEach(docs: Docs, top: TopDocs): void {
  const takesFloor = docs instanceof AndDocs || docs instanceof PhraseDocs || docs instanceof OptionalDocs;
  for (let doc = docs.next(); doc !== END; doc = docs.next()) {
    const score = docs.score();
    if (!top.allowance.spend(1)) return;
    if (score > top.floor) {
      top.push(doc, score);
      if (takesFloor) docs.floor = top.floor;
      else if (top.floor >= docs.max) return;
    }
  }
}

/** Blocks that cannot beat the floor are not read. */
function collectTerm(docs: TermDocs, top: TopDocs): void {
  const { member, weight, k1 } = docs.blocks;
  const { cursor, table, norms } = member;
  for (let b = 0; b < cursor.blocks; b++) {
    if (top.floor >= 0) {
      const tf = member.bound(b);
      if (((weight * tf) / (k1 + tf)) * 1.000001 <= top.floor) continue;
    }
    const size = cursor.load(b);
    if (!top.allowance.spend(size)) return;
    cursor.loadFreqs();
    const { docs: numbers, freqs } = cursor;
    for (let i = 0; i < size; i++) {
      const tf = freqs[i]! * table[norms[numbers[i]!]!]!;
      const score = (weight * tf) / (k1 + tf);
      if (score > top.floor) top.push(numbers[i]!, score);
    }
  }
}

/** Documents that have all of several terms, the rarest of which comes first. */
function collectTerms(parts: readonly TermDocs[], top: TopDocs): void {
  const many = parts.length;
  const all = parts.map((part) => part.blocks);
  const cursors = all.map(({ member }) => member.cursor);
  let rest = 0;
  for (let j = 1; j < many; j++) rest += parts[j]!.max;
  const { member, weight, k1 } = all[0]!;
  const { cursor, table, norms } = member;
  let bounded = -1;
  let next = cursor.next();
  while (next !== END) {
    const { docs, freqs, size } = cursor;
    if (cursor.block !== bounded) {
      bounded = cursor.block;
      if (!top.allowance.spend(size)) return;
      if (top.floor >= 0) {
        const tf = member.bound(bounded);
        if (((weight * tf) / (k1 + tf)) * 1.000001 + rest <= top.floor) {
          next = cursor.seek(docs[size - 1]! + 1);
          continue;
        }
      }
    }
    cursor.loadFreqs();
    let at = cursor.at;
    let beyond = docs[size - 1]! + 1;
    lead: for (; at < size; at++) {
      const doc = docs[at]!;
      const tf = freqs[at]! * table[norms[doc]!]!;
      let score = (weight * tf) / (k1 + tf);
      if (score + rest <= top.floor) continue;
      for (let j = 1; j < many; j++) {
        const other = cursors[j]!;
        const found = other.doc < doc ? other.seek(doc) : other.doc;
        if (found === doc) continue;
        if (found === END) return;
        if (found >= beyond) {
          beyond = found;
          break lead;
        }
        while (docs[at + 1]! < found) at++;
        continue lead;
      }
      for (let j = 1; j < many; j++) {
        const other = all[j]!;
        const otherTf = cursors[j]!.freq * other.member.table[other.member.norms[doc]!]!;
        score += (other.weight * otherTf) / (k1 + otherTf);
      }
      if (score > top.floor) top.push(doc, score);
    }
    cursor.at = size - 1;
    cursor.doc = docs[size - 1]!;
    next = cursor.seek(beyond);
  }
}

const window = new Window();

function collectUnion(given: readonly Docs[], top: TopDocs, size: number): void {
  const parts = [...given];
  const many = parts.length;
  const most = new Float64Array(many);
  for (const part of parts) part.next();
  let start = 0;
  for (;;) {
    let first = END;
    for (let i = 0; i < many; i++) {
      const doc = parts[i]!.doc;
      if (doc < first) first = doc;
    }
    if (first === END) return;
    // Parts that were idle may stand before the window; they are moved when they are asked.
    if (first > start) start = first;
    if (start >= size) return;
    const end = start + WINDOW;
    // The first `idle` parts cannot lift a document alone; `rest` is the most they add together.
    let idle = 0;
    let rest = 0;
    if (top.floor >= 0) {
      for (let i = 0; i < many; i++) most[i] = parts[i]!.doc < end ? parts[i]!.maxIn(start, end) : 0;
      sortByMost(parts, most);
      while (idle < many && rest + most[idle]! <= top.floor) rest += most[idle++]!;
      if (idle === many) {
        start = end;
        continue;
      }
    }
    let postings = 0;
    for (let i = idle; i < many; i++) postings += (parts[i]!.cost * WINDOW) / size;
    if (!top.allowance.spend(postings)) return;
    if (idle === many - 1 && !(parts[idle] instanceof GroupDocs)) walk(parts, most, idle, rest, start, end, top);
    else {
      window.base = start;
      window.count = 0;
      for (let i = many - 1; i >= idle; i--) parts[i]!.fill(window, end);
      if (idle === 0) takeAll(top);
      else takeSome(parts, most, idle, rest, top);
    }
    start = end;
  }
}

/** Few parts: insertion. */
function sortByMost(parts: Docs[], most: Float64Array): void {
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i]!;
    const value = most[i]!;
    let j = i - 1;
    while (j >= 0 && most[j]! > value) {
      parts[j + 1] = parts[j]!;
      most[j + 1] = most[j]!;
      j--;
    }
    parts[j + 1] = part;
    most[j + 1] = value;
  }
}

function takeAll(top: TopDocs): void {
  const { scores, found, base, count } = window;
  for (let i = 0; i < count; i++) {
    const place = found[i]!;
    const score = scores[place]!;
    scores[place] = 0;
    if (score > top.floor) top.push(base + place, score);
  }
}

function takeSome(parts: readonly Docs[], most: Float64Array, idle: number, rest: number, top: TopDocs): void {
  const { scores, found, base, count } = window;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const place = found[i]!;
    if (scores[place]! + rest > top.floor) found[kept++] = place;
    else scores[place] = 0;
  }
  const order = found.subarray(0, kept).sort();
  for (let i = 0; i < kept; i++) {
    const place = order[i]!;
    const score = scores[place]!;
    scores[place] = 0;
    complete(parts, most, idle, rest, base + place, score, top);
  }
}

/** Adds what the idle parts say of a document, the most promising first, and brings it if it still may matter. */
function complete(
  parts: readonly Docs[],
  most: Float64Array,
  idle: number,
  rest: number,
  doc: number,
  found: number,
  top: TopDocs,
): void {
  let score = found;
  let left = rest;
  for (let j = idle - 1; j >= 0; j--) {
    if (score + left <= top.floor) return;
    left -= most[j]!;
    const part = parts[j]!;
    if ((part.doc < doc ? part.seek(doc) : part.doc) === doc) score += part.score();
  }
  if (score > top.floor) top.push(doc, score);
}

/** One part leads through the window: no sums are needed. */
function walk(
  parts: readonly Docs[],
  most: Float64Array,
  idle: number,
  rest: number,
  start: number,
  end: number,
  top: TopDocs,
): void {
  const lead = parts[idle]!;
  let doc = lead.doc < start ? lead.seek(start) : lead.doc;
  if (!(lead instanceof TermDocs)) {
    for (; doc < end; doc = lead.next()) {
      const score = lead.score();
      if (score + rest > top.floor) complete(parts, most, idle, rest, doc, score, top);
    }
    return;
  }
  const { member, weight, k1 } = lead.blocks;
  const { cursor, table, norms } = member;
  while (cursor.doc < end) {
    const tf = member.bound(cursor.block);
    let at = cursor.at;
    const { docs, freqs, size } = cursor;
    if (((weight * tf) / (k1 + tf)) * 1.000001 + rest <= top.floor) {
      cursor.seek(Math.min(end, docs[size - 1]! + 1));
      continue;
    }
    cursor.loadFreqs();
    for (; at < size; at++) {
      doc = docs[at]!;
      if (doc >= end) break;
      const own = freqs[at]! * table[norms[doc]!]!;
      const score = (weight * own) / (k1 + own);
      if (score + rest > top.floor) complete(parts, most, idle, rest, doc, score, top);
    }
    cursor.standAt(at);
  }
  lead.doc = cursor.doc;
}
