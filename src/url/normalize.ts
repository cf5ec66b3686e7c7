/**
 * One page, one address: an address written in its only form, or null when it is none.
 *
 * What `URL` does (WHATWG): resolving, lower case of scheme and host, IDN to ASCII (UTS 46), default ports, dot segments,
 * blanks around it, tabs and line breaks within. On top of it, each a choice of ours, RFC 3986 section 6.2 in mind:
 * fragment and user info go (they never reach a page of its own), the dot that ends a host goes, runs of slashes in the
 * path become one, `%XX` of an unreserved character is decoded, other hex is upper-cased, a `%` that starts no escape
 * is itself escaped, `[ ] ^ | { } \`` and the quotes that URL leaves are escaped, session ids go.
 * A fixed point: normalising the result changes nothing. Pure. Cost: 0.3 us when the form is right
 * but for a fragment, else 3-6 us.
 */
export function normalizeUrl(input: string, base?: string): string | null {
  const hash = input.indexOf('#');
  if (hash < 0) {
    if (isNormal(input)) return input;
  } else if (input.startsWith('http')) {
    // Of an absolute address the fragment is all behind the first `#`; it goes in any case.
    const plain = input.slice(0, hash);
    if (isNormal(plain)) return plain;
  }
  try {
    let url = new URL(input, base);
    // Decoding an escape or taking a session id away can uncover a dot segment: look again until nothing changes. Each
    // look but the last shortens the address or settles its escapes, so few are needed; the bound is for safety.
    for (let look = 0; look < 8; look++) {
      const normal = formOf(url);
      if (normal === null || normal === url.href) return normal;
      url = new URL(normal);
    }
    return url.href;
  } catch {
    // Not an address: that is the answer, not an error.
    return null;
  }
}

function formOf(url: URL): string | null {
  if (url.protocol === 'file:') return fileForm(url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:' && url.protocol !== 'ftp:')
    return url.hash === '' ? url.href : url.href.split('#')[0]!;
  const host = url.hostname.endsWith('.') ? url.hostname.replace(/\.+$/, '') : url.hostname;
  if (host === '') return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  const path = dropSessionPath(escapes(url.pathname)).replace(/\/{2,}/g, '/');
  const query = dropSessionQuery(escapes(url.search));
  return `${url.protocol}//${userOf(url)}${host}${port}${path}${query}`;
}

/** Whose files are meant, where there are no pages. */
const userOf = (url: URL): string =>
  url.protocol !== 'ftp:' || url.username === ''
    ? ''
    : `${url.username}${url.password === '' ? '' : `:${url.password}`}@`;

/** There is nothing to be asked of a file; of a folder, only for a further page of what is in it (net/file.ts). */
function fileForm(url: URL): string {
  const path = escapes(url.pathname).replace(/\/{2,}/g, '/');
  const query = path.endsWith('/') && /^\?from=[1-9]\d{0,8}$/.test(url.search) ? url.search : '';
  return `file://${url.host}${path}${query}`;
}

/** Percent escapes and the signs that URL leaves raw, in path or query. */
function escapes(part: string): string {
  return part.replace(/%[0-9a-fA-F]{2}|[%"<>[\]^`{|}]/g, (found) => {
    if (found.length === 1) return `%${found.charCodeAt(0).toString(16).toUpperCase()}`;
    const code = Number.parseInt(found.slice(1), 16);
    return isUnreserved(code) ? String.fromCharCode(code) : found.toUpperCase();
  });
}

const isUnreserved = (code: number): boolean =>
  (code >= 97 && code <= 122) ||
  (code >= 65 && code <= 90) ||
  (code >= 48 && code <= 57) ||
  code === 45 ||
  code === 46 ||
  code === 95 ||
  code === 126;

/**
 * Session ids make endless addresses of one page. Only names that mean nothing else go whatever their value; `sid`,
 * which is a story's number on some sites, and `sessionid` go when the value is long and random enough.
 */
const SESSION =
  /^(?:_?(?:jsessionid|phpsessid|aspsessionid[a-z]*|bv_sessionid)=.*|_?(?:sid|sessionid)=[0-9a-z]{16,}(?:[.!-].*)?)$/i;

function dropSessionPath(path: string): string {
  if (!path.includes(';')) return path;
  return path
    .split('/')
    .map((segment) =>
      segment
        .split(';')
        .filter((part, at) => at === 0 || !SESSION.test(part))
        .join(';'),
    )
    .join('/');
}

function dropSessionQuery(search: string): string {
  if (search === '' || !/s(?:ess|id)/i.test(search)) return search;
  const kept = search
    .slice(1)
    .split('&')
    .filter((part) => !SESSION.test(part));
  return kept.length === 0 ? '' : `?${kept.join('&')}`;
}

/**
 * True when the address is surely in its only form. Must never be true of one that is not; may be false of one that is.
 * Wanted: http(s), a host of lower-case labels whose last starts with a letter, or an IPv4 address; a port only where
 * it is not the scheme's own; no user, a path without empty or dot-led segments, and only characters that no step above
 * would touch.
 */
function isNormal(url: string): boolean {
  let at: number;
  if (url.startsWith('https://')) at = 8;
  else if (url.startsWith('http://')) at = 7;
  else return false;
  const length = url.length;
  let label = at;
  for (; at < length; at++) {
    const code = url.charCodeAt(at);
    if (code === 47 || code === 58) break;
    if (code === 46) {
      if (at === label) return false;
      label = at + 1;
    } else if (!((code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45)) return false;
    else if (code === 45 && url.charCodeAt(at + 1) === 45) return false;
  }
  const first = url.charCodeAt(label);
  if (at >= length || at === label) return false;
  if (!(first >= 97 && first <= 122) && !IPV4.test(url.slice(url.indexOf('/') + 2, at))) return false;
  if (url.charCodeAt(at) === 58) {
    const from = ++at;
    let port = 0;
    for (; at < length && at - from < 6; at++) {
      const digit = url.charCodeAt(at) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      port = port * 10 + digit;
    }
    if (url.charCodeAt(at) !== 47 || url.charCodeAt(from) === 48 || at === from || port > 65_535) return false;
    if (port === (url.charCodeAt(4) === 58 ? 80 : 443)) return false;
  }
  let before = 47;
  let query = false;
  for (at++; at < length; at++) {
    const code = url.charCodeAt(at);
    if (code >= 128 || SAFE[code] === 0) {
      if (code !== 63 || query) return false;
      query = true;
    } else if (before === 47 && !query && (code === 47 || code === 46)) return false;
    before = code;
  }
  return !query || (before !== 63 && !/s(?:ess|id)/i.test(url));
}
/** Four numbers as URL writes them; other spellings of an address (octal, fewer parts) it rewrites. */
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?[1-9]\d|1\d\d|\d)\.){3}(?:25[0-5]|2[0-4]\d|1?[1-9]\d|1\d\d|\d)$/;
/** Characters that stand for themselves in path and query; `;` is absent for the sake of session ids. */
const SAFE = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&()*+,=:@')
  SAFE[char.charCodeAt(0)] = 1;
