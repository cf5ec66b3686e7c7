import { parseSitemap } from '../parse/sitemap.ts';
import { bodyOf } from './body.ts';

/** One sitemap: `{url, base64 or xml}` -> `{kind, urls: [{url, lastmod?, changefreq?, priority?}], sitemaps, problems}`. */
export function check(line: Record<string, unknown>): unknown {
  const { url = 'http://localhost/sitemap.xml', contentType = '' } = line;
  if (typeof url !== 'string' || typeof contentType !== 'string') return { error: 'url and contentType are strings' };
  const body = bodyOf(line, 'xml');
  return body instanceof Uint8Array ? parseSitemap({ url, contentType, body }) : body;
}
