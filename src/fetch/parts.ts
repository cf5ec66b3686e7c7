import type { ParsedPage } from '../page/parsed.ts';
import type { Reason } from '../page/reason.ts';
import type { Link, PageData, PageLinks, PageText } from '../page/segment.ts';
import { signatureOf } from '../parse/signature.ts';
import type { Admit } from '../url/admit.ts';

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

/** @param rejected called for each link that the gate refuses */
export function partsOf(
  parsed: ParsedPage,
  page: PageFacts,
  admit: Admit,
  rejected: (reason: Reason) => void = () => {},
): Parts {
  const signature = signatureOf(page.body, parsed.visible, 'text', page.url);
  const links: Link[] = [];
  if (!parsed.robots.nofollow) {
    const taken = new Set<string>([page.url]);
    /** Addresses of this page as they came, without fragments: half of all links repeat one, or lead into the page. */
    const asked = new Set<string>([page.url]);
    for (const link of parsed.links) {
      const fragment = link.url.indexOf('#');
      const address = fragment < 0 ? link.url : link.url.slice(0, fragment);
      if (asked.has(address)) continue;
      asked.add(address);
      const admitted = admit(address);
      if (admitted.url === null) rejected(admitted.reason);
      else if (!taken.has(admitted.url)) {
        taken.add(admitted.url);
        const nofollow = link.rel !== undefined && /\b(?:nofollow|ugc|sponsored)\b/.test(link.rel);
        links.push({ url: admitted.url, anchor: link.anchor, nofollow });
      }
    }
  }
  return {
    data: {
      title: parsed.title,
      headings: parsed.headings,
      meta: parsed.meta,
      canonical: parsed.canonical,
      lang: parsed.lang,
      charset: parsed.charset,
      robots: parsed.robots,
      dates: parsed.dates,
      problems: parsed.problems,
      signature,
      contentType: page.contentType,
      fetched: page.fetched,
      lastModified: page.lastModified,
      bytes: page.body.length,
    },
    text: { text: parsed.text, boilerplate: parsed.boilerplate },
    links: { signature, score: page.score, depth: page.depth, links },
  };
}

/**
 * A gate that remembers its answers: the links of a site are few, and repeated on every page (0.15 us instead of 1.3).
 * Bounded by starting over; answers depend on nothing but the address.
 */
export function remembering(admit: Admit, most = 50_000): Admit {
  const known = new Map<string, ReturnType<Admit>>();
  return (url, base) => {
    if (base !== undefined) return admit(url, base);
    const before = known.get(url);
    if (before !== undefined) return before;
    if (known.size >= most) known.clear();
    const answer = admit(url);
    known.set(url, answer);
    return answer;
  };
}
