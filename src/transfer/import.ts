/** import warc: an archive of any crawler as a fetched segment of this crawl. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { judgeStatus, without } from '../fetch/judge.ts';
import { dropCheckpoints, SegmentLog } from '../fetch/log.ts';
import { partsOf } from '../fetch/parts.ts';
import { isSitemap, readSitemap } from '../fetch/sitemap-links.ts';
import { decodeBody } from '../net/decode.ts';
import type { Outcome } from '../page/outcome.ts';
import { segmentFolder } from '../page/segment.ts';
import { parseSettings } from '../parse/settings.ts';
import { segmentsOf } from '../read/segment.ts';
import { readAnything } from '../run/anything.ts';
import type { Counters, JobContext } from '../run/context.ts';
import { createDocumentReader, type DocumentReader, heapFor } from '../run/documents.ts';
import { type ArchiveRecord, readArchive } from '../store/archive.ts';
import { writeWhole } from '../store/whole.ts';
import { type Admit, createAdmit } from '../url/admit.ts';

/** Problems told one by one; the rest is counted. */
const MOST_WARNINGS = 20;

/**
 * Reads `path` front to back into a new segment, whose name is returned: `success`, redirects and gone pages as a fetch
 * would have recorded them, with their content. An address outside filters, or a record that cannot be read, is counted
 * and passed over. The scope does not apply: who brings an archive wants what is in it.
 *
 * A kill before the end leaves a segment that was never fetched, and no page of it anywhere.
 */
export async function importArchive(
  context: JobContext,
  path: string,
): Promise<{ readonly segment: string; readonly counters: Counters }> {
  const { dir, options } = context;
  const admit = createAdmit({ ...options.scope, mode: 'any' }, []);
  const segment = freeName(dir, context.now);
  const counts: Record<string, number> = {};
  const count = (name: string): void => void (counts[name] = (counts[name] ?? 0) + 1);
  const log = new SegmentLog(dir, segment, 0, options.net.agent);
  const documents = createDocumentReader({ heapMb: heapFor(options) });
  try {
    for await (const record of readArchive(path)) {
      if (context.signal.aborted) break;
      if (record.problem && (counts.problems ?? 0) < MOST_WARNINGS)
        context.onEvent({ kind: 'warning', message: record.problem, where: path });
      if (record.problem) count('problems');
      if (record.type !== 'response' || !record.response) continue;
      const admitted = admit(record.url);
      if (admitted.url === null) {
        count('refused');
        continue;
      }
      await takeRecord(context, log, documents, admit, admitted.url, record, count);
      log.tick();
    }
    log.close();
  } catch (error) {
    log.close();
    rmSync(segmentFolder(dir, segment), { recursive: true, force: true });
    throw error;
  } finally {
    documents.close();
  }
  writeWhole(join(segmentFolder(dir, segment), 'fetch.done'), JSON.stringify(counts));
  dropCheckpoints(dir, segment);
  return { segment, counters: counts };
}

async function takeRecord(
  { options, now, signal }: JobContext,
  log: SegmentLog,
  documents: DocumentReader,
  admit: Admit,
  url: string,
  record: ArchiveRecord,
  count: (name: string) => void,
): Promise<void> {
  const { status, headers, body } = record.response!;
  const header = (name: string): string =>
    headers
      .filter(([given]) => given.toLowerCase() === name)
      .map(([, value]) => value)
      .join(', ');
  const dated = Date.parse(record.fields.get('warc-date') ?? '');
  const fetched = Number.isFinite(dated) ? dated : now;
  const verdict = judgeStatus(status, false);
  const outcome: Outcome = {
    ...without(verdict.kind, verdict.reason, fetched),
    httpStatus: status,
    bytes: body.length,
    contentType: header('content-type').split(';')[0]!.trim().toLowerCase(),
    etag: header('etag'),
    lastModified: header('last-modified'),
  };
  if (status >= 300 && status < 400 && header('location')) {
    const target = admit(header('location'), url);
    const permanent = status === 301 || status === 308;
    count('redirects');
    const kind = permanent ? 'redirect-permanent' : 'redirect-temporary';
    const reason = permanent ? 'redirected-permanent' : 'redirected-temporary';
    return log.outcome(url, { ...outcome, kind, reason, target: target.url ?? '' });
  }
  if (verdict.kind !== 'success') {
    count(verdict.kind);
    // A failure that may pass says nothing of the page: it is left for a fetch to find out.
    return verdict.kind === 'gone' ? log.outcome(url, outcome) : undefined;
  }
  const captured = { url, date: fetched, ip: record.fields.get('warc-ip-address') ?? '', status, statusText: '' };
  log.content({ ...captured, headers, body, truncated: '' });
  const decoded = await decodeBody(Buffer.from(body), header('content-encoding'), options.net.maxBody, true);
  const given = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  if (!decoded.ok) {
    count('unsupported');
    return log.outcome(url, { ...outcome, reason: 'bad-encoding' });
  }
  const input = { url, contentType: header('content-type'), headers: given, body: decoded.body };
  if (isSitemap(url, decoded.body)) {
    const { signature, links, hints } = readSitemap(input, fetched, admit, () => {});
    for (const [page, hint] of hints) log.hint(page, hint);
    log.links(url, { signature, score: 1, depth: 0, links });
    count('sitemaps');
    return log.outcome(url, { ...outcome, reason: 'not-parsed', signature });
  }
  const page = await readAnything({ ...input, settings: parseSettings(options) }, documents, signal);
  if ('unread' in page) {
    const { unread: reason, detail, contentType } = page;
    count(reason === 'not-parsed' ? 'unsupported' : 'unread');
    const kind = reason === 'not-parsed' ? outcome.kind : 'parse-failed';
    return log.outcome(url, { ...outcome, kind, reason, detail, contentType });
  }
  const facts = { url, body: decoded.body, contentType: outcome.contentType || 'text/html', fetched };
  const parts = partsOf(page, { ...facts, lastModified: outcome.lastModified, score: 1, depth: 0 }, admit);
  log.parsed(url, parts.data, parts.text, parts.links);
  log.outcome(url, { ...outcome, signature: parts.data.signature });
  count('imported');
}

/** yyyyMMddHHmmss of now, or of the next second that no segment has. */
function freeName(dir: string, now: number): string {
  const taken = new Set(segmentsOf(dir));
  for (let at = now; ; at += 1000) {
    const name = new Date(at).toISOString().replaceAll(/\D/g, '').slice(0, 14);
    if (!taken.has(name)) return name;
  }
}
