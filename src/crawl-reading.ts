import type { Held } from './crawl-hold.ts';
import { allHostStats, type HostStats, hostStats } from './jobs/hosts.ts';
import { allLinks, type LinkRecord, linksTo } from './jobs/invertlinks.ts';
import type { Condition } from './page/condition.ts';
import { keyOf } from './page/key.ts';
import type { Status } from './page/status.ts';
import { type BrokenLink, brokenLinks } from './read/broken.ts';
import { type HostRecord, hostRecords } from './read/hosts.ts';
import { type CrawldbStats, crawldbStats, type PageRecord, pageRecord, pages, topPages } from './read/pages.ts';
import { type SegmentPage, type SegmentStats, segmentPage, segmentStats, segmentsOf } from './read/segment.ts';

/** What can be read of a crawl folder: its segments without taking it, its tables as its only holder. */
export abstract class CrawlReading {
  abstract readonly dir: string;
  /** Takes the folder for this process, and says what for. */
  protected abstract hold(doing: string): Promise<Held>;
  /** The address that is meant by what was typed. */
  protected abstract addressOf(url: string): string;
  /** ms since the epoch. */
  protected abstract now(): number;

  segments(): string[] {
    return segmentsOf(this.dir);
  }
  segmentStats(segment: string): SegmentStats {
    return segmentStats(this.dir, segment);
  }
  segmentPage(segment: string, url: string): SegmentPage | null {
    return segmentPage(this.dir, segment, this.addressOf(url));
  }
  async stats(): Promise<CrawldbStats> {
    return crawldbStats((await this.hold('readdb')).tables.crawldb, this.now());
  }
  /** Null when crawldb does not know it. */
  async page(url: string): Promise<PageRecord | null> {
    const address = this.addressOf(url);
    const state = await (await this.hold('readdb')).tables.page(keyOf(address));
    return state && pageRecord(address, state);
  }
  async topPages(n: number): Promise<PageRecord[]> {
    return topPages((await this.hold('readdb')).tables.crawldb, n);
  }
  async *pages(status?: Status, where?: Condition): AsyncGenerator<PageRecord, void, undefined> {
    yield* pages((await this.hold('readdb')).tables.crawldb, status, where);
  }
  async linksTo(url: string): Promise<readonly LinkRecord[]> {
    return linksTo((await this.hold('readlinkdb')).tables, this.addressOf(url));
  }
  /** Links to what could not be had, and to what redirects there, as the segments hold them: linkdb is not needed. */
  async *brokenLinks(): AsyncGenerator<BrokenLink, void, undefined> {
    yield* brokenLinks(this.dir, (await this.hold('readlinkdb')).tables.crawldb);
  }
  /** Every link that linkdb knows. */
  async *allLinks(): AsyncGenerator<LinkRecord & { readonly to: string }, void, undefined> {
    yield* allLinks((await this.hold('readlinkdb')).tables);
  }
  /** What crawldb says of hosts; of one, when named. */
  async *hosts(host?: string): AsyncGenerator<HostRecord, void, undefined> {
    yield* hostRecords((await this.hold('hosts')).tables.crawldb, this.now(), host);
  }
  /** What `updatehosts` has added up of the outcomes of hosts; of one, when named. */
  async *hostStats(host?: string): AsyncGenerator<HostStats, void, undefined> {
    const { tables } = await this.hold('hosts');
    if (host === undefined) yield* allHostStats(tables);
    else {
      const stats = await hostStats(tables, host.toLowerCase());
      if (stats) yield stats;
    }
  }
}
