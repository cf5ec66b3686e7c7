import { decodeText, detectCharset } from '../charset.ts';
import { type DocumentText, Lines } from './text.ts';

/** Rows of a table that are read. */
const MAX_ROWS = 50_000;

/**
 * Comma, semicolon or tab separated values (RFC 4180, leniently): a row a line, cells apart by a blank. A quote within a
 * bare cell is a character like others; a quoted cell may hold line breaks. Never throws. Cost: linear.
 */
export function readTable(body: Uint8Array, contentType: string): DocumentText {
  const { charset } = detectCharset(body, contentType, { meta: false });
  const source = decodeText(body, charset).replace(/^\ufeff/, '');
  const separator = /tab-separated/.test(contentType) ? '\t' : separatorOf(source);
  const lines = new Lines();
  let rows = 0;
  let cellStart = true;
  let i = 0;
  while (i < source.length && rows < MAX_ROWS && !lines.cut) {
    const c = source[i]!;
    if (cellStart && c === '"') {
      let end = i + 1;
      for (;;) {
        end = source.indexOf('"', end);
        if (end < 0 || source[end + 1] !== '"') break;
        end += 2;
      }
      lines.add(source.slice(i + 1, end < 0 ? source.length : end).replaceAll('""', '"'));
      i = end < 0 ? source.length : end + 1;
      cellStart = false;
    } else if (c === separator) {
      lines.add(' ');
      cellStart = true;
      i++;
    } else if (c === '\n' || c === '\r') {
      lines.end();
      rows++;
      cellStart = true;
      i++;
    } else {
      let end = i;
      while (end < source.length && source[end] !== separator && source[end] !== '\n' && source[end] !== '\r') end++;
      lines.add(source.slice(i, end));
      cellStart = false;
      i = end;
    }
  }
  const cut = lines.cut || rows >= MAX_ROWS;
  const text = lines.text();
  return {
    title: text.slice(0, 200).split('\n')[0] ?? '',
    text,
    charset,
    problems: cut ? [`only its first ${rows} rows are read`] : [],
  };
}

/** The one that the first line has most of. */
function separatorOf(source: string): string {
  const line = source.slice(0, 4096).split(/[\r\n]/)[0] ?? '';
  const count = (sign: string): number => line.split(sign).length;
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best));
}
