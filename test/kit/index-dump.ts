/** Everything an index answers, as plain data: two indexes are equal when their dumps are. */
import { columnValue } from '../../index/format/columns.ts';
import { isLive } from '../../index/format/live.ts';
import { PostingsCursor } from '../../index/format/postings.ts';
import type { SegmentReader } from '../../index/segment/reader.ts';
import type { Snapshot } from '../../index/snapshot.ts';

export function dumpSegment(reader: SegmentReader): unknown {
  const cursor = new PostingsCursor();
  const fields = reader.schema.fields.map(({ name }) => {
    const terms = reader.terms(name);
    const column = reader.column(name);
    return {
      name,
      stats: { ...reader.stats(name) },
      norms: [...(reader.norms(name) ?? [])],
      reversed: terms.reversed ? Array.from({ length: terms.size }, (_, rank) => terms.reverse(rank)) : null,
      terms: Array.from({ length: terms.size }, (_, n) => {
        terms.postings(n, cursor);
        const impacts = Array.from({ length: cursor.impacts(-1) }, (_, i) => [
          cursor.impactFreqs[i],
          cursor.impactNorms[i],
        ]);
        const postings: unknown[] = [];
        while (cursor.next() < reader.docs) {
          const count = cursor.positions();
          postings.push([cursor.doc, cursor.freq, ...cursor.positionBuffer.subarray(0, count)]);
        }
        return [terms.term(n), terms.df(n), terms.ttf(n), impacts, postings];
      }),
      column: column ? Array.from({ length: reader.docs }, (_, doc) => columnValue(column, doc) ?? null) : null,
    };
  });
  const documents = Array.from({ length: reader.docs }, (_, doc) => [isLive(reader.live, doc), reader.stored(doc)]);
  return { docs: reader.docs, liveDocs: reader.liveDocs, schema: reader.schema, fields, documents };
}

export function dump(snapshot: Snapshot): unknown {
  const extras = [...snapshot.commit.extras.keys()].map((name) => [name, [...snapshot.extra(name)!]]);
  return { extras, user: snapshot.commit.user, segments: snapshot.segments.map(dumpSegment) };
}
