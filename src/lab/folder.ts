import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { Parser } from 'htmlparser2';
import { type Answer, loopback, notFound, plainAnswer, type Site } from './site.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.htm': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.txt': 'text/plain',
  '.xml': 'application/xml',
  '.css': 'text/css',
  '.js': 'application/javascript',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
  '.svg': 'image/svg+xml',
};
const isPage = (file: string): boolean => /\.x?html?$/i.test(file);

/** The addresses that the elements of a page lead to, as written; the walk below is its own judge, not the crawler's parser. */
function hrefs(html: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, attributes) {
      const href =
        name === 'a' || name === 'area' ? attributes.href : name === 'iframe' || name === 'frame' ? attributes.src : '';
      if (href) found.push(href);
    },
  });
  parser.end(html);
  return found;
}

/**
 * Any folder of HTML as a site of one host on 127.0.0.1: `/` and folders answer with their `index.html`. Expected of a
 * crawl are the HTML files that links lead to from `start`; the walk that finds them reads every page once, at the
 * first question for counts.
 */
export class FolderSite implements Site {
  readonly hosts = 1;
  readonly #root: string;
  readonly #port: () => number;
  readonly #start: string;
  readonly #files: string[];
  readonly #number = new Map<string, number>();
  #reached: Uint8Array | null = null;

  constructor(root: string, port: () => number, start = '/') {
    this.#root = realpathSync(root);
    this.#port = port;
    this.#start = start;
    this.#files = readdirSync(this.#root, { recursive: true, encoding: 'utf8' })
      .filter(isPage)
      .map((file) => `/${file.split(sep).join('/')}`)
      .sort();
    for (const [i, file] of this.#files.entries()) this.#number.set(file, i);
  }

  get pages(): number {
    return this.#files.length;
  }

  hostName(host: number): string {
    return loopback(host);
  }

  seeds(): string[] {
    return [`http://127.0.0.1:${this.#port()}${this.#start}`];
  }

  /** Path below the root that answers an address, '' when there is none. */
  #fileOf(path: string): string {
    let name: string;
    try {
      name = decodeURIComponent(path);
    } catch {
      return ''; // a percent sign that encodes nothing: no file is called so
    }
    if (name.endsWith('/')) name += 'index.html';
    if (name.includes('\0') || name.split('/').includes('..')) return '';
    return name;
  }

  answer(_host: number, path: string): Answer {
    const bare = path.split('?', 1)[0]!;
    const name = this.#fileOf(bare);
    const page = this.#number.get(name) ?? -1;
    if (bare === '/robots.txt' && page < 0) return { ...notFound(), what: 'robots' };
    const file = join(this.#root, name);
    let stat: ReturnType<typeof statSync>;
    try {
      if (name === '' || (page < 0 && !realpathSync(file).startsWith(this.#root))) return notFound();
      stat = statSync(file);
    } catch {
      return notFound(page); // not there, or not ours to read: the same to a visitor
    }
    if (stat.isDirectory()) return plainAnswer({ status: 301, location: `${bare}/` });
    return plainAnswer({
      page,
      contentType: TYPES[extname(name).toLowerCase()] ?? 'application/octet-stream',
      etag: `"${stat.size.toString(36)}-${Math.floor(stat.mtimeMs).toString(36)}"`,
      body: () => readFileSync(file),
    });
  }

  address(page: number): string {
    const path = this.#files[page]!.split('/').map(encodeURIComponent).join('/');
    return `http://127.0.0.1:${this.#port()}${path}`;
  }

  #walk(): Uint8Array {
    const reached = new Uint8Array(this.#files.length);
    const base = 'http://folder.invalid';
    const waiting = [this.#start];
    const seen = new Set(waiting);
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const page = this.#number.get(this.#fileOf(path));
      if (page === undefined || reached[page]) continue;
      reached[page] = 1;
      const html = readFileSync(join(this.#root, this.#files[page]!), 'latin1'); // the addresses are ASCII enough
      for (const href of hrefs(html)) {
        if (!URL.canParse(href, base + path)) continue;
        const to = new URL(href, base + path);
        if (to.origin !== base || seen.has(to.pathname)) continue;
        seen.add(to.pathname);
        waiting.push(to.pathname);
      }
    }
    return reached;
  }

  denied(): boolean {
    return false;
  }

  expected(page: number): boolean {
    this.#reached ??= this.#walk();
    return this.#reached[page] === 1;
  }

  servable(page: number): boolean {
    return this.expected(page);
  }

  crawlDelayMs(): number {
    return 0;
  }

  limit(): null {
    return null;
  }
}
