import type { ParsedPage } from '../../page/parsed.ts';
import { readFeed } from '../feed.ts';
import { guessLanguage } from '../guess-language.ts';
import { languageTag } from '../language.ts';
import { mediaType, typeOf } from '../media-type.ts';
import { headerOf, isoDate, robotsFlags } from '../meta.ts';
import { type PageInput, parsePage, plainLinks } from '../page.ts';
import type { ParseSettings } from '../settings.ts';
import { readXml } from '../xml.ts';
import { readEpub } from './epub.ts';
import { type DocumentKind, kindOf, type Unread } from './kind.ts';
import { readMarkdown } from './markdown.ts';
import { readOpenDocument } from './odf.ts';
import { readOffice } from './office.ts';
import { readPdf } from './pdf.ts';
import { Refused } from './refused.ts';
import { readRtf } from './rtf.ts';
import { readTable } from './table.ts';
import { type DocumentText, Lines } from './text.ts';

/**
 * Reads what is no page: PDF, Word, Excel, PowerPoint, OpenDocument, EPUB, RTF, Markdown, CSV, feeds, XML; and pages too,
 * by parsePage. Never throws: what cannot be read is `unread`, with the reason.
 *
 * Time and memory are bounded for all but PDF, whose library bounds neither: run it where a limit holds
 * (src/run/documents.ts).
 */
export async function parseDocument(input: PageInput, settings: ParseSettings = {}): Promise<ParsedPage | Unread> {
  const contentType = typeOf(mediaType(input.contentType), input.body, input.url);
  try {
    return await readAs(kindOf(contentType), contentType, input, settings);
  } catch (error) {
    const unread = error instanceof Refused ? error.reason : 'parse-failed';
    const detail = error instanceof Error ? error.message : String(error);
    return { unread, detail, contentType };
  }
}

async function readAs(
  kind: DocumentKind | null,
  contentType: string,
  input: PageInput,
  settings: ParseSettings,
): Promise<ParsedPage | Unread> {
  const { body, url } = input;
  const html = (page: Uint8Array, at: string, type = 'text/html; charset=utf-8'): ParsedPage =>
    parsePage({ url: at, contentType: type, body: page }, settings) as ParsedPage;
  const chapter = (page: Uint8Array): ParsedPage => html(page, 'http://epub.invalid/', 'application/xhtml+xml');
  if (kind !== 'page' && body.length === 0) return { unread: 'empty', detail: 'it has no bytes', contentType };
  switch (kind) {
    case 'page':
      return parsePage(input, settings) as ParsedPage;
    case 'pdf':
      return page(await readPdf(body), input);
    case 'office':
    case 'old-office':
      if (isCompound(body)) {
        // Word, Excel and PowerPoint keep a protected document in a file of the old kind.
        const locked = Buffer.from(body.buffer, body.byteOffset, body.length).includes(
          Buffer.from('EncryptedPackage', 'utf16le'),
        );
        if (locked) throw new Refused('parse-failed', 'it is protected by a password');
        throw new Refused('not-parsed', 'the formats of Office before 2007 are not read');
      }
      return page(readOffice(body), input);
    case 'odf':
      return page(readOpenDocument(body), input);
    case 'epub':
      return page(readEpub(body, chapter), input);
    case 'rtf':
      return page(readRtf(body), input);
    case 'table':
      return page(readTable(body, input.contentType || contentType), input);
    case 'markdown':
      return readMarkdown(input, (source) => html(source, url));
    case 'xml': {
      const feed = readFeed(body, input.contentType, url, (source) => html(Buffer.from(source), url).visible);
      return page(feed ?? readAnyXml(body), input);
    }
    case 'zip':
      // What is in it tells what it is.
      return page(readArchive(body, chapter), input);
    case null:
      return { unread: 'not-parsed', detail: `${contentType || 'its type'} is none that can be read`, contentType };
  }
}

/** A zip without a type: OOXML, OpenDocument or EPUB. */
function readArchive(body: Uint8Array, chapter: (page: Uint8Array) => ParsedPage): DocumentText {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 4096)).toString('latin1');
  if (head.includes('mimetypeapplication/epub+zip')) return readEpub(body, chapter);
  if (head.includes('mimetypeapplication/vnd.oasis.opendocument')) return readOpenDocument(body);
  const text = readOffice(body);
  if (text.text === '' && text.title === '') throw new Refused('not-parsed', 'the archive holds no document');
  return text;
}

const isCompound = (body: Uint8Array): boolean =>
  body[0] === 0xd0 && body[1] === 0xcf && body[2] === 0x11 && body[3] === 0xe0;

function readAnyXml(body: Uint8Array): DocumentText {
  const lines = new Lines();
  let title = '';
  let inTitle = false;
  const whole = readXml(
    body,
    {
      open(name) {
        lines.end();
        inTitle = title === '' && /(^|:)title$/i.test(name);
      },
      text(text) {
        lines.add(text);
        if (inTitle) title += text;
      },
      close() {
        lines.end();
        inTitle = false;
      },
    },
    () => lines.cut,
  );
  return {
    title: title.replace(/\s+/g, ' ').trim().slice(0, 1000),
    text: lines.text(),
    problems: whole ? [] : ['it is nested too deeply or too long, and read in part'],
  };
}

/** A document as a page. */
function page(read: DocumentText, input: PageInput): ParsedPage {
  const { text, boilerplate = '', problems = [] } = read;
  const links = read.links ?? [];
  const known = new Set(links.map((link) => link.url));
  const header = (name: string): string => headerOf(input.headers, name);
  // Strings cut out of longer ones would keep those alive.
  const copy = (value: string): string => Buffer.from(value).toString();
  return {
    title: copy(read.title),
    text: copy(text),
    boilerplate: copy(boilerplate),
    visible: copy(boilerplate === '' ? text : `${text}\n${boilerplate}`),
    headings: (read.headings ?? []).map((heading) => ({ ...heading, text: copy(heading.text) })),
    links: [...links, ...plainLinks(text).filter((link) => !known.has(link.url))].map((link) => ({
      ...link,
      url: copy(link.url),
      anchor: copy(link.anchor),
    })),
    meta: read.meta ?? {},
    canonical: '',
    refresh: null,
    lang: languageTag(read.lang ?? '') || languageTag(header('content-language')) || guessLanguage(text),
    charset: read.charset ?? 'utf-8',
    robots: robotsFlags(new Map(), input.headers, '', false),
    dates: { published: read.published ?? '', modified: read.modified || isoDate(header('last-modified')) },
    problems,
  };
}
