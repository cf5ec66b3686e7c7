import { isAscii, isUtf8 } from 'node:buffer';
import type { PageLink, ParsedPage } from '../page/parsed.ts';
import { createResolve } from '../url/resolve.ts';
import { clean } from './attributes.ts';
import { decodeText, detectCharset, toUtf8 } from './charset.ts';
import { guessLanguage, guessLanguageOfAscii } from './guess-language.ts';
import { readHtml } from './html.ts';
import { declaredLanguage } from './language.ts';
import { BLOCK, chooseMain } from './main-text.ts';
import { mediaType, typeOf } from './media-type.ts';
import { datesOf, type Headers, headerOf, refreshOf, robotsFlags } from './meta.ts';
import { Nesting } from './nesting.ts';
import type { RawLinks } from './raw-links.ts';
import { Reading } from './reading.ts';
import { type CompiledSelectors, compileSelectors, markTape, type PageSelectors } from './selectors.ts';
import type { ParseSettings } from './settings.ts';

/** What a response says: all that parsing sees. Nothing of it is kept. */
export interface PageInput {
  /** Absolute; links are resolved against it. */
  readonly url: string;
  /** As sent, with parameters; '' when unknown. */
  readonly contentType: string;
  readonly headers?: Headers;
  /** After content encodings are undone. */
  readonly body: Uint8Array;
}

/** It is of a type that is read elsewhere (documents) or not at all. */
export interface Unsupported {
  readonly unsupported: true;
  /** Type found, lower case, without parameters. */
  readonly contentType: string;
}

/**
 * A page of HTML as it was read, before anything of it is made a string that need not be one: long texts are UTF-8, links
 * lie where they stand. Good until the next page is read in this thread, and `links.release()` is due when it is done with.
 */
export interface PageView extends Omit<ParsedPage, 'text' | 'boilerplate' | 'visible' | 'links' | 'base'> {
  readonly bytes: true;
  readonly text: Buffer;
  readonly boilerplate: Buffer;
  readonly visible: Buffer;
  /** Whether a character of it may lie beyond U+FFFF. */
  readonly astral: boolean;
  readonly links: RawLinks;
  /** What its links are resolved against. */
  readonly base: string;
}

const tape = new Nesting();
const reading = new Reading();
/** Main text and boilerplate of the last page, one after the other. */
let kept = Buffer.allocUnsafeSlow(1 << 16);

/**
 * Reads a page of HTML or of plain text. Pure: the same input gives the same answer; never throws: what is odd about a
 * page is in `problems`. Strings are copies and hold nothing of `body`.
 *
 * Runs in the thread that calls it. Cost: linear in the page, whatever its nesting; see bench/html.bench.ts.
 */
export function parsePage(input: PageInput, settings: ParseSettings = {}): ParsedPage | Unsupported {
  try {
    const page = readInput(input, settings);
    return 'bytes' in page ? parsedOf(page, input.url) : page;
  } catch (error) {
    return unread(error);
  }
}

/**
 * As parsePage, without the strings, for who writes a page down: a third of the cost of reading it is in them. A page that
 * says it is UTF-8 and is not, and plain text, come parsed.
 */
export function viewPage(input: PageInput, settings: ParseSettings = {}): PageView | ParsedPage | Unsupported {
  try {
    const page = readInput(input, settings);
    return 'bytes' in page && !isUtf8(page.links.page) ? parsedOf(page, input.url) : page;
  } catch (error) {
    return unread(error);
  }
}

function readInput(input: PageInput, settings: ParseSettings): PageView | ParsedPage | Unsupported {
  const contentType = typeOf(mediaType(input.contentType), input.body, input.url);
  if (contentType === 'text/html') return readMarkup(input, settings, false);
  if (contentType === 'application/xhtml+xml') return readMarkup(input, settings, true);
  return contentType === 'text/plain' ? parsePlain(input) : { unsupported: true, contentType };
}

/** A bug of ours met a page: it is empty, says so, and the crawl goes on. */
const unread = (error: unknown): ParsedPage => ({
  title: '',
  text: '',
  boilerplate: '',
  visible: '',
  headings: [],
  links: [],
  meta: {},
  canonical: '',
  refresh: null,
  lang: '',
  charset: 'utf-8',
  robots: { noindex: false, nofollow: false, noarchive: false, nosnippet: false },
  dates: { published: '', modified: '' },
  problems: [`it could not be read (${error instanceof Error ? error.message : String(error)})`],
});

function readMarkup(input: PageInput, settings: ParseSettings, xml: boolean): PageView {
  const problems: string[] = [];
  const { charset, source } = detectCharset(input.body, input.contentType);
  if (source === 'default' && !isAscii(input.body)) problems.push('its encoding is not declared and could not be told');
  const page = toUtf8(input.body, charset);
  const selectors = compiled(settings.selectors, problems);
  problems.push(...readHtml(page, tape, settings.parser ?? 'auto', { keepAll: selectors !== null, xml }));
  reading.read(tape, selectors === null ? null : markTape(tape, selectors));
  const verdict = chooseMain(reading.blocks, reading.regions, tape);
  const { head, links } = reading;
  if (tape.tooDeep) problems.push('its elements are nested too deeply');
  if (links.tooMany) problems.push('it has more links than are kept');
  tape.release();

  const base = baseOf(head.base, input.url, problems);
  const equiv = head.httpEquiv;
  const refresh = refreshOf(equiv.get('refresh') ?? headerOf(input.headers, 'refresh'));
  const target = refresh === null || refresh.url === '' ? '' : resolve(refresh.url, base);
  const dates = datesOf(head.jsonLd, head.meta, head.times, headerOf(input.headers, 'last-modified'));
  if (dates.invalid > 0) problems.push('its JSON-LD is no JSON');
  const canonical = canonicalOf(headerOf(input.headers, 'link')) || head.canonical;
  const meta: Record<string, string> = Object.create(null);
  for (const [name, content] of head.meta) meta[name] = content;
  for (const [name, content] of reading.fields) meta[name] = content;
  const feeds = head.feeds.map((href) => resolve(href, base)).filter((url) => url !== '');
  const visible = reading.blocks.all();
  if (kept.length < visible.length || kept.length > 8 * visible.length + (1 << 20))
    kept = Buffer.allocUnsafeSlow(Math.max(1 << 16, visible.length));
  const text = gather(verdict, BLOCK.main, 0);
  return {
    bytes: true,
    title: head.title,
    text,
    boilerplate: gather(verdict, BLOCK.boilerplate, text.length),
    visible,
    astral: reading.blocks.astral,
    headings: reading.headings.map(({ level, text, anchor }) =>
      anchor === '' ? { level, text } : { level, text, anchor },
    ),
    links,
    meta,
    canonical: canonical === '' ? '' : resolve(canonical, base),
    refresh: target === '' ? null : { url: target, seconds: refresh!.seconds },
    lang:
      declaredLanguage(head.lang, headerOf(input.headers, 'content-language'), equiv.get('content-language') ?? '') ||
      guessOf(text) ||
      guessOf(visible),
    charset,
    robots: robotsFlags(
      head.meta,
      input.headers,
      (settings.agent ?? '').toLowerCase(),
      /no-cache/i.test(equiv.get('pragma') ?? ''),
    ),
    dates: { published: dates.published, modified: dates.modified },
    ...(feeds.length === 0 ? {} : { feeds }),
    base,
    problems,
  };
}

/** Of ASCII no string is made. */
const guessOf = (text: Buffer): string => (isAscii(text) ? guessLanguageOfAscii(text) : guessLanguage(text.toString()));

/** The page with its strings, links resolved; lets go of it. */
export function parsedOf(view: PageView, url: string): ParsedPage {
  const { bytes: _, text, boilerplate, visible, astral: __, base, links: raw, ...said } = view;
  const links = resolveLinks(raw, base);
  raw.release();
  const { refresh } = said;
  if (refresh !== null && !links.some((link) => link.url === refresh.url))
    links.push({ url: refresh.url, anchor: '', from: 'refresh' });
  return {
    ...said,
    text: text.toString(),
    boilerplate: boilerplate.toString(),
    visible: visible.toString(),
    links,
    ...(base === url ? {} : { base }),
  };
}

/** Selectors are compiled once an object. */
const known = new WeakMap<PageSelectors, CompiledSelectors | string | null>();
function compiled(selectors: PageSelectors | undefined, problems: string[]): CompiledSelectors | null {
  if (selectors === undefined) return null;
  let found = known.get(selectors);
  if (found === undefined) {
    try {
      found = compileSelectors(selectors);
    } catch (error) {
      found = (error as Error).message;
    }
    known.set(selectors, found);
  }
  if (typeof found !== 'string') return found;
  problems.push(found);
  return null;
}

/** The blocks of one verdict, a line each, copied to `kept` from `at` on. */
function gather(verdict: Uint8Array, wanted: number, at: number): Buffer {
  const { out, from, to, count } = reading.blocks;
  // Neighbouring blocks are neighbours in the buffer too: they are copied in runs.
  let end = at;
  for (let b = 0; b < count; b++) {
    if (verdict[b] !== wanted) continue;
    const start = from[b]!;
    while (b + 1 < count && verdict[b + 1] === wanted) b++;
    if (end > at) kept[end++] = 10;
    end += out.copy(kept, end, start, to[b]!);
  }
  return kept.subarray(at, end);
}

/** What links are resolved against, where a base element says so; an odd one is a problem of the page. */
export function baseOf(said: string, url: string, problems: string[]): string {
  if (said === '') return url;
  const base = resolve(said, url);
  if (/^https?:/.test(base) || (base.startsWith('file:') && url.startsWith('file:'))) return base;
  problems.push('its base is no web address');
  return url;
}

/** '' for what is no address. */
function resolve(href: string, base: string): string {
  return URL.canParse(href, base) ? new URL(href, base).href : '';
}

/** Each that says something new, by address, text and `rel`: which of them count is for who follows them. */
function resolveLinks(raw: RawLinks, base: string): PageLink[] {
  const resolveLink = createResolve(base);
  const links: PageLink[] = [];
  const resolved = new Map<string, string>();
  const met = new Set<string>();
  for (let i = 0; i < raw.count; i++) {
    const href = raw.href(i);
    const anchor = raw.anchor(i);
    const rel = raw.rel[i]!;
    const from = raw.place[i]!;
    let url = resolved.get(href);
    if (url === undefined) {
      url = resolveLink(href);
      resolved.set(href, url);
    }
    if (url === '') continue;
    // `URL` leaves no line break in an address, and the length parts `rel` from the text, whatever stands in them.
    const link = `${url}\n${rel.length} ${rel}${anchor}`;
    if (met.has(link)) continue;
    met.add(link);
    if (from !== '') links.push(rel === '' ? { url, anchor, from } : { url, anchor, rel, from });
    else links.push(rel === '' ? { url, anchor } : { url, anchor, rel });
  }
  return links;
}

/** `Link: <https://...>; rel="canonical"`. */
function canonicalOf(header: string): string {
  return /<([^>]*)>\s*;[^,]*\brel\s*=\s*"?[^",;]*\bcanonical\b/i.exec(header)?.[1] ?? '';
}

function parsePlain(input: PageInput): ParsedPage {
  const { charset } = detectCharset(input.body, input.contentType, { meta: false });
  const text = decodeText(input.body, charset)
    .replace(/^\ufeff/, '')
    .replaceAll('\0', '');
  const lines = text.split(/\r\n?|\n/).map((line) => line.replace(/[\s\u00a0]+/g, ' ').trim());
  const whole = Buffer.from(lines.filter((line) => line !== '').join('\n')).toString();
  const title = clean(lines.find((line) => line !== '') ?? '').slice(0, 200);
  return {
    title: Buffer.from(title).toString(),
    text: whole,
    boilerplate: '',
    visible: whole,
    headings: [],
    links: plainLinks(whole),
    meta: {},
    canonical: canonicalOf(headerOf(input.headers, 'link')),
    refresh: null,
    lang: declaredLanguage('', headerOf(input.headers, 'content-language'), '') || guessLanguage(whole),
    charset,
    robots: robotsFlags(new Map(), input.headers, '', false),
    dates: { published: '', modified: datesOf([], new Map(), [], headerOf(input.headers, 'last-modified')).modified },
    problems: [],
  };
}

/** Addresses written out in a text. */
export function plainLinks(text: string): PageLink[] {
  const found = new Set<string>();
  for (const [raw] of text.matchAll(/\bhttps?:\/\/[^\s<>"'`{}|\\^\u3000-\u303f\uff00-\uffef]{3,2000}/gi)) {
    let href = raw.replace(/[.,;:!?*_~]+$/, '');
    while (href.endsWith(')') && !href.includes('(')) href = href.slice(0, -1).replace(/[.,;:!?]+$/, '');
    const url = resolve(href, 'http://invalid/');
    if (url !== '' && found.size < 5000) found.add(url);
  }
  return [...found].map((url) => ({ url, anchor: '' }));
}
