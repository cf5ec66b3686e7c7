import type { ParsedPage } from '../page/parsed.ts';
import { parseDocument } from '../parse/documents/document.ts';
import type { Unread } from '../parse/documents/kind.ts';
import type { ReaderName } from '../parse/html.ts';
import type { Headers } from '../parse/meta.ts';
import { parsePage } from '../parse/page.ts';
import { bodyOf } from './body.ts';

/**
 * One page: `{url, contentType?, headers?, base64 or html}` -> what parsing makes of it (src/page/parsed.ts). `html`
 * without a type is HTML in UTF-8; a document that cannot be read answers `{unread, detail, contentType}`. `parser` names the reader, where it is not the default.
 */
export function check(line: Record<string, unknown>): { error: string } | ParsedPage | Promise<ParsedPage | Unread> {
  const { url = 'http://localhost/', headers = {}, parser = 'auto' } = line;
  const body = bodyOf(line, 'html');
  if (!(body instanceof Uint8Array)) return body;
  const contentType = line.contentType ?? (typeof line.html === 'string' ? 'text/html; charset=utf-8' : 'text/html');
  if (typeof url !== 'string' || !URL.canParse(url)) return { error: 'url is no absolute address' };
  if (typeof contentType !== 'string') return { error: 'contentType is no string' };
  if (typeof headers !== 'object' || headers === null) return { error: 'headers is no object' };
  if (!READERS.includes(parser as string)) return { error: `parser is none of ${READERS.join(', ')}` };
  const input = { url, contentType, headers: headers as Headers, body };
  const settings = { parser: parser as ReaderName };
  const page = parsePage(input, settings);
  return 'unsupported' in page ? parseDocument(input, settings) : page;
}
const READERS: readonly string[] = ['auto', 'scan', 'exact', 'loose'] satisfies ReaderName[];
