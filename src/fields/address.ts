/**
 * The words of an address, for searching: host and path with their escapes undone, without scheme, port, query names and
 * file endings. `https://docs.example.org/red-squirrel/in%20winter.html?lang=en` reads `docs.example.org red-squirrel in
 * winter en`. What cannot be decoded stays as it is.
 */
export function addressWords(url: string): string {
  const match = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^/?#:]*)(?::\d*)?([^?#]*)(?:\?([^#]*))?/i.exec(url);
  if (!match) return url;
  const [, host = '', path = '', query = ''] = match;
  const steps = path.replace(/\.(?:html?|xhtml|php|aspx?|jsp|cgi|pdf|txt|md)$/i, '').split('/');
  const values = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1).replaceAll('+', ' '));
  return [host, ...steps, ...values]
    .filter((part) => part !== '')
    .map(unescaped)
    .join(' ');
}

function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // Not UTF-8 behind the escapes: the bytes mean nothing to a searcher.
    return part;
  }
}

/**
 * The names under which `site:` finds a host: itself and every parent down to its registered domain.
 * `a.b.example.org`, `example.org` -> `a.b.example.org`, `b.example.org`, `example.org`.
 */
export function sitesOf(host: string, domain: string): readonly string[] {
  if (domain === '' || domain === host || !host.endsWith(`.${domain}`)) return [host];
  const labels = host.slice(0, -domain.length - 1).split('.');
  return [...labels.map((_, i) => `${labels.slice(i).join('.')}.${domain}`), domain];
}
