import { decodeOutcome } from '../page/codec.ts';
import type { Outcome } from '../page/outcome.ts';
import { RecordReader } from '../store/records.ts';

/** Outcomes after which a page gives what its new links say, or nothing. */
const replaces = new Set<Outcome['kind']>([
  'success',
  'gone',
  'parse-failed',
  'redirect-temporary',
  'redirect-permanent',
]);

/** Pages in one batch: as many as are looked up in a table at once. */
const AT_ONCE = 2000;

export interface Replacing {
  readonly key: Buffer;
  /** Where its first such outcome redirects to; '' for nowhere. */
  readonly target: string;
}

/**
 * The pages of a segment whose earlier links no longer count, each once, in batches that are sorted by key: what the
 * tables hold of a batch is read in one go.
 * @param files of crawl_fetch
 */
export function* replacing(files: readonly string[]): Generator<readonly Replacing[], void, undefined> {
  const seen = new Set<string>();
  let batch: Replacing[] = [];
  const sorted = (): readonly Replacing[] => batch.sort((a, b) => a.key.compare(b.key));
  for (const file of files) {
    const reader = new RecordReader(file);
    try {
      while (reader.next()) {
        const { kind, target } = decodeOutcome(reader.value);
        if (!replaces.has(kind) || seen.has(reader.key)) continue;
        seen.add(reader.key);
        batch.push({ key: Buffer.from(reader.key), target: kind.startsWith('redirect') ? target : '' });
        if (batch.length < AT_ONCE) continue;
        yield sorted();
        batch = [];
      }
    } finally {
      reader.close();
    }
  }
  yield sorted();
}
