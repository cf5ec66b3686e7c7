/**
 * Resolves the links of one page: `new URL(href, base).href`, or '' for what is no address.
 *
 * Most links are a name in the folder of the page, a path, a fragment, or steps up and a name, in plain characters: for
 * them the answer is two strings joined. Whatever is not surely of that kind goes to `URL`. Cost: bench/url.bench.ts.
 */
export function createResolve(base: string): (href: string) => string {
  if (!URL.canParse(base)) return () => '';
  const url = new URL(base);
  // Cut at the signs, not by `url.hash` and `url.search`, which are empty for a sign with nothing behind it.
  const whole = url.href.split('#', 1)[0]!;
  const page = whole.split('?', 1)[0]!;
  /** Scheme and authority; then the folder, which begins and ends with a slash. */
  const origin = page.slice(0, page.length - url.pathname.length);
  const folder = page.slice(0, page.lastIndexOf('/') + 1);
  /** An empty query is kept by some and dropped by others: left to URL. */
  const hashed = !whole.endsWith('?');
  const web = url.protocol === 'http:' || url.protocol === 'https:';

  return (href) => {
    const first = href.charCodeAt(0);
    if (web && hashed && first === HASH && plain(href, 0)) return whole + href;
    if (web && first === SLASH && href.charCodeAt(1) !== SLASH && plain(href, 1)) return origin + href;
    if (!web || first === HASH || first === SLASH || href === '') return resolved(href, url);
    let at = 0;
    let end = folder.length;
    while (href.startsWith('../', at)) {
      at += 3;
      // Up from `/` leads to `/`.
      if (end > origin.length + 1) end = folder.lastIndexOf('/', end - 2) + 1;
    }
    // A colon in the first segment may end a scheme; after `../` it cannot.
    return plain(href, at) && (at > 0 || !startsWithScheme(href)) && !startsWithQuery(href, at)
      ? (end === folder.length ? folder : folder.slice(0, end)) + (at > 0 ? href.slice(at) : href)
      : resolved(href, url);
  };
}

function resolved(href: string, base: URL): string {
  try {
    return new URL(href, base).href;
  } catch {
    return ''; // no address: that is the answer, not an error
  }
}

const HASH = 35;
const SLASH = 47;
const DOT = 46;
const QUERY = 63;
const PERCENT = 37;

/** What URL leaves as it is in path, query and fragment alike. */
const SAFE = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&()*+,;=:@')
  SAFE[char.charCodeAt(0)] = 1;

/**
 * True when `href` from `at`, where a segment of a path begins, is left by URL as it stands: a path without segments
 * that a dot begins and without escapes (one may be a dot), then perhaps a query and a fragment, which may have escapes.
 */
function plain(href: string, at: number): boolean {
  let path = true;
  let fragment = false;
  let before = SLASH;
  for (; at < href.length; at++) {
    const code = href.charCodeAt(at);
    if (code < 128 && SAFE[code] === 1) {
      if (code === DOT && before === SLASH && path) return false;
    } else if (code === HASH && !fragment) {
      path = false;
      fragment = true;
    } else if (code === QUERY) path = false;
    else if (code !== PERCENT || path) return false;
    before = code;
  }
  return true;
}

function startsWithScheme(href: string): boolean {
  const colon = href.indexOf(':');
  if (colon < 0) return false;
  const slash = href.indexOf('/');
  return slash < 0 || colon < slash;
}

/** `?x` replaces the query of the page, `../?x` does not: only the first begins with it. */
const startsWithQuery = (href: string, at: number): boolean => at === 0 && href.charCodeAt(0) === QUERY;
