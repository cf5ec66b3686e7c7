import { detectCharset } from '../parse/charset.ts';
import { bodyOf } from './body.ts';

/** The encoding of one page: `{contentType?, base64}` -> `{charset, source}`. */
export function check(line: Record<string, unknown>): unknown {
  const { contentType = '' } = line;
  if (typeof contentType !== 'string') return { error: 'contentType is no string' };
  const body = bodyOf(line, 'html');
  return body instanceof Uint8Array ? detectCharset(body, contentType) : body;
}
