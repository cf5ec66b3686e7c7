import type { PageLink } from '../../page/parsed.ts';
import { CMaps } from './cmaps.ts';
import { Refused } from './refused.ts';
import { type DocumentText, documentDate, Lines } from './text.ts';

/** Pages of a PDF that are read. */
const MAX_PAGES = 2000;
const MAX_LINKS = 5000;

/**
 * PDF, by pdf.js without its drawing (unpdf, loaded when first needed: some 2 MB of code). Text in the order in which it
 * stands in the file, a line a line; title, author, language and dates of its information; links. Nothing in the file is
 * run. The maps of fonts that the file names and does not embed, which is common for Chinese, Japanese and Korean, are ours
 * (cmaps.ts).
 * Needs time and memory that its size does not tell: call it in a thread with limits (workers/document.ts).
 * @throws Refused when it is damaged or protected by a password
 */
export async function readPdf(body: Uint8Array): Promise<DocumentText> {
  const { getDocumentProxy } = await import('unpdf');
  // It takes the bytes over.
  const data = new Uint8Array(body);
  const options = {
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: 0,
    stopAtErrors: false,
    // An address of their place must be given for them to be asked for; they are in no such place.
    cMapUrl: 'cmaps/',
    cMapPacked: true,
    BinaryDataFactory: CMaps,
  };
  let pdf: Awaited<ReturnType<typeof getDocumentProxy>>;
  try {
    pdf = await getDocumentProxy(data, options);
  } catch (cause) {
    if ((cause as Error)?.name === 'PasswordException')
      throw new Refused('parse-failed', 'it is protected by a password', { cause });
    throw new Refused('parse-failed', `the PDF cannot be opened (${(cause as Error)?.message ?? String(cause)})`, {
      cause,
    });
  }
  try {
    const lines = new Lines();
    const links = new Map<string, PageLink>();
    const problems: string[] = [];
    const pages = Math.min(pdf.numPages, MAX_PAGES);
    if (pdf.numPages > MAX_PAGES) problems.push(`only ${MAX_PAGES} of its ${pdf.numPages} pages are read`);
    let broken = 0;
    for (let number = 1; number <= pages && !lines.cut; number++) {
      try {
        const page = await pdf.getPage(number);
        const content = await page.getTextContent();
        for (const item of content.items) {
          if (!('str' in item)) continue;
          lines.add(item.str);
          if (item.hasEOL) lines.end();
        }
        lines.end();
        for (const note of (await page.getAnnotations()) as {
          subtype?: string;
          url?: string;
          overlaidText?: string;
        }[]) {
          const url = note.subtype === 'Link' ? (note.url ?? '') : '';
          if (/^https?:/i.test(url) && links.size < MAX_LINKS)
            links.set(url, { url, anchor: (note.overlaidText ?? '').trim().slice(0, 100) });
        }
        page.cleanup();
      } catch {
        // One page that cannot be read does not cost the others; how many there were is told.
        broken++;
      }
    }
    if (broken > 0) problems.push(`${broken} of its pages cannot be read`);
    if (lines.cut) problems.push('its text is longer than is kept');
    const about = await aboutOf(pdf);
    const text = lines.text();
    return {
      title: goodTitle(about.Title) || (text.slice(0, 2000).split('\n')[0] ?? '').slice(0, 200),
      text,
      links: [...links.values()],
      lang: about.Language,
      published: documentDate(about.CreationDate),
      modified: documentDate(about.ModDate),
      meta: about.Author === '' ? {} : { author: about.Author },
      problems,
    };
  } finally {
    await pdf.destroy();
  }
}

type About = Record<'Title' | 'Author' | 'Language' | 'CreationDate' | 'ModDate', string>;

async function aboutOf(pdf: { getMetadata(): Promise<{ info: object }> }): Promise<About> {
  const about: About = { Title: '', Author: '', Language: '', CreationDate: '', ModDate: '' };
  try {
    const info = (await pdf.getMetadata()).info as Record<string, unknown>;
    for (const key of Object.keys(about) as (keyof About)[]) {
      const value = info[key];
      if (typeof value === 'string')
        about[key] = value
          .replace(/[\s\0]+/g, ' ')
          .trim()
          .slice(0, 1000);
    }
  } catch {
    // What it says about itself is damaged; its text is not.
  }
  return about;
}

/** Programs fill in names of files and of themselves. */
const goodTitle = (title: string): string =>
  /^(untitled|unknown|microsoft (word|powerpoint|excel)\b.*|.*\.(docx?|pptx?|xlsx?|odt|indd|qxd|dvi|tex|ps|pdf))?$/i.test(
    title,
  )
    ? ''
    : title;
