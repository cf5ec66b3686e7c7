import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { encodeOutcome } from '../../src/page/codec.ts';
import type { Outcome, OutcomeKind } from '../../src/page/outcome.ts';
import { encodePageLinks, segmentPart } from '../../src/page/segment.ts';
import { RecordWriter } from '../../src/store/records.ts';
import { keyOf } from '../../src/url/key.ts';

/** What a fetch is to have left of one page. */
export interface FetchedPage {
  readonly url: string;
  readonly kind?: OutcomeKind;
  readonly outcome?: Partial<Outcome>;
  /** Links of the page, absent: it was not parsed. A text stands for a link without anchor. */
  readonly links?: readonly (string | { url: string; anchor: string; nofollow?: boolean })[];
  readonly score?: number;
  readonly depth?: number;
  readonly content?: string;
}

export const outcomeOf = (kind: OutcomeKind, fetched: number, given: Partial<Outcome> = {}): Outcome => ({
  kind,
  reason: kind === 'success' ? 'ok' : 'http-other',
  fetched,
  httpStatus: 200,
  responseMs: 10,
  bytes: 100,
  truncated: false,
  contentType: 'text/html',
  etag: '',
  lastModified: '',
  target: '',
  signature: null,
  ip: '127.0.0.1',
  detail: '',
  ...given,
});

/** Writes crawl_fetch and crawl_parse of a segment, spread over shards as a fetch would. */
export function writeSegment(
  dir: string,
  segment: string,
  fetched: number,
  pages: readonly FetchedPage[],
  shards = 1,
): void {
  const shardOf = (url: string): number => [...url].reduce((sum, char) => sum + char.charCodeAt(0), 0) % shards;
  for (let shard = 0; shard < shards; shard++) {
    const open = (part: 'crawl_fetch' | 'crawl_parse'): RecordWriter => {
      const path = segmentPart(dir, segment, part, shard);
      mkdirSync(dirname(path), { recursive: true });
      return new RecordWriter(path);
    };
    const outcomes = open('crawl_fetch');
    const links = open('crawl_parse');
    for (const page of pages) {
      if (shardOf(page.url) !== shard) continue;
      const key = keyOf(page.url);
      const signature = new Uint8Array(Buffer.from((page.content ?? page.url).padEnd(16).slice(-16)));
      outcomes.append(key, encodeOutcome(outcomeOf(page.kind ?? 'success', fetched, page.outcome)));
      if (page.links)
        links.append(
          key,
          encodePageLinks({
            signature,
            score: page.score ?? 1,
            depth: page.depth ?? 0,
            links: page.links.map((link) =>
              typeof link === 'string' ? { url: link, anchor: '', nofollow: false } : { nofollow: false, ...link },
            ),
          }),
        );
    }
    outcomes.close();
    links.close();
  }
}
