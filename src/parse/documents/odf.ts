import type { Heading, PageLink } from '../../page/parsed.ts';
import { readXml } from '../xml.ts';
import { readCore } from './office.ts';
import { Refused } from './refused.ts';
import { type DocumentText, Lines } from './text.ts';
import { readZip } from './zip.ts';

/** Not text, or the number of a note. */
const SKIPPED = new Set(['text:tracked-changes', 'office:annotation', 'text:note-citation']);
const BREAKS = new Set(['text:p', 'text:h', 'table:table-row', 'draw:page', 'text:list-item']);

/**
 * OpenDocument: text, spreadsheet, presentation.
 * @throws Refused, see readZip
 */
export function readOpenDocument(body: Uint8Array): DocumentText {
  const files = readZip(
    body,
    (name) => name === 'content.xml' || name === 'meta.xml' || name === 'META-INF/manifest.xml',
  );
  const manifest = files.get('META-INF/manifest.xml');
  if (manifest?.includes('encryption-data')) throw new Refused('parse-failed', 'it is protected by a password');
  const content = files.get('content.xml');
  if (!content) throw new Refused('parse-failed', 'the archive holds no document');
  const main = new Lines();
  const notes = new Lines();
  let lines = main;
  const headings: Heading[] = [];
  const links: PageLink[] = [];
  let level = 0;
  let url = '';
  let anchor = '';
  let inBody = 0;
  let skip = 0;
  readXml(content, {
    open(name, attributes) {
      if (name === 'office:body') inBody++;
      else if (name === 'text:h') level = Number(attributes['text:outline-level'] ?? 1);
      else if (name === 'text:a') {
        url = attributes['xlink:href'] ?? '';
        anchor = '';
      } else if (name === 'text:s' || name === 'text:tab' || name === 'text:line-break') lines.add(' ');
      else if (SKIPPED.has(name)) skip++;
      else if (name === 'text:note') lines = notes;
    },
    text(text) {
      if (inBody === 0 || skip > 0) return;
      lines.add(text);
      if (url !== '') anchor += text;
    },
    close(name) {
      if (name === 'office:body') inBody--;
      else if (SKIPPED.has(name)) skip--;
      else if (name === 'text:note') lines = main;
      else if (name === 'table:table-cell') lines.add(' ');
      else if (name === 'text:a') {
        if (/^https?:/i.test(url)) links.push({ url, anchor: anchor.replace(/\s+/g, ' ').trim().slice(0, 100) });
        url = '';
      } else if (BREAKS.has(name)) {
        const line = lines.end();
        if (level > 0 && line !== '' && headings.length < 2000)
          headings.push({ level: Math.min(6, Math.max(1, level)), text: line.slice(0, 300) });
        level = 0;
      }
    },
  });
  const cut = main.cut;
  return {
    ...readCore(files.get('meta.xml')),
    text: [main.text(), notes.text()].filter((text) => text !== '').join('\n'),
    headings,
    links,
    problems: cut ? ['its text is longer than is kept'] : [],
  };
}
