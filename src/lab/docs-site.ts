import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Marked } from 'marked';
import { escapeHtml } from '../serve/html.ts';
import { type Listening, listenOnLoopback } from './listen.ts';

/**
 * A folder of Markdown as a small site, with one of each thing that a crawl meets in the wild.
 *
 *     /                       a list of all pages
 *     /NAME.html              docs/NAME.md, with a menu
 *     /start                  redirects for good to /getting-started.html
 *     /print/glossary.html    the same bytes as /glossary.html: a duplicate
 *     /drafts/ideas.html      robots.txt forbids /drafts/
 *     /changes.html           linked, and not there
 *     /nuthatch.png           linked, and no page
 *
 * Pages carry an ETag and answer 304 to who has them already.
 */
export interface DocsSite extends Listening {
  /** What a crawl should find odd about which path. */
  readonly odd: {
    readonly redirect: string;
    readonly duplicate: readonly [string, string];
    readonly forbidden: string;
    readonly broken: string;
    readonly picture: string;
  };
  /** Paths of all documentation pages, the list included. */
  readonly pages: readonly string[];
  /** Requests so far, path by path. */
  readonly requests: ReadonlyMap<string, number>;
}

interface Served {
  readonly status: number;
  readonly type: string;
  readonly body: string | Uint8Array;
  readonly location?: string;
}

const ODD = {
  redirect: '/start',
  duplicate: ['/glossary.html', '/print/glossary.html'] as const,
  forbidden: '/drafts/ideas.html',
  broken: '/changes.html',
  picture: '/nuthatch.png',
};

/** A picture of one grey-blue dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNQD138HwAEhgI4FYRHpQAAAABJRU5ErkJggg==',
  'base64',
);

/** As GitHub makes them: lower case, words joined by hyphens. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/<[^>]*>/g, '')
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slug(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      // What lies outside of the folder is in the checkout, not on the site.
      if (href.startsWith('../')) return text;
      const to = /^[\w-]+\.md(#.*)?$/.test(href) ? href.replace('.md', '.html') : href;
      return `<a href="${escapeHtml(to)}">${text}</a>`;
    },
  },
});

const frame = (title: string, menu: string, main: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; color-scheme: light dark }
nav a { margin-right: 1rem } pre { overflow: auto; padding: .8rem; border: 1px solid #8884; border-radius: .4rem }
table { border-collapse: collapse } td, th { border: 1px solid #8884; padding: .2rem .6rem; text-align: left; vertical-align: top }
</style>
</head>
<body>
<nav>${menu}</nav>
<main>
${main}</main>
<footer><a href="/">All pages</a> <a href="${ODD.redirect}">Start here</a> <a href="${ODD.forbidden}">Drafts</a>
 <a href="${ODD.broken}">Changes</a> <a href="${ODD.picture}">Picture</a></footer>
</body>
</html>
`;

/** Renders every `*.md` of `folder`; title by the first heading. */
function renderDocs(folder: string): Map<string, Served> {
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { path: `/${file.replace(/\.md$/, '.html')}`, title: /^# (.+)$/m.exec(text)?.[1] ?? file, text };
    });
  const menu = sources.map(({ path, title }) => `<a href="${path}">${escapeHtml(title)}</a>`).join('\n');
  const page = (body: string): Served => ({ status: 200, type: 'text/html; charset=utf-8', body });
  const site = new Map<string, Served>();
  for (const { path, title, text } of sources)
    site.set(path, page(frame(title, menu, markdown.parse(text, { async: false }))));
  const list = sources.map(({ path, title }) => `<li><a href="${path}">${escapeHtml(title)}</a></li>`).join('\n');
  const printing = `<p><a href="${ODD.duplicate[1]}">Glossary for printing</a></p>\n`;
  site.set(
    '/',
    page(frame('nuthatch documentation', menu, `<h1>nuthatch documentation</h1>\n<ul>\n${list}\n</ul>\n${printing}`)),
  );
  site.set(ODD.redirect, { status: 301, type: 'text/plain', body: '', location: '/getting-started.html' });
  site.set(ODD.duplicate[1], site.get(ODD.duplicate[0])!);
  site.set(ODD.forbidden, page(frame('Ideas', menu, '<h1>Ideas</h1><p>A draft that nobody should find.</p>\n')));
  site.set(ODD.picture, { status: 200, type: 'image/png', body: PNG });
  site.set('/robots.txt', { status: 200, type: 'text/plain', body: 'User-agent: *\nDisallow: /drafts/\n' });
  return site;
}

export async function startDocsSite(folder: string): Promise<DocsSite> {
  const site = renderDocs(folder);
  const tags = new Map(
    [...site].map(([path, { body }]) => [path, `"${createHash('sha1').update(body).digest('hex')}"`]),
  );
  const requests = new Map<string, number>();
  const listening = await listenOnLoopback((req, res) => {
    const path = (req.url ?? '/').split('?')[0]!;
    requests.set(path, (requests.get(path) ?? 0) + 1);
    const served = site.get(path);
    if (!served) {
      res.writeHead(404, { 'content-type': 'text/html; charset=utf-8' });
      res.end('<!doctype html><title>Not found</title><p>There is no such page.');
    } else if (served.location) {
      res.writeHead(served.status, { location: served.location }).end();
    } else if (req.headers['if-none-match'] === tags.get(path)) {
      res.writeHead(304, { etag: tags.get(path)! }).end();
    } else {
      res.writeHead(served.status, { 'content-type': served.type, etag: tags.get(path)! });
      res.end(req.method === 'HEAD' ? undefined : served.body);
    }
  });
  const special = new Set<string>([ODD.redirect, ODD.duplicate[1], ODD.forbidden, ODD.picture, '/robots.txt']);
  return { ...listening, odd: ODD, pages: [...site.keys()].filter((path) => !special.has(path)), requests };
}
