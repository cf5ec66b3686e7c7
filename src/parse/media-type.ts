/** `text/html` of `Text/HTML; charset=x`; '' for what is none. */
export function mediaType(contentType: string): string {
  const type = (contentType.split(/[;,]/)[0] ?? '').trim().toLowerCase();
  return /^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : '';
}

/** What servers say when they do not know. */
const VAGUE = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-unknown',
  'unknown/unknown',
  'application/force-download',
  'application/download',
]);

const BY_SUFFIX: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  markdown: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  rtf: 'application/rtf',
  txt: 'text/plain',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odp: 'application/vnd.oasis.opendocument.presentation',
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
};

/**
 * The type by which a body is read: as said, unless the body plainly is something else (a PDF sent as HTML, HTML sent as
 * text of unknown type). Looks at the first 1024 bytes.
 */
export function typeOf(said: string, body: Uint8Array, url: string): string {
  const start = sniffType(body);
  if (VAGUE.has(said)) {
    const bySuffix = BY_SUFFIX[suffixOf(url)];
    if (
      start !== '' &&
      !(start === 'application/zip' && bySuffix !== undefined) &&
      !(start === 'text/plain' && bySuffix !== undefined)
    )
      return start;
    return bySuffix ?? start;
  }
  // Bytes that no page of text begins with.
  if (said.startsWith('text/') || said === 'application/xhtml+xml') {
    if (
      start === 'application/pdf' ||
      start === 'application/zip' ||
      start === 'application/gzip' ||
      start.startsWith('image/')
    )
      return start;
    if (said === 'text/plain' && BY_SUFFIX[suffixOf(url)]?.startsWith('text/')) return BY_SUFFIX[suffixOf(url)]!;
  }
  if (said === 'application/zip' || said === 'application/x-zip-compressed') return BY_SUFFIX[suffixOf(url)] ?? said;
  return said;
}

function suffixOf(url: string): string {
  return /\.([a-z0-9]{1,8})(?:[?#]|$)/i.exec(url.replace(/[?#].*$/, ''))?.[1]?.toLowerCase() ?? '';
}

/** '' when the bytes do not tell. */
function sniffType(body: Uint8Array): string {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 1024)).toString('latin1');
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (head.startsWith('PK\x03\x04')) return 'application/zip';
  if (head.startsWith('\x1f\x8b')) return 'application/gzip';
  if (head.startsWith('{\\rtf')) return 'application/rtf';
  if (head.startsWith('\x89PNG') || head.startsWith('GIF8') || head.startsWith('\xff\xd8\xff')) return 'image/unknown';
  const text = head.replace(/^(\xef\xbb\xbf)?\s*(<!--[\s\S]*?-->\s*)*/, '').toLowerCase();
  if (/^(<!doctype html|<html|<head|<body|<title|<script|<meta|<div|<p[ >]|<h1|<table|<a |<br)/.test(text))
    return 'text/html';
  if (text.startsWith('<?xml')) {
    if (/<html[\s>]/.test(text)) return 'application/xhtml+xml';
    return 'application/xml';
  }
  if (/^<(rss|feed|urlset|sitemapindex)[\s>]/.test(text)) return 'application/xml';
  if (head.length > 0 && !/[\x00-\x08\x0e-\x1a\x1c-\x1f]/.test(head)) return 'text/plain';
  return head.length === 0 ? '' : 'application/octet-stream';
}
