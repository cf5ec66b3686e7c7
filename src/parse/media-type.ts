/**
 * What a body is: what the server says, corrected by its first bytes and its name where a server says nothing, or says
 * what it says of everything. And which kinds are not worth their bytes to a search engine, so that a fetch can end after
 * the headers.
 */

/** `text/html` of `Text/HTML; charset=x`; '' for what is none. */
export function mediaType(contentType: string): string {
  if (contentType !== lastSaid) {
    lastType = typeIn(contentType);
    lastSaid = contentType;
  }
  return lastType;
}
/** Pages of a site say the same, and each is asked several times. */
let lastSaid = '';
let lastType = '';

function typeIn(contentType: string): string {
  const said = contentType.trimStart();
  const end = said.search(/[;,\s]/);
  const type = (end < 0 ? said : said.slice(0, end)).toLowerCase();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : '';
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

/** Word, Excel and PowerPoint of before 2007, by the names that servers use. */
export const OLD_OFFICE =
  /^application\/(?:(?:x-)?ms-?(?:word|excel|powerpoint)|vnd\.ms-(?:excel|powerpoint|word)|x-ole-storage)$/;

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
  // Programs save RTF and HTML under the name of Word and Excel.
  if (OLD_OFFICE.test(said) && (start === 'application/rtf' || start === 'text/html')) return start;
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
  if (head.startsWith('\xd0\xcf\x11\xe0')) return 'application/x-ole-storage';
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

const NEVER =
  /^(?:image\/(?!svg)|audio\/|video\/|font\/|model\/|application\/(?:font|x-font|vnd\.ms-fontobject|java-archive|vnd\.debian|x-(?:7z|rar|bzip|xz|tar|iso9660|msdownload|msdos|dosexec|shockwave|apple-diskimage|debian|rpm|java|shar|executable)|vnd\.(?:android\.package|apple\.installer|rar|sqlite3)|wasm|ogg|mp4|zstd))/;
/** Archives and unknown bytes, unless the name says that it is a document or a sitemap. */
const DOUBTFUL = /^application\/(?:zip|x-zip(?:-compressed)?|gzip|x-gzip|octet-stream)$|^binary\/octet-stream$/;
const DOCUMENT_NAME = /\.(?:pdf|docx?|pptx?|xlsx?|od[tps]|epub|rtf|html?|xhtml|xml|txt|md|csv|json)(?:\.gz)?$/i;
const BINARY_NAME =
  /\.(?:zip|t?gz|tar|bz2|xz|7z|rar|jar|war|exe|msi|dmg|iso|bin|img|deb|rpm|apk|so|dll|woff2?|ttf|otf|mp[34]|avi|mkv|mov|flac|jpe?g|png|gif|webp)$/i;

/** Whether a body of this type under this path can hold text for us. Decided before it is read. */
export function wanted(type: string, path: string): boolean {
  if (NEVER.test(type)) return false;
  if (!DOUBTFUL.test(type)) return true;
  const name = path.split('?')[0]!;
  return DOCUMENT_NAME.test(name) || !BINARY_NAME.test(name);
}
