/** The files of a segment while they are written: opened together, closed or removed together. */
import type { Schema } from '../document.ts';
import { type ColumnValues, writeColumns } from '../format/columns.ts';
import { type Norms, writeNorms } from '../format/norms.ts';
import { PostingsWriter } from '../format/postings-writer.ts';
import { ReverseWriter } from '../format/reverse.ts';
import { type IndexedField, writeSegment } from '../format/segment.ts';
import { TermsWriter } from '../format/terms-writer.ts';
import type { Directory } from '../io/directory.ts';
import type { FileSeal } from '../io/frame.ts';
import { SEGMENT_FILES, type SegmentFile, segmentFile } from '../io/names.ts';

/** Postings, dictionary and reverse permutation, written term by term. */
export class TermFiles {
  readonly postings: PostingsWriter;
  readonly terms: TermsWriter;
  readonly #reverse: ReverseWriter;

  constructor(directory: Directory, name: string) {
    this.postings = PostingsWriter.create(
      directory,
      segmentFile(name, 'pst'),
      segmentFile(name, 'skp'),
      segmentFile(name, 'pos'),
    );
    this.#reverse = new ReverseWriter(directory, segmentFile(name, 'rev'));
    this.terms = new TermsWriter(directory, segmentFile(name, 'trm'), this.#reverse);
  }
  close(seals: Map<SegmentFile, FileSeal>): void {
    const { postings, skips, positions } = this.postings.close();
    seals.set('pst', postings).set('skp', skips).set('pos', positions);
    seals.set('trm', this.terms.close()).set('rev', this.#reverse.close());
  }
  abandon(): void {
    this.postings.abandon();
    this.#reverse.abandon();
    this.terms.abandon();
  }
}

/** Writes what is written in one go, the segment's own file last. */
export function finishSegment(
  directory: Directory,
  name: string,
  segment: {
    readonly docs: number;
    readonly schema: Schema;
    readonly fields: ReadonlyMap<number, IndexedField>;
    readonly norms: Norms;
    readonly columns: ReadonlyMap<number, ColumnValues>;
  },
  seals: Map<SegmentFile, FileSeal>,
): void {
  seals.set('nrm', writeNorms(directory, segmentFile(name, 'nrm'), segment.norms));
  seals.set('col', writeColumns(directory, segmentFile(name, 'col'), segment.docs, segment.columns));
  const { docs, schema, fields } = segment;
  writeSegment(directory, segmentFile(name, 'seg'), { docs, schema, fields, files: seals });
}

/** Removes what a failed writing left. */
export function removeSegment(directory: Directory, name: string): void {
  for (const kind of SEGMENT_FILES) directory.remove(segmentFile(name, kind));
}
