import { posix } from 'node:path';
import type { Heading, PageLink, ParsedPage } from '../../page/parsed.ts';
import { localName, readXml } from '../xml.ts';
import { readCore } from './office.ts';
import { Refused } from './refused.ts';
import { type DocumentText, MAX_TEXT } from './text.ts';
import { readZip } from './zip.ts';

/**
 * EPUB: its chapters in the order of its spine, each read as a page of HTML by `read`.
 * @throws Refused, see readZip
 */
export function readEpub(body: Uint8Array, read: (html: Uint8Array) => ParsedPage): DocumentText {
  const files = readZip(body, (name) => /\.(opf|x?html?|xml)$/i.test(name));
  const container = files.get('META-INF/container.xml');
  let path = [...files.keys()].find((name) => name.endsWith('.opf')) ?? '';
  if (container) {
    readXml(container, {
      open(name, attributes) {
        const full = localName(name) === 'rootfile' ? attributes['full-path'] : undefined;
        if (full !== undefined && files.has(full)) path = full;
      },
    });
  }
  const book = files.get(path);
  if (!book) throw new Refused('parse-failed', 'the archive holds no book');
  const hrefs = new Map<string, string>();
  const spine: string[] = [];
  readXml(book, {
    open(name, attributes) {
      const local = localName(name);
      if (local === 'item' && attributes.id && attributes.href) hrefs.set(attributes.id, attributes.href);
      else if (local === 'itemref' && attributes.idref) spine.push(attributes.idref);
    },
  });
  const about = readCore(book);
  const texts: string[] = [];
  const headings: Heading[] = [];
  const links: PageLink[] = [];
  let length = 0;
  let missing = 0;
  for (const id of spine) {
    const chapter = files.get(posix.normalize(posix.join(posix.dirname(path), decode(hrefs.get(id) ?? ''))));
    if (!chapter) {
      missing++;
      continue;
    }
    if (length > MAX_TEXT) break;
    const page = read(chapter);
    // A book has no boilerplate: what looks like it (a table of contents) is text of it.
    if (page.visible !== '') texts.push(page.visible);
    length += page.visible.length;
    for (const { level, text } of page.headings) if (headings.length < 2000) headings.push({ level, text });
    for (const link of page.links) if (!link.url.startsWith('http://epub.invalid/')) links.push(link);
  }
  return {
    ...about,
    text: texts.join('\n'),
    headings,
    links,
    problems: [
      ...(missing > 0 ? [`${missing} of its chapters are not there`] : []),
      ...(length > MAX_TEXT ? ['its text is longer than is kept'] : []),
    ],
  };
}

function decode(href: string): string {
  try {
    return decodeURIComponent(href.replace(/#.*$/, ''));
  } catch {
    // A percent sign that is no escape: the name is as it stands.
    return href;
  }
}
