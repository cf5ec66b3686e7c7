import { isAscii, isUtf8 } from 'node:buffer';
import type { RobotsFlags } from '../page/parsed.ts';
import { charsetOf, detectCharset, toUtf8 } from './charset.ts';
import { LinkReading } from './link-reading.ts';
import { mediaType, typeOf } from './media-type.ts';
import { headerOf, refreshOf, robotsFlags } from './meta.ts';
import { baseOf, type PageInput } from './page.ts';
import type { RawLinks } from './raw-links.ts';
import type { ParseSettings } from './settings.ts';

/** Where a page leads and what it asks of robots, before any string is made. Good until the next page is read in this thread. */
export interface LinksView {
  readonly links: RawLinks;
  /** What its links are resolved against. */
  readonly base: string;
  readonly robots: RobotsFlags;
  /** Its text as it stands between the tags, without blanks: only good for a digest. */
  readonly words: Buffer;
}

const reading = new LinkReading();

/**
 * Reads a page of HTML for its links alone; the links, the base and the flags are those of `viewPage`. Null: it has to be read
 * in full to be sure of them (odd nesting, XHTML, another reader asked for), or to know whether it sends its reader on, which
 * a page with much text does not. Never throws. `links.release()` is due when it is done with.
 */
export function viewLinks(input: PageInput, settings: ParseSettings = {}): LinksView | null {
  if ((settings.parser ?? 'auto') !== 'auto') return null;
  if (typeOf(mediaType(input.contentType), input.body, input.url) !== 'text/html') return null;
  const agent = (settings.agent ?? '').toLowerCase();
  try {
    reading.read(utf8Of(input), agent);
  } catch {
    return null; // a bug of ours met a page: the other readers have their turn, and say so
  }
  const { head, links } = reading;
  if (!reading.sure) return null;
  const equiv = head.httpEquiv;
  const refresh = refreshOf(equiv.get('refresh') ?? headerOf(input.headers, 'refresh'));
  if (refresh !== null && refresh.url !== '') return null;
  const robots = robotsFlags(head.meta, input.headers, agent, /no-cache/i.test(equiv.get('pragma') ?? ''));
  return { links, base: baseOf(head.base, input.url, []), robots, words: reading.words };
}

/** The page as UTF-8. What is not becomes U+FFFD, as where a single address is decoded. */
function utf8Of({ body, contentType }: PageInput): Buffer {
  // Every encoding of the web reads ASCII as ASCII, but for UTF-16 and for that with escape sequences.
  if (isAscii(body) && !body.includes(ESCAPE) && !charsetOf(contentType).startsWith('utf-16'))
    return Buffer.from(body.buffer, body.byteOffset, body.length);
  const page = toUtf8(body, detectCharset(body, contentType).charset);
  return isUtf8(page) ? page : Buffer.from(page.toString());
}

const ESCAPE = 27;
