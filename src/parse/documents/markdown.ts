import { Marked } from 'marked';
import type { ParsedPage } from '../../page/parsed.ts';
import { decodeText, detectCharset } from '../charset.ts';
import type { PageInput } from '../page.ts';

const marked = new Marked({ gfm: true, async: false });

/** Markdown, through HTML: `read` reads that. A title of its front matter, else its first heading, is the title. */
export function readMarkdown(input: PageInput, read: (html: Uint8Array) => ParsedPage): ParsedPage {
  const { charset } = detectCharset(input.body, input.contentType, { meta: false });
  const source = decodeText(input.body, charset).replace(/^\ufeff/, '');
  const front = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(source);
  const said =
    front === null ? '' : (/^title:\s*(.+)$/m.exec(front[1]!)?.[1] ?? '').trim().replace(/^(["'])(.*)\1$/, '$2');
  const text = front === null ? source : source.slice(front[0].length);
  let html: string;
  const problems: string[] = [];
  try {
    html = marked.parse(text) as string;
  } catch {
    // It recurses, and gives up on some thousand nested quotes: what stands there is text all the same.
    html = text.replace(/[&<]/g, (sign) => (sign === '&' ? '&amp;' : '&lt;')).replace(/\n+/g, '<br>');
    problems.push('its Markdown cannot be read, so it is taken for plain text');
  }
  const page = read(Buffer.from(`<main>${html}</main>`));
  const title = said || page.headings[0]?.text || (page.visible.split('\n')[0] ?? '').slice(0, 200);
  return { ...page, title: Buffer.from(title).toString(), charset, problems: [...page.problems, ...problems] };
}
