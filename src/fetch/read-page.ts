import type { ParsedPage } from '../page/parsed.ts';
import { decodePageLinks, encodePageData, encodePageLinks, encodePageText } from '../page/segment.ts';
import { type PageInput, parsePage } from '../parse/page.ts';
import type { ParseSettings } from '../parse/settings.ts';
import type { Admit } from '../url/admit.ts';
import { type PageFacts, partsOf } from './parts.ts';

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
  admit: Admit,
): PageRead {
  const parsed = parsePage(input, settings);
  if ('unsupported' in parsed) return { kind: 'unsupported', contentType: parsed.contentType };
  return readParsed(parsed, { ...facts, body: input.body }, admit);
}

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
