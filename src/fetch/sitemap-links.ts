import { type Hint, hintOf } from '../page/hint.ts';
import type { Link } from '../page/segment.ts';
import { signatureOf } from '../parse/signature.ts';
import { parseSitemap, type SitemapUrl } from '../parse/sitemap.ts';
import type { Admit } from '../url/admit.ts';
import { leadsInside } from '../url/files.ts';

/** What a sitemap leaves: its addresses are links of it; it has no text, so it is in no index. */
export interface SitemapRead {
  readonly signature: Uint8Array | null;
  readonly links: readonly Link[];
  readonly hints: readonly (readonly [url: string, hint: Hint])[];
  /** Sitemaps that it names, as it writes them. */
  readonly sitemaps: readonly string[];
  /** Pages that it names. */
  readonly pages: number;
  readonly problems: readonly string[];
}

/** `now`: when it was fetched, ms; `rejected` is told each reason for which the gate refused an address. */
export function readSitemap(
  input: { readonly url: string; readonly contentType: string; readonly body: Uint8Array },
  now: number,
  admit: Admit,
  rejected: (reason: string) => void,
): SitemapRead {
  const { sitemaps, urls, problems } = parseSitemap(input);
  const signature = signatureOf(input.body, '', 'md5', input.url);
  const links: Link[] = [];
  const hints: [string, Hint][] = [];
  const taken = new Set<string>([input.url]);
  for (const said of [...sitemaps.map((url): SitemapUrl => ({ url })), ...urls]) {
    const admitted = admit(said.url);
    if (admitted.url === null) rejected(admitted.reason);
    else if (leadsInside(input.url, admitted.url)) rejected('scheme-refused');
    else if (!taken.has(admitted.url)) {
      taken.add(admitted.url);
      links.push({ url: admitted.url, anchor: '', nofollow: false });
      const hint = hintOf(said, now);
      if (hint !== null) hints.push([admitted.url, hint]);
    }
  }
  return { signature, links, hints, sitemaps, pages: urls.length, problems };
}

/** By its first bytes; a compressed one by its name, since its bytes tell nothing. */
export function isSitemap(url: string, body: Uint8Array): boolean {
  if (body[0] === 0x1f && body[1] === 0x8b) return /sitemap[^/?]*\.(?:xml|txt)\.gz(?:\?|$)/i.test(url);
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
  const at = head.search(/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/);
  return at >= 0 && !/<(?:html|body|!doctype)\b/i.test(head.slice(0, at));
}
