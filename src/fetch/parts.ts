import type { ParsedPage } from '../page/parsed.ts';
import type { Reason } from '../page/reason.ts';
import type { Link, PageData, PageLinks, PageText } from '../page/segment.ts';
import { signatureOf } from '../parse/signature.ts';
import type { Admit } from '../url/admit.ts';
import { leadsInside } from '../url/files.ts';

/** A parsed page as the parts of a segment keep it. The one place that says so: shards and the `parse` job use it. */
export interface Parts {
  readonly data: PageData;
  readonly text: PageText;
  readonly links: PageLinks;
}

export interface PageFacts {
  readonly url: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  /** ms since the epoch. */
  readonly fetched: number;
  /** As sent; '' when absent. */
  readonly lastModified: string;
  /** Of the page, when its fetchlist was made. */
  readonly score: number;
  readonly depth: number;
}

interface Found extends Link {
  anchor: string;
  nofollow: boolean;
  /** Texts in `anchor`. */
  texts: number;
}

/** Several links of a page to one other: followed when one of them is, with their different texts. */
function addLink(found: Found, { anchor, rel }: ParsedPage['links'][number]): void {
  if (found.nofollow) found.nofollow = rel !== undefined && NOFOLLOW.test(rel);
  if (anchor === '' || found.texts >= MOST_ANCHORS) return;
  const text = anchor.includes('\n') ? anchor.replaceAll('\n', ' ') : anchor;
  if (found.texts > 0 && found.anchor.split('\n').includes(text)) return;
  found.anchor = found.texts++ === 0 ? text : `${found.anchor}\n${text}`;
}
/** Different texts of the links to one address: the first of a menu says little ("Home"), what stands in the text often more. */
export const MOST_ANCHORS = 3;
export const NOFOLLOW = /\b(?:nofollow|ugc|sponsored)\b/;

/** The address a link asks for; `#!` may stand for a page of its own (the rewrite `ajax`). */
export function withoutFragment(url: string): string {
  const fragment = url.indexOf('#');
  return fragment < 0 || url[fragment + 1] === '!' ? url : url.slice(0, fragment);
}

/** @param rejected called for each link that the gate refuses */
export function partsOf(
  parsed: ParsedPage,
  page: PageFacts,
  admit: Admit,
  rejected: (reason: Reason) => void = () => {},
): Parts {
  const signature = signatureOf(page.body, parsed.visible, 'text', page.url);
  const links: Found[] = [];
  if (!parsed.robots.nofollow) {
    const byUrl = new Map<string, Found | null>([[page.url, null]]);
    /** Addresses of this page as they came, without fragments: half of all links repeat one, or lead into the page. */
    const asked = new Map<string, Found | null>([[page.url, null]]);
    for (const link of parsed.links) {
      const address = withoutFragment(link.url);
      let found = asked.get(address);
      if (found === null) continue;
      if (found === undefined) {
        const admitted = admit(address);
        const inside = admitted.url !== null && leadsInside(page.url, admitted.url);
        if (admitted.url === null || inside) rejected(admitted.url === null ? admitted.reason : 'scheme-refused');
        else found = byUrl.get(admitted.url);
        if (found === undefined && admitted.url !== null && !inside) {
          found = { url: admitted.url, anchor: '', nofollow: true, texts: 0 };
          byUrl.set(admitted.url, found);
          links.push(found);
        }
        asked.set(address, found ?? null);
        if (!found) continue;
      }
      addLink(found, link);
    }
  }
  return {
    data: dataOf(parsed, page, signature),
    text: { text: parsed.text, boilerplate: parsed.boilerplate },
    links: { signature, score: page.score, depth: page.depth, links },
  };
}

/** What parse_data keeps of a page. */
export const dataOf = (
  said: Omit<ParsedPage, 'text' | 'boilerplate' | 'visible' | 'links'>,
  page: PageFacts,
  signature: Uint8Array,
): PageData => ({
  title: said.title,
  headings: said.headings,
  meta: said.meta,
  canonical: said.canonical,
  lang: said.lang,
  charset: said.charset,
  robots: said.robots,
  dates: said.dates,
  problems: said.problems,
  signature,
  contentType: page.contentType,
  fetched: page.fetched,
  lastModified: page.lastModified,
  bytes: page.body.length,
});
