import { logNormal, mix, unit } from './seeded.ts';
import type { Web } from './web.ts';
import { inventedWord, PARAGRAPHS, paragraphs, phrase } from './words.ts';

/** What a host is called in addresses, with its port: `127.0.0.1:8080`. */
export type Authority = (host: number) => string;

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * Makes the bytes of pages. A page is stitched from ready paragraphs, so what it costs is copying: see bench/lab.
 * Each page has words of its own (its number, spelled in syllables): a search can ask for one page and know it found it.
 */
export class PageMaker {
  readonly #web: Web;
  readonly #authority: Authority;
  readonly #ready = new Map<string, readonly Uint8Array[]>();

  constructor(web: Web, authority: Authority) {
    this.#web = web;
    this.#authority = authority;
    for (const language of Object.keys(web.options.languages))
      this.#ready.set(language, paragraphs(language, web.options.seed));
  }

  /** A word that this page has and hardly another: what to search for to find it. */
  ownWord(host: number, page: number): string {
    return `${inventedWord('en', this.#web.id(host, page))}ium`;
  }

  title(host: number, page: number): string {
    const web = this.#web;
    const seed = mix(web.options.seed, web.id(host, page), 211);
    return `${phrase(web.language(host, page), seed, 2 + (seed % 4))} ${this.ownWord(host, page)}`;
  }

  /** ETag of a page that answers with a body, without making it. */
  etag(host: number, page: number, epoch: number): string {
    const web = this.#web;
    const kind = web.kind(host, page);
    const shown = kind === 'duplicate' ? web.original(host, page) : page;
    return `"${web.options.seed.toString(36)}-${web.id(host, shown).toString(36)}-${web.version(host, shown, epoch)}"`;
  }

  body(host: number, page: number, epoch: number): Buffer {
    const kind = this.#web.kind(host, page);
    if (kind === 'duplicate') return this.body(host, this.#web.original(host, page), epoch);
    return this.#make(host, kind === 'near' ? this.#web.original(host, page) : page, page, epoch);
  }

  /** `like` gives the text, `page` the sentence that tells a near duplicate from its original. */
  #make(host: number, like: number, page: number, epoch: number): Buffer {
    const web = this.#web;
    const { seed, sizeKB, sizeSigma } = web.options;
    const id = web.id(host, like);
    const language = web.language(host, like);
    const ready = this.#ready.get(language)!;
    const version = web.version(host, page, epoch);
    const title = escapeHtml(this.title(host, like));
    const wanted = Math.min(1 << 20, logNormal(unit(seed, id, 223), unit(seed, id, 227), sizeKB * 1024, sizeSigma));

    let head = `<!DOCTYPE html>\n<html lang="${language}"><head><meta charset="utf-8"><title>${title}</title>\n`;
    if (web.kind(host, page) === 'noindex') head += '<meta name="robots" content="noindex">\n';
    head += `</head><body>\n<header><nav><a href="/">Home</a></nav></header>\n<main><h1>${title}</h1>\n`;
    head += `<p>${this.ownWord(host, page)} ${phrase(language, mix(seed, id, 229 + version), 6)}.</p>\n`;

    const pieces: Uint8Array[] = [Buffer.from(head)];
    let size = 0;
    for (let i = 0; size < wanted; i++) {
      const paragraph = ready[mix(seed, id, 300 + i) % PARAGRAPHS]!;
      if (i % 8 === 7) pieces.push(Buffer.from(`<h2>${phrase(language, mix(seed, id, 5000 + i), 3)}</h2>\n`));
      pieces.push(paragraph);
      size += paragraph.length;
    }

    let links = '<ul>\n';
    for (const link of page === like ? web.links(host, page) : []) {
      const path = web.path(link.host, link.page);
      const href = link.host === host ? path : `http://${this.#authority(link.host)}${path}`;
      links += `<li><a href="${href}">${this.ownWord(link.host, link.page)}</a></li>\n`;
    }
    links += '</ul></main>\n<footer><p>A page of a synthetic web.</p></footer></body></html>\n';
    pieces.push(Buffer.from(links));
    return Buffer.concat(pieces);
  }

  robots(host: number): Buffer {
    const delay = this.#web.crawlDelayMs(host);
    let text = 'User-agent: *\nDisallow: /private/\n';
    if (delay) text += `Crawl-delay: ${delay / 1000}\n`;
    if (this.#web.hasSitemap(host)) text += `Sitemap: http://${this.#authority(host)}/sitemap.xml\n`;
    return Buffer.from(text);
  }

  /** Addresses in one sitemap file, as the protocol limits them; a host with more has an index of several. */
  static readonly SITEMAP_URLS = 50_000;

  /** `part` -1: the file that robots.txt names. Lists plain pages; null where there is no such file. */
  sitemap(host: number, part: number): Buffer | null {
    const web = this.#web;
    const size = web.pagesOf(host);
    const parts = Math.ceil(size / PageMaker.SITEMAP_URLS);
    if (!web.hasSitemap(host) || part >= parts || (part >= 0 && parts === 1)) return null;
    const base = `http://${this.#authority(host)}`;
    const lines = ['<?xml version="1.0" encoding="UTF-8"?>'];
    const name = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
    if (part < 0 && parts > 1) {
      lines.push(`<sitemapindex ${name}>`);
      for (let i = 0; i < parts; i++) lines.push(`<sitemap><loc>${base}/sitemap-${i}.xml</loc></sitemap>`);
      lines.push('</sitemapindex>');
    } else {
      lines.push(`<urlset ${name}>`);
      const first = Math.max(0, part) * PageMaker.SITEMAP_URLS;
      for (let page = first; page < Math.min(size, first + PageMaker.SITEMAP_URLS); page++)
        if (web.kind(host, page) === 'page') lines.push(`<url><loc>${base}${web.path(host, page)}</loc></url>`);
      lines.push('</urlset>');
    }
    return Buffer.from(`${lines.join('\n')}\n`);
  }
}
