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
    for (const link of parsed.links) {
      const admitted = admit(link.url);
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
