/**
 * The names under which `site:` finds a host: itself and every parent down to its registered domain.
 * `a.b.example.org`, `example.org` -> `a.b.example.org`, `b.example.org`, `example.org`.
 */
export function sitesOf(host: string, domain: string): readonly string[] {
  if (domain === '' || domain === host || !host.endsWith(`.${domain}`)) return [host];
  const labels = host.slice(0, -domain.length - 1).split('.');
  return [...labels.map((_, i) => `${labels.slice(i).join('.')}.${domain}`), domain];
}
