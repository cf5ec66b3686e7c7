import { ownHeaders, type Response } from '../net/get.ts';
import type { Settled } from '../options.ts';
import type { Outcome } from '../page/outcome.ts';
import type { Reason } from '../page/reason.ts';
import { isDocumentType, kindOf, leadsOn, readAlone } from '../parse/documents/kind.ts';
import { mediaType, typeOf } from '../parse/media-type.ts';
import { parseSettings } from '../parse/settings.ts';
import type { Captured } from '../store/warc.ts';
import type { Admit } from '../url/admit.ts';
import { isFile, isFolder, leadsInside } from '../url/files.ts';
import type { Helpers } from './handover.ts';
import { conditionsOf, outcomeOf, parserHeaders } from './judge.ts';
import type { SegmentLog } from './log.ts';
import type { Outlinks } from './outlinks.ts';
import type { PageFacts } from './parts.ts';
import { type PageRead, readPage, readPageLinks, readParsed, refuseLinks } from './read-page.ts';
import { isSitemap, readSitemap } from './sitemap-links.ts';
import type { SpentClock } from './spent.ts';
import type { Suspects } from './suspects.ts';
import type { Item, Work, WorkResult } from './task.ts';
import type { TrapWatch } from './traps.ts';

/**
 * What a body that came is read as: a page, a document, a sitemap, or nothing; here, or in another thread; and what is
 * written of it. What is left to the visit (outcomes, redirects) is called back.
 */
export interface ReadingTools {
  readonly options: Settled;
  readonly seeds: readonly string[];
  readonly log: SegmentLog;
  readonly spent: SpentClock;
  readonly suspects: Suspects;
  /** Pages that an earlier attempt was reading when it ended, and perhaps because of them. */
  readonly suspected: ReadonlySet<string>;
  readonly admit: Admit;
  /** The same gate, for the links of a page. */
  readonly outlinks: Outlinks;
  readonly helpers: Helpers;
  readonly traps: TrapWatch;
  readonly warn: (message: string, where: string) => void;
  /** Fetch it in this round, whoever owns its host. */
  readonly follow: (item: Item) => void;
  /** Has something read in another thread; the shard is not idle before `done` was called. */
  readonly handOver: (work: Work, done: (result: WorkResult) => void) => void;
}

export interface ReadingEnds {
  end(item: Item, outcome: Outcome): void;
  redirected(item: Item, answer: Response, to: string): void;
  count(name: string, by?: number): void;
}

/** Sitemaps of one robots.txt or sitemap of sitemaps, and how deep those may nest. */
const SITEMAPS = 1000;
const SITEMAP_LEVELS = 3;
/** Why a document is not read. */
const UNWANTED = 'where links alone are read, documents are not (index.linksOnly)';

export class Reading {
  readonly #tools: ReadingTools;
  readonly #ends: ReadingEnds;

  constructor(tools: ReadingTools, ends: ReadingEnds) {
    this.#tools = tools;
    this.#ends = ends;
  }

  /** True when the answer is still needed: it is released here later, else by the caller. */
  read(item: Item, answer: Response, note: string): boolean {
    const { options, suspects, suspected, outlinks, traps, helpers } = this.#tools;
    const { head, body } = answer;
    const contentType = typeOf(mediaType(head.get('content-type')), body, item.url);
    const { linksOnly } = options.index;
    const unwanted = linksOnly && !leadsOn(contentType);
    if (unwanted || answer.cut === 'refused')
      return this.#unread(item, answer, 'not-parsed', contentType, unwanted ? UNWANTED : note);
    if (answer.undecodable) return this.#unread(item, answer, 'bad-encoding', contentType, note);
    if (item.sitemap !== undefined || isSitemap(item.url, body)) {
      if (suspected.has(item.url)) return this.#died(item, answer, contentType);
      suspects.here(item.url);
      this.#readSitemap(item, answer, contentType);
      suspects.read();
      return false;
    }
    const suspect = suspected.has(item.url);
    const alone = suspect ? isDocumentType(contentType) : readAlone(contentType, body.length);
    // Of a long page the links are soon read; only what has to be read in full takes long.
    const quick = linksOnly && !suspect && kindOf(contentType) === 'page';
    if (alone && !quick) return this.#readAlone(item, answer, note);
    const input = { url: item.url, contentType: head.get('content-type'), headers: parserHeaders(head), body };
    const { body: _, ...facts } = this.#facts(item, answer, contentType);
    const settings = parseSettings(options);
    // Reading links costs less than handing a page over.
    if (!linksOnly && helpers.wanted()) {
      helpers.away++;
      const { scope } = options;
      this.#elsewhere(
        { how: 'page', page: { input, facts, settings, scope, seeds: this.#tools.seeds } },
        item,
        answer,
        note,
      );
      return true;
    }
    suspects.here(item.url);
    const trapped = traps.any ? (url: string) => traps.caught(url) : null;
    const read = this.#tools.spent.reading(() => {
      const links = quick ? readPageLinks(input, facts, settings, outlinks, trapped) : null;
      return links ?? (alone ? null : readPage(input, facts, settings, outlinks, trapped));
    });
    suspects.read();
    if (read === null) return this.#readAlone(item, answer, note);
    return this.#finish(item, answer, read, contentType, note);
  }

  #facts(item: Item, answer: Response, contentType: string): PageFacts {
    return {
      url: item.url,
      body: answer.body,
      contentType,
      fetched: answer.started + answer.responseMs,
      lastModified: answer.head.get('last-modified'),
      score: item.score,
      depth: item.depth,
    };
  }

  /** True when the answer is still needed. */
  #finish(item: Item, answer: Response, read: PageRead, contentType: string, note: string): boolean {
    if (read.kind === 'page') {
      this.#write(item, answer, read, contentType, note);
      return false;
    }
    const type = read.contentType || contentType;
    if (!isDocumentType(read.contentType)) return this.#unread(item, answer, 'not-parsed', type, note);
    return this.#readAlone(item, answer, note);
  }

  /** In a process of its own, since it may take long or die; the host does not wait for it. */
  #readAlone(item: Item, answer: Response, note: string): true {
    const { head, body } = answer;
    const input = { url: item.url, contentType: head.get('content-type'), headers: parserHeaders(head), body };
    this.#elsewhere({ how: 'document', document: input }, item, answer, note);
    return true;
  }

  #died(item: Item, answer: Response, contentType: string): false {
    const more = { contentType, detail: 'an earlier attempt ended while it was being read' };
    this.#keep(item, answer);
    this.#ends.end(item, outcomeOf(answer, { kind: 'parse-failed', reason: 'parse-died' }, more));
    return false;
  }

  #elsewhere(work: Work, item: Item, answer: Response, note: string): void {
    const contentType = typeOf(mediaType(answer.head.get('content-type')), answer.body, item.url);
    const { suspects, helpers } = this.#tools;
    const slot = work.how === 'page' ? suspects.away(item.url) : -1;
    this.#tools.handOver(work, (result) => {
      let kept = false;
      try {
        if (work.how === 'page') {
          helpers.away--;
          suspects.back(slot);
          if ('readingMs' in result) this.#tools.spent.readingMs += result.readingMs;
        }
        if ('unread' in result) {
          const kind = result.unread === 'not-parsed' ? 'success' : 'parse-failed';
          const more = { contentType: result.contentType || contentType, detail: result.detail };
          this.#keep(item, answer);
          this.#ends.end(item, outcomeOf(answer, { kind, reason: result.unread }, more));
        } else if ('kind' in result) kept = this.#finish(item, answer, this.#untrapped(result), contentType, note);
        else {
          const read = readParsed(result, this.#facts(item, answer, contentType), this.#tools.admit);
          kept = this.#finish(item, answer, read, contentType, note);
        }
      } finally {
        if (!kept) answer.release();
      }
    });
  }

  #untrapped(read: PageRead): PageRead {
    const { traps } = this.#tools;
    if (read.kind !== 'page' || read.refresh !== null || !traps.any) return read;
    const { links, refused } = refuseLinks(read.links, (url) => traps.caught(url));
    const rejected = refused === 0 ? read.rejected : { ...read.rejected, trap: (read.rejected.trap ?? 0) + refused };
    return { ...read, links, rejected };
  }

  #write(item: Item, answer: Response, read: PageRead & { kind: 'page' }, contentType: string, note: string): void {
    this.#keep(item, answer);
    if (read.refresh !== null) {
      this.#ends.redirected(item, answer, read.refresh);
      return;
    }
    const trap = read.signature === null ? null : this.#tools.traps.saw(item.url, read.signature);
    if (trap !== null)
      this.#tools.warn(`${trap} gives new addresses with the same text; further ones are not followed`, item.url);
    const { linksOnly } = this.#tools.options.index;
    if (linksOnly) this.#tools.log.linksAlone(item.url, read.links);
    else this.#tools.log.encoded(item.url, read.data, read.text, read.links);
    this.#ends.count('parsed');
    for (const [reason, links] of Object.entries(read.rejected)) this.#ends.count(`links.${reason}`, links);
    const reason = isFolder(item.url) ? 'folder' : reasonOf(read, linksOnly);
    const more = { contentType, detail: answer.problem || note, signature: read.signature };
    this.#ends.end(item, outcomeOf(answer, { kind: 'success', reason }, more));
  }

  #unread(item: Item, answer: Response, reason: Reason, contentType: string, note: string): false {
    const more = { contentType, detail: answer.problem || note };
    this.#ends.end(item, outcomeOf(answer, { kind: 'success', reason }, more));
    return false;
  }

  #keep(item: Item, answer: Response): void {
    const { net } = this.#tools.options;
    if (net.keepContent) this.#tools.log.content(captured(item.url, answer, answer.cut), askedOf(item, net));
  }

  /** Sitemaps in this round, as pages of their own. */
  followSitemaps(addresses: readonly string[], base: string, level = 1): void {
    if (level > SITEMAP_LEVELS) return;
    for (const address of addresses.slice(0, SITEMAPS)) {
      const admitted = this.#tools.admit(address, base);
      if (admitted.url === null) this.#ends.count(`sitemaps.${admitted.reason}`);
      else if (leadsInside(base, admitted.url)) this.#ends.count('sitemaps.scheme-refused');
      else this.#tools.follow({ ...NEW_ITEM, url: admitted.url, tries: 0, sitemap: level });
    }
  }

  /** Its addresses are links of it; it has no text, so it is in no index. */
  #readSitemap(item: Item, answer: Response, contentType: string): void {
    const { log, admit } = this.#tools;
    const input = { url: item.url, contentType, body: answer.body };
    const fetched = answer.started + answer.responseMs;
    const read = this.#tools.spent.reading(() =>
      readSitemap(input, fetched, admit, (reason) => this.#ends.count(`links.${reason}`)),
    );
    const { signature, links } = read;
    for (const [url, hint] of read.hints) log.hint(url, hint);
    this.#keep(item, answer);
    log.links(item.url, { signature, score: item.score, depth: item.depth, links });
    this.followSitemaps(read.sitemaps, item.url, (item.sitemap ?? 0) + 1);
    this.#ends.count('sitemaps.read');
    this.#ends.count('sitemaps.urls', read.pages);
    const detail = [`a sitemap of ${read.pages} pages`, ...read.problems].join('; ').slice(0, 500);
    const more = { contentType, signature, detail };
    this.#ends.end(item, outcomeOf(answer, { kind: 'success', reason: 'sitemap' }, more));
  }
}

const reasonOf = (read: PageRead & { kind: 'page' }, linksOnly: boolean): Reason =>
  read.noindex ? 'noindex' : linksOnly ? 'links-only' : read.empty ? 'empty' : 'ok';

const NEW_ITEM = { etag: '', lastModified: '', score: 0, depth: 0, retries: 0, hops: [] } as const;

/** What was asked for a page, as the content keeps it: only headers that are the same for everybody. Null: not kept. */
export const askedOf = (item: Item, net: Settled['net']): readonly string[] | null =>
  net.keepRequests && !isFile(item.url) ? [...ownHeaders(net.agent), ...conditionsOf(item)] : null;

/** An answer as the content keeps it. */
export function captured(url: string, answer: Response, cut: Response['cut']): Captured {
  return {
    url,
    date: answer.started,
    ip: answer.ip,
    status: answer.head.status,
    statusText: answer.head.statusText,
    headers: answer.head.lines(),
    body: answer.raw,
    truncated: cut === 'length' ? 'length' : cut === 'reset' ? 'disconnect' : '',
  };
}
