/**
 * What a body is: what the server says, corrected by its first bytes where a server says nothing or says what it says of
 * everything. And which kinds are not worth their bytes to a search engine, so that a fetch can end after the headers.
 */

/** Lower-case, without parameters; '' when the header is absent or no type. */
export function typeOf(contentType: string): string {
  const end = contentType.search(/[;,\s]/);
  const type = (end < 0 ? contentType : contentType.slice(0, end)).toLowerCase();
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? type : '';
}

/** Types that servers give to whatever they do not know. */
const VAGUE = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-unknown',
  'text/plain',
  '*/*',
]);

/**
 * The type to go by. `text/plain` is believed unless the bytes begin like a document: many servers say it of files
 * without a suffix.
 */
export function sniffType(said: string, body: Uint8Array): string {
  const type = typeOf(said);
  if (!VAGUE.has(type)) return type;
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, 512)).toString('latin1');
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (head.startsWith('PK\x03\x04')) return 'application/zip';
  if (head.startsWith('\x1f\x8b')) return 'application/gzip';
  if (head.startsWith('{\\rtf')) return 'application/rtf';
  if (head.startsWith('\xd0\xcf\x11\xe0')) return 'application/x-ole-storage';
  const text = head.replace(/^(?:\xef\xbb\xbf)?(?:\s|<!--.*?-->)*/s, '').toLowerCase();
  if (/^<(?:!doctype html|html|head|body|title|meta|script|h1|p|div|table|br)[\s>/]/.test(text)) return 'text/html';
  if (text.startsWith('<?xml')) return 'application/xml';
  if (type !== '') return type;
  return /[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head) ? 'application/octet-stream' : 'text/plain';
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
