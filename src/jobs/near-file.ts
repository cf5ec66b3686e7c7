/**
 * The groups of documents with nearly the same text (near.ts): a file of the index commit, `near-<generation>`, made anew
 * by each commit, since it speaks of documents by their numbers.
 *
 *     near    := frame("nea", 1) { segments:varint segment[segments]  groups:varint leader[groups] }
 *     segment := docs:varint  pad4  group:u32[docs]          in the order of the commit; 0: the document is in none
 *     leader  := doc:varint                                  of group 1, 2, ...; numbered over all segments
 */
import { IndexError, type SegmentReader } from '../../index/index.ts';
import { ByteReader, ByteWriter } from '../../index/io/bytes.ts';
import { frame, unframe } from '../../index/io/frame.ts';
import type { NearGroup } from './near.ts';

const VERSION = 1;

export const isNearFile = (name: string): boolean => /^near-\d+$/.test(name);
export const nearFile = (generation: number): string => `near-${generation}`;

export interface NearGroups {
  /** By segment and document; 0: in none. */
  readonly groups: readonly Uint32Array[];
  /** By group number less one: its leader, numbered over all segments. */
  readonly leaders: Uint32Array;
}

export function encodeNear(groups: readonly NearGroup[], readers: readonly Pick<SegmentReader, 'docs'>[]): Uint8Array {
  const all = new Uint32Array(readers.reduce((sum, { docs }) => sum + docs, 0));
  for (const [g, group] of groups.entries()) for (const doc of group) all[doc] = g + 1;
  const out = new ByteWriter(all.length * 4 + 1024);
  out.varint(readers.length);
  let base = 0;
  for (const { docs } of readers) {
    out.varint(docs);
    out.align(4);
    out.raw(new Uint8Array(all.buffer, base * 4, docs * 4));
    base += docs;
  }
  out.varint(groups.length);
  for (const group of groups) out.varint(group[0]!);
  return frame('nea', VERSION, out.view());
}

/** @throws IndexError 'corrupt' | 'too-new'; 'corrupt' too when it speaks of other segments than these */
export function decodeNear(
  bytes: Uint8Array,
  file: string,
  segments: readonly Pick<SegmentReader, 'docs'>[],
): NearGroups {
  // A copy, so that what is a multiple of 4 in the body is one in memory.
  const input = new ByteReader(new Uint8Array(unframe(bytes, file, 'nea', VERSION)), file);
  const groups = Array.from({ length: input.varint() }, () => {
    const docs = input.varint();
    input.align(4);
    const raw = input.raw(docs * 4);
    return new Uint32Array(raw.buffer, raw.byteOffset, docs);
  });
  const leaders = Uint32Array.from({ length: input.varint() }, () => input.varint());
  if (groups.length !== segments.length || groups.some((group, i) => group.length !== segments[i]!.docs))
    throw new IndexError('corrupt', `${file} speaks of other segments than its commit; nuthatch merge makes it anew`, {
      file,
    });
  return { groups, leaders };
}
