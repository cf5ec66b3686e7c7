import { decodeBody } from '../net/decode.ts';
import { parseResponse, readWarc, readWarcRecord, type WarcResponse } from '../store/warc-read.ts';

/** A page as a segment's content keeps it. */
export interface StoredAnswer {
  readonly url: string;
  /** ms since the epoch; 0 when the archive does not say. */
  readonly fetched: number;
  readonly headers: WarcResponse['headers'];
  /** Of a header, by its name in lower case; several of one name joined; '' for none. */
  readonly header: (name: string) => string;
  /** Its content encoding undone; null when that cannot be. */
  readonly body: Buffer | null;
}

/**
 * The pages (status 200) of one content file, in the order written. A body that is stored once for several is looked up
 * where it lies. Bodies longer than `maxBody` bytes are cut there.
 * @throws CrawlError 'missing-input' | 'damaged'
 */
export async function* storedAnswers(content: string, maxBody: number): AsyncGenerator<StoredAnswer, void, undefined> {
  /** Payload digest -> the record that has the body: identical ones are stored once. */
  const bodies = new Map<string, number>();
  for (const record of readWarc(content)) {
    const url = record.fields.get('warc-target-uri');
    const digest = record.fields.get('warc-payload-digest') ?? '';
    if (!url || (record.type !== 'response' && record.type !== 'revisit')) continue;
    if (record.type === 'response') bodies.set(digest, record.offset);
    else if (!bodies.has(digest)) continue;
    const answer = parseResponse(record.block);
    const stored =
      record.type === 'response' ? answer : parseResponse(readWarcRecord(content, bodies.get(digest)!).block);
    if (!answer || !stored || answer.status !== 200) continue;
    const { headers } = answer;
    const header = (name: string): string =>
      headers
        .filter(([given]) => given.toLowerCase() === name)
        .map(([, value]) => value)
        .join(', ');
    const decoded = await decodeBody(Buffer.from(stored.body), header('content-encoding'), maxBody, true);
    const date = Date.parse(record.fields.get('warc-date') ?? '');
    yield { url, fetched: Number.isFinite(date) ? date : 0, headers, header, body: decoded.ok ? decoded.body : null };
  }
}
