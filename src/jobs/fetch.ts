import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CrawlError } from '../errors.ts';
import { dropCheckpoints } from '../fetch/log.ts';
import { isPublicAddress } from '../net/resolve.ts';
import { defaults } from '../options.ts';
import { segmentFolder, segmentPart } from '../page/segment.ts';
import { partFiles } from '../page/segment-files.ts';
import type { Counters, JobContext } from '../run/context.ts';
import { RecordReader } from '../store/records.ts';
import { writeWhole } from '../store/whole.ts';
import { hostOf, isPublicName } from '../url/host.ts';
import { urlOf } from '../url/key.ts';
import { keepHosts } from './fetch-hosts.ts';
import { type FetchList, FetchRun } from './fetch-run.ts';

/**
 * fetch: visits every page of a segment's fetchlist, in shards, a thread each. No map/reduce: it waits
 * instead of computing, and no task of it may run twice at once.
 *
 * reads   segments/<name>/crawl_generate, hosts (rules and pace of earlier rounds)
 * writes  crawl_fetch, content, parse_data, parse_text, crawl_parse of the segment; hosts; the marker fetch.done
 *
 * Every page of the list ends with one outcome. Interrupted or out of time, the pages not begun get `skipped` and stay
 * due. Killed, the same call takes the segment up from the last checkpoint. A thread that dies costs the page that it
 * was reading; the rest of its hosts goes to a new one.
 *
 * @throws CrawlError 'missing-input' | 'interrupted' (the segment is complete, and may be applied) | 'disk-full'
 */
export async function fetchSegment(context: JobContext, segment: string): Promise<Counters> {
  const marker = join(segmentFolder(context.dir, segment), 'fetch.done');
  if (existsSync(marker)) return JSON.parse(readFileSync(marker, 'utf8')) as Counters;
  const list = listOf(context, segment);
  const nameless = namelessTo(list.hosts, context.options.net.agent);
  if (nameless !== null) throw new CrawlError('config', nameless);
  const run = new FetchRun(context, segment, list);
  const counters = await run.run();
  await keepHosts(context, segment, run.files, run.ends);
  writeWhole(marker, JSON.stringify(counters));
  dropCheckpoints(context.dir, segment);
  if (context.signal.aborted)
    throw new CrawlError('interrupted', `fetching ${segment} was interrupted; what was not fetched stays due`, {
      where: segment,
    });
  return counters;
}

/**
 * Why a public host among these is not asked: it would see a crawler that says neither whose it is nor how to stop it.
 * Null: it says so, or all hosts are within one's own network.
 */
export function namelessTo(hosts: Iterable<string>, agent: string): string | null {
  if (agent !== defaults.net.agent) return null;
  for (const host of hosts)
    if (isPublicName(host) || isPublicAddress(host))
      return `${host} is a public site: say who you are and how to reach you, as in --agent 'acme-bot (+https://acme.example/bot)', in a program net.agent; a crawl keeps it`;
  return null;
}

function listOf(context: JobContext, segment: string): FetchList {
  const folder = dirname(segmentPart(context.dir, segment, 'crawl_generate', 0));
  if (!existsSync(folder))
    throw new CrawlError('missing-input', `segment ${segment} has no fetchlist; run generate first`, { where: folder });
  const authorities = new Set<string>();
  const hosts = new Set<string>();
  let pages = 0;
  for (const file of partFiles(context.dir, segment, 'crawl_generate')) {
    const reader = new RecordReader(file);
    try {
      while (reader.next()) {
        const url = urlOf(reader.key);
        pages++;
        hosts.add(hostOf(url));
        authorities.add(authorityOf(url));
      }
    } finally {
      reader.close();
    }
  }
  return { pages, authorities, hosts };
}

const authorityOf = (url: string): string => url.slice(0, url.indexOf('/', url.indexOf('//') + 2));
