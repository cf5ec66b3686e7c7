import { decodeOutcome, decodeState } from '../page/codec.ts';
import { urlOf } from '../page/key.ts';
import type { Reason } from '../page/reason.ts';
import { LinkScan } from '../page/scan-links.ts';
import { partFiles } from '../page/segment-files.ts';
import { RecordReader, readRecords } from '../store/records.ts';
import type { Table } from '../store/tables.ts';
import { keyOf } from '../url/key.ts';
import { segmentsOf } from './segment.ts';

/** A link to an address that could not be had. */
export interface BrokenLink {
  readonly to: string;
  readonly from: string;
  readonly reason: Reason;
  /** 0 when there was no answer. */
  readonly httpStatus: number;
  /** Where `to` redirects to, when it is that which could not be had; else ''. */
  readonly target: string;
  readonly anchor: string;
}

/** What a reader who follows the link would see fail too; a host that asks for patience, or robots.txt, is no such thing. */
export const BROKEN: ReadonlySet<Reason> = new Set<Reason>([
  ...(['http-401', 'http-403', 'http-404', 'http-410', 'http-4xx', 'http-5xx', 'http-other'] as const),
  ...(['dns', 'connect', 'tls', 'timeout', 'reset', 'protocol', 'address-refused', 'unreadable'] as const),
  ...(['redirect-loop', 'too-many-redirects', 'redirect-invalid'] as const),
]);

interface Broken {
  readonly reason: Reason;
  readonly httpStatus: number;
  readonly target: string;
}

/**
 * Links to pages of crawldb that could not be had the last time, or that redirect to such a page, by the newest reading of
 * the pages they stand on; in key order of the addresses they lead to, then of those pages.
 *
 * Cost: one look at crawldb, and at the links of every segment where something is broken. Memory: what is broken.
 */
export async function* brokenLinks(dir: string, crawldb: Table): AsyncGenerator<BrokenLink, void, undefined> {
  const broken = await brokenPages(crawldb);
  if (broken.size === 0) return;
  /** Page with such links -> they, address and text. */
  const found = new Map<string, (readonly [to: string, anchor: string])[]>();
  const scan = new LinkScan();
  for (const segment of segmentsOf(dir)) {
    for (const file of partFiles(dir, segment, 'crawl_fetch'))
      for (const { key, value } of readRecords(file)) if (found.has(key) && linksGo(value)) found.delete(key);
    for (const file of partFiles(dir, segment, 'crawl_parse')) {
      const reader = new RecordReader(file);
      try {
        while (reader.next()) {
          const links: (readonly [string, string])[] = [];
          scan.open(reader.value);
          while (scan.next()) {
            const to = scan.bytes.toString('utf8', scan.keyStart, scan.keyEnd);
            if (broken.has(to)) links.push([to, scan.bytes.toString('utf8', scan.anchorStart, scan.anchorEnd)]);
          }
          if (links.length > 0) found.set(reader.key, links);
          else found.delete(reader.key);
        }
      } finally {
        reader.close();
      }
    }
  }
  const all = [...found].flatMap(([from, links]) => links.map(([to, anchor]) => ({ to, from, anchor })));
  all.sort((a, b) => order(a.to, b.to) || order(a.from, b.from));
  for (const { to, from, anchor } of all) {
    const text = anchor.replaceAll('\n', ' | ');
    yield { to: urlOf(to), from: urlOf(from), ...broken.get(to)!, anchor: text };
  }
}

/** By key. */
async function brokenPages(crawldb: Table): Promise<Map<string, Broken>> {
  const broken = new Map<string, Broken>();
  const redirects = new Map<string, string[]>();
  for await (const entries of crawldb.chunks())
    for (const [bytes, value] of entries) {
      const { status, reason, httpStatus, target } = decodeState(value);
      const key = bytes.toString();
      if (BROKEN.has(reason)) broken.set(key, { reason, httpStatus, target: '' });
      else if (target !== '' && status.startsWith('redirect')) {
        const to = keyOf(target);
        redirects.set(to, [...(redirects.get(to) ?? []), key]);
      }
    }
  // A Map gives what is added to it while it is gone through: chains of redirects are followed to their begin.
  for (const [key, { reason, httpStatus }] of broken)
    for (const from of redirects.get(key) ?? [])
      if (!broken.has(from)) broken.set(from, { reason, httpStatus, target: urlOf(key) });
  return broken;
}

/** Whether the links that a page had are none of it any more. */
function linksGo(outcome: Uint8Array): boolean {
  const { kind } = decodeOutcome(outcome);
  return kind === 'gone' || kind === 'redirect-permanent' || kind === 'redirect-temporary';
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
