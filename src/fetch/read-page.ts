import type { ParsedPage } from '../page/parsed.ts';
import { decodePageLinks, encodePageData, encodePageLinks, encodePageText, encodeTextBytes } from '../page/segment.ts';
import { type LinksView, viewLinks } from '../parse/links.ts';
import { type PageInput, parsedOf, viewPage } from '../parse/page.ts';
import type { ParseSettings } from '../parse/settings.ts';
import { textSignatureOf, wordsSignature } from '../parse/signature.ts';
import type { Admit } from '../url/admit.ts';
import type { Outlinks } from './outlinks.ts';
import { dataOf, type PageFacts, partsOf } from './parts.ts';

/** A page that was read, as a shard writes it: plain data, so that another thread may have done it. */
export type PageRead =
  | {
      readonly kind: 'page';
      /** Where it sends its reader at once, instead of saying something; then the parts are empty. */
      readonly refresh: string | null;
      readonly noindex: boolean;
      readonly empty: boolean;
      readonly signature: Uint8Array | null;
      /** Encoded, for parse_data, parse_text and crawl_parse. */
      readonly data: Uint8Array;
      readonly text: Uint8Array;
      readonly links: Uint8Array;
      /** Reason -> links that the gate refused. */
      readonly rejected: Readonly<Record<string, number>>;
    }
  | { readonly kind: 'unsupported'; readonly contentType: string };

/** A page that sends its reader on within this time, and has little to say, is a redirect. */
const REFRESH_S = 5;
const REFRESH_TEXT = 1000;

/** Pure: the same page, the same answer, in whichever thread. */
export function readPage(
  input: PageInput,
  facts: Omit<PageFacts, 'body'>,
  settings: ParseSettings,
  outlinks: Outlinks,
  trapped: ((url: string) => boolean) | null = null,
): PageRead {
  const page = viewPage(input, settings);
  if ('unsupported' in page) return { kind: 'unsupported', contentType: page.contentType };
  const all = { ...facts, body: input.body };
  if (!('bytes' in page)) return readParsed(page, all, trapping(outlinks.admit, trapped));
  // Where the page sends its reader is a link too: seldom, so the long way.
  if (page.refresh !== null) return readParsed(parsedOf(page, input.url), all, trapping(outlinks.admit, trapped));
  const signature = textSignatureOf(input.body, page.visible, facts.url, page.astral);
  return {
    kind: 'page',
    refresh: null,
    noindex: page.robots.noindex,
    empty: page.visible.length === 0,
    signature,
    data: encodePageData(dataOf(page, all, signature)),
    text: encodeTextBytes(page.text, page.boilerplate),
    ...linksOf(page, facts, signature, outlinks, trapped),
  };
}

/** The links of a page that was viewed, encoded, and how many the gate refused; lets go of them. */
function linksOf(
  { links, base, robots }: Pick<LinksView, 'links' | 'base' | 'robots'>,
  { url, score, depth }: Omit<PageFacts, 'body'>,
  signature: Uint8Array,
  outlinks: Outlinks,
  trapped: ((url: string) => boolean) | null,
): Pick<PageRead & { kind: 'page' }, 'links' | 'rejected'> {
  const rejected: Record<string, number> = {};
  if (robots.nofollow) links.count = 0;
  const encoded = outlinks.encode(links, url, base, { signature, score, depth }, trapped, (reason) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  });
  links.release();
  return { links: encoded, rejected };
}

/**
 * A page read for where it leads and what it asks of robots alone; data and text are empty. The links are those of `readPage`,
 * but for their texts; the signature is of the words between its tags. Null: it has to be read in full (parse/links.ts).
 */
export function readPageLinks(
  input: PageInput,
  facts: Omit<PageFacts, 'body'>,
  settings: ParseSettings,
  outlinks: Outlinks,
  trapped: ((url: string) => boolean) | null = null,
): PageRead | null {
  const page = viewLinks(input, settings);
  if (page === null) return null;
  const signature = wordsSignature(input.body, page.words, facts.url);
  return {
    kind: 'page',
    refresh: null,
    noindex: page.robots.noindex,
    empty: page.words.length === 0,
    signature,
    data: NONE,
    text: NONE,
    ...linksOf(page, facts, signature, outlinks, trapped),
  };
}

/** The gate, and what is known of traps by now. */
export const trapping =
  (admit: Admit, trapped: ((url: string) => boolean) | null): Admit =>
  (address, base) => {
    const admitted = admit(address, base);
    return admitted.url !== null && trapped?.(admitted.url)
      ? { url: null, reason: 'trap', rule: 'a pattern of new addresses with one text', normalized: admitted.url }
      : admitted;
  };

export function readParsed(parsed: ParsedPage, facts: PageFacts, admit: Admit): PageRead {
  const refresh = refreshOf(parsed, facts.url);
  const noindex = parsed.robots.noindex;
  const empty = parsed.visible === '';
  if (refresh !== null)
    return {
      kind: 'page',
      refresh,
      noindex,
      empty,
      signature: null,
      data: NONE,
      text: NONE,
      links: NONE,
      rejected: {},
    };
  const rejected: Record<string, number> = {};
  const parts = partsOf(parsed, facts, admit, (reason) => {
    rejected[reason] = (rejected[reason] ?? 0) + 1;
  });
  return {
    kind: 'page',
    refresh,
    noindex,
    empty,
    signature: parts.data.signature,
    data: encodePageData(parts.data),
    text: encodePageText(parts.text),
    links: encodePageLinks(parts.links),
    rejected,
  };
}
/**
 * Takes links out of a page that was read in another thread, which knows nothing of the traps caught here meanwhile: the
 * answer is that of the page read here. `links` as in PageRead.
 */
export function refuseLinks(
  links: Uint8Array,
  refused: (url: string) => boolean,
): { readonly links: Uint8Array; readonly refused: number } {
  const page = decodePageLinks(links);
  const kept = page.links.filter(({ url }) => !refused(url));
  const taken = page.links.length - kept.length;
  return { links: taken === 0 ? links : encodePageLinks({ ...page, links: kept }), refused: taken };
}
const NONE = new Uint8Array(0);

function refreshOf(parsed: ParsedPage, url: string): string | null {
  const { refresh } = parsed;
  if (refresh === null || refresh.seconds > REFRESH_S || parsed.visible.length > REFRESH_TEXT) return null;
  return refresh.url.replace(/#.*$/, '') === url ? null : refresh.url;
}
