/**
 * Files that a commit of the index keeps beside its segments: what duplicates lost to, which pages name
 * another address as their canonical one, what hosts repeat, which documents
 * are near each other, what type-ahead offers. The name of each ends with the commit that it came with.
 */
import { join } from 'node:path';
import { findLive, type IndexWriter, type SegmentReader } from '../../index/index.ts';
import type { JobContext } from '../run/context.ts';
import { type Claims, canonicalFile, encodeClaims, isCanonicalFile } from './canonical.ts';
import { blocksFile, isBlocksFile } from './host-blocks.ts';
import { encodeLosses, isLossesFile, type Losses, lossesFile } from './losses.ts';
import type { NearGroup } from './near.ts';
import { encodeNear, isNearFile, nearFile } from './near-file.ts';
import { isSuggestFile, suggestFile, suggestOnThread } from './suggest-file.ts';

/** The next commit has these bytes in place of what the last one had; null: nothing. */
function replace(
  writer: IndexWriter,
  isIt: (name: string) => boolean,
  nameOf: (generation: number) => string,
  bytes: Uint8Array | null,
): void {
  const old = writer.extras.find(isIt);
  if (old) writer.removeExtra(old);
  if (bytes !== null) writer.addExtra(nameOf(writer.committed.generation + 1), bytes);
}

/** Forgets the losses of documents that are in again. */
export function keepLosses(context: JobContext, writer: IndexWriter, losses: Losses): void {
  const have = writer.readers();
  for (const id of [...losses.keys()]) if (have.some((reader) => findLive(reader, id) >= 0)) losses.delete(id);
  const bytes = losses.size > 0 ? encodeLosses(losses, join(context.dir, 'tmp', 'losses.rec')) : null;
  replace(writer, isLossesFile, lossesFile, bytes);
}

export const keepClaims = (context: JobContext, writer: IndexWriter, claims: Claims): void =>
  replace(
    writer,
    isCanonicalFile,
    canonicalFile,
    claims.size > 0 ? encodeClaims(claims, join(context.dir, 'tmp', 'claims.rec')) : null,
  );

export const keepHostBlocks = (writer: IndexWriter, blocks: Uint8Array): void =>
  replace(writer, isBlocksFile, blocksFile, blocks);

/** @param readers those that the groups speak of: every segment of the commit */
export const keepNear = (
  writer: IndexWriter,
  groups: readonly NearGroup[],
  readers: readonly Pick<SegmentReader, 'docs'>[],
): void => replace(writer, isNearFile, nearFile, groups.length > 0 ? encodeNear(groups, readers) : null);

/** Built anew from live documents, so that it never offers one that is gone. */
export async function keepSuggestions(context: JobContext, writer: IndexWriter): Promise<void> {
  const bytes = await suggestOnThread(context, join(context.dir, 'index'), writer.readers());
  replace(writer, isSuggestFile, suggestFile, bytes);
}
