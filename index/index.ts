/** The door of the search core: all that leaves this half, by name. */
export type { Document, FieldSpec, FieldValue, Schema } from './document.ts';
export { createIndex, Index, openIndex, type Place } from './embedded.ts';
export { IndexError, type IndexErrorCode } from './errors.ts';
export { exportTitles, type StaticFile } from './export/titles.ts';
export { type Column, columnValue } from './format/columns.ts';
export type { Commit } from './format/commit.ts';
export { isLive } from './format/live.ts';
export { END, PostingsCursor } from './format/postings.ts';
export type { TermDictionary } from './format/terms.ts';
export { type FileReport, inspectFile } from './inspect.ts';
export type { Directory, Output, RandomAccess } from './io/directory.ts';
export { FsDirectory } from './io/fs-directory.ts';
export { MemoryDirectory } from './io/memory-directory.ts';
export { type Explanation, explanationText } from './query/explain.ts';
export { type Parsed, type ParseOptions, parseQuery } from './query/parse.ts';
export { type Clause, type Problem, type Query, queryText } from './query/query.ts';
export { readSynonyms, type Synonyms } from './query/synonyms.ts';
export { type AnalyzedToken, analyzeTokens, queryTree } from './query/tokens.ts';
export {
  escapeHtml,
  foundRanges,
  type Highlighted,
  type HighlightOptions,
  highlight,
  type Sought,
} from './search/highlight.ts';
export type { DocRef, Hit, Searchable, SearcherOptions, SearchOptions, SearchResult } from './search/request.ts';
export { Searcher } from './searcher.ts';
export { type BuilderOptions, type BuiltSegment, SegmentBuilder } from './segment/builder.ts';
export { findLive } from './segment/find.ts';
export { type MergeOptions, mergeSegments } from './segment/merge.ts';
export { chooseMerges, type MergePolicy, type SegmentSize, TIERED } from './segment/policy.ts';
export { type OpenOptions, openSegment, openShared, type SegmentReader, type SharedSegment } from './segment/reader.ts';
export { openSnapshot, type Snapshot } from './snapshot.ts';
export { openSuggest, type Suggest } from './suggest/ask.ts';
export { buildSuggest } from './suggest/build.ts';
export { MAX_ENTRIES as MAX_SUGGEST_ENTRIES, type SuggestEntry } from './suggest/entries.ts';
export { MAX_TERM, type TokenSink } from './text/analyzer.ts';
export { chainNames, createChain } from './text/chains.ts';
export { stemmedLangs } from './text/stem.ts';
export { IndexWriter, type WriterOptions } from './writer.ts';
