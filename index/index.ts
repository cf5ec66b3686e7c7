/** The door of the search core: all that leaves this half, by name. */
export type { Document, FieldSpec, FieldValue, Schema } from './document.ts';
export { IndexError, type IndexErrorCode } from './errors.ts';
export { type Column, columnValue } from './format/columns.ts';
export type { Commit } from './format/commit.ts';
export { isLive } from './format/live.ts';
export { END, PostingsCursor } from './format/postings.ts';
export type { TermDictionary } from './format/terms.ts';
export type { Directory, Output, RandomAccess } from './io/directory.ts';
export { FsDirectory } from './io/fs-directory.ts';
export { MemoryDirectory } from './io/memory-directory.ts';
export { type BuilderOptions, type BuiltSegment, SegmentBuilder } from './segment/builder.ts';
export { type MergeOptions, mergeSegments } from './segment/merge.ts';
export { chooseMerges, type MergePolicy, type SegmentSize, TIERED } from './segment/policy.ts';
export { openSegment, openShared, type SegmentReader, type SharedSegment } from './segment/reader.ts';
export { openSnapshot, type Snapshot } from './snapshot.ts';
export { IndexWriter, type WriterOptions } from './writer.ts';
