import type { Heading, PageLink } from '../../page/parsed.ts';
import { localName, readXml } from '../xml.ts';
import { type DocumentText, documentDate, Lines } from './text.ts';
import { readZip } from './zip.ts';

/** Office Open XML: Word, Excel, PowerPoint. Names of elements are compared without their prefix. */

const WANTED =
  /^(word\/(document|footnotes|endnotes|comments|header\d*|footer\d*)\.xml|word\/_rels\/document\.xml\.rels|ppt\/(slides\/slide|notesSlides\/notesSlide)\d+\.xml|xl\/(workbook|sharedStrings|styles|worksheets\/sheet\d+)\.xml|docProps\/core\.xml)$/i;

/** @throws Refused, see readZip */
export function readOffice(body: Uint8Array): DocumentText {
  const files = readZip(body, (name) => WANTED.test(name));
  const about = readCore(files.get('docProps/core.xml'));
  const names = [...files.keys()].sort((a, b) => numberIn(a) - numberIn(b) || (a < b ? -1 : 1));
  const text = new Lines();
  const aside = new Lines();
  const headings: Heading[] = [];
  const links: PageLink[] = [];
  const targets = readTargets(files.get('word/_rels/document.xml.rels'));
  for (const part of ['document', 'footnotes', 'endnotes', 'comments']) {
    const file = files.get(`word/${part}.xml`);
    if (file) readParagraphs(file, text, headings, links, targets);
  }
  for (const name of names) {
    if (/^word\/(header|footer)\d*\.xml$/i.test(name)) readParagraphs(files.get(name)!, aside, [], [], targets);
    else if (/^ppt\/slides\//i.test(name)) readParagraphs(files.get(name)!, text, headings, links, targets);
    else if (/^ppt\/notesSlides\//i.test(name)) readParagraphs(files.get(name)!, aside, [], [], targets);
  }
  readSheets(files, names, text);
  return {
    ...about,
    text: text.text(),
    boilerplate: aside.text(),
    headings,
    links,
    problems: text.cut ? ['its text is longer than is kept'] : [],
  };
}

const numberIn = (name: string): number => Number(/(\d+)\.xml$/i.exec(name)?.[1] ?? 0);

interface About {
  readonly title: string;
  readonly lang: string;
  readonly published: string;
  readonly modified: string;
  readonly meta: Readonly<Record<string, string>>;
}

/** Dublin Core, as Office, OpenDocument and EPUB keep it. */
export function readCore(file: Buffer | undefined): About {
  const found: Record<string, string> = Object.create(null);
  let field = '';
  if (file) {
    readXml(file, {
      open: (name) => {
        field = localName(name).toLowerCase();
      },
      text: (text) => {
        if (field !== '') found[field] = (found[field] ?? '') + text;
      },
      close: () => {
        field = '';
      },
    });
  }
  const value = (name: string): string => (found[name] ?? '').replace(/\s+/g, ' ').trim();
  const meta: Record<string, string> = Object.create(null);
  for (const [from, to] of [
    ['creator', 'author'],
    ['initial-creator', 'author'],
    ['subject', 'subject'],
    ['description', 'description'],
    ['keywords', 'keywords'],
    ['keyword', 'keywords'],
  ] as const)
    if (value(from) !== '' && meta[to] === undefined) meta[to] = value(from).slice(0, 2000);
  return {
    title: value('title'),
    lang: value('language'),
    published: documentDate(value('created') || value('creation-date')),
    modified: documentDate(value('modified') || value('date')),
    meta,
  };
}

function readTargets(file: Buffer | undefined): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  if (file) {
    readXml(file, {
      open(_name, attributes) {
        if (attributes.TargetMode === 'External' && attributes.Id && attributes.Target)
          targets.set(attributes.Id, attributes.Target);
      },
    });
  }
  return targets;
}

/** Text of `t` in paragraphs `p`; what Word and PowerPoint have in common. */
function readParagraphs(
  file: Buffer,
  lines: Lines,
  headings: Heading[],
  links: PageLink[],
  targets: ReadonlyMap<string, string>,
): void {
  let inText = 0;
  let level = 0;
  let deleted = 0;
  let url = '';
  let anchor = '';
  readXml(file, {
    open(name, attributes) {
      switch (localName(name)) {
        case 't':
          inText++;
          break;
        case 'pStyle':
          level = Number(
            /^(?:heading|berschrift|überschrift|titre|titolo|kop)\s*(\d)/i.exec(attributes['w:val'] ?? '')?.[1] ??
              level,
          );
          if (/^title$/i.test(attributes['w:val'] ?? '')) level = 1;
          break;
        case 'ph':
          if (/^(title|ctrTitle)$/.test(attributes.type ?? '')) level = 2;
          break;
        // What was deleted; and what stands for a drawing where there is none: it repeats the text.
        case 'del':
        case 'Fallback':
          deleted++;
          break;
        case 'hyperlink':
        case 'hlinkClick':
          url = targets.get(attributes['r:id'] ?? '') ?? '';
          anchor = '';
          break;
        case 'tab':
        case 'br':
        case 'cr':
          lines.add(' ');
          break;
      }
    },
    text(text) {
      if (inText === 0 || deleted > 0) return;
      lines.add(text);
      if (url !== '') anchor += text;
    },
    close(name) {
      switch (localName(name)) {
        case 't':
          inText--;
          break;
        case 'del':
        case 'Fallback':
          deleted--;
          break;
        case 'hyperlink':
          if (/^https?:/i.test(url)) links.push({ url, anchor: anchor.replace(/\s+/g, ' ').trim().slice(0, 100) });
          url = '';
          break;
        case 'tc':
          lines.add(' ');
          break;
        case 'p': {
          const line = lines.end();
          if (level > 0 && line !== '' && headings.length < 2000)
            headings.push({ level: Math.min(6, level), text: line.slice(0, 300) });
          level = 0;
          break;
        }
        case 'sp':
          level = 0;
          break;
      }
    },
  });
}

function readSheets(files: ReadonlyMap<string, Buffer>, names: readonly string[], lines: Lines): void {
  const sheets = names.filter((name) => /^xl\/worksheets\//i.test(name));
  if (sheets.length === 0) return;
  const strings = readStrings(files.get('xl/sharedStrings.xml'));
  const dates = readDateStyles(files.get('xl/styles.xml'));
  const titles: string[] = [];
  const book = files.get('xl/workbook.xml');
  if (book) {
    readXml(book, {
      open(name, attributes) {
        if (localName(name) === 'sheet') titles.push(attributes.name ?? '');
      },
    });
  }
  sheets.forEach((name, i) => {
    if (titles[i]) lines.add(titles[i]);
    lines.end();
    readSheet(files.get(name)!, strings, dates, lines);
  });
}

function readStrings(file: Buffer | undefined): readonly string[] {
  const strings: string[] = [];
  if (!file) return strings;
  let current = '';
  let inText = false;
  // Reading aids (rPh) repeat the text.
  let aid = 0;
  readXml(file, {
    open(name) {
      const local = localName(name);
      if (local === 'si') current = '';
      else if (local === 'rPh') aid++;
      else if (local === 't') inText = aid === 0;
    },
    text(text) {
      if (inText) current += text;
    },
    close(name) {
      const local = localName(name);
      if (local === 't') inText = false;
      else if (local === 'rPh') aid--;
      else if (local === 'si') strings.push(current);
    },
  });
  return strings;
}

/** For each cell style, whether it shows a number as a date. */
function readDateStyles(file: Buffer | undefined): readonly boolean[] {
  const styles: boolean[] = [];
  if (!file) return styles;
  const custom = new Set<string>();
  let inFormats = false;
  readXml(file, {
    open(name, attributes) {
      const local = localName(name);
      if (local === 'numFmt') {
        const code = (attributes.formatCode ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, '');
        if (/[dy]/i.test(code)) custom.add(attributes.numFmtId ?? '');
      } else if (local === 'cellXfs') inFormats = true;
      else if (local === 'xf' && inFormats) {
        const id = attributes.numFmtId ?? '0';
        styles.push((Number(id) >= 14 && Number(id) <= 17) || id === '22' || custom.has(id));
      }
    },
    close(name) {
      if (localName(name) === 'cellXfs') inFormats = false;
    },
  });
  return styles;
}

function readSheet(file: Buffer, strings: readonly string[], dates: readonly boolean[], lines: Lines): void {
  let type = '';
  let date = false;
  let value = '';
  let inValue = false;
  readXml(
    file,
    {
      open(name, attributes) {
        const local = localName(name);
        if (local === 'c') {
          type = attributes.t ?? 'n';
          date = dates[Number(attributes.s ?? 0)] ?? false;
          value = '';
        } else if (local === 'v' || local === 't') inValue = true;
      },
      text(text) {
        if (inValue) value += text;
      },
      close(name) {
        const local = localName(name);
        if (local === 'v' || local === 't') inValue = false;
        else if (local === 'c' && value !== '') {
          const shown =
            type === 's' ? (strings[Number(value)] ?? '') : type === 'n' && date ? serialDate(value) : value;
          lines.add(`${shown} `);
        } else if (local === 'row') lines.end();
      },
    },
    () => lines.cut,
  );
}

/** Days since 30 December 1899, as spreadsheets count. */
function serialDate(value: string): string {
  const days = Number(value);
  if (!(days >= 1 && days < 2_958_466)) return value;
  return new Date(Date.UTC(1899, 11, 30) + Math.floor(days) * 86_400_000).toISOString().slice(0, 10);
}
