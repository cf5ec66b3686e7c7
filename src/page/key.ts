/**
 * The order of crawldb and of every sorted part: a domain together, in it each host together.
 *
 *     key  := site ' ' scheme [':' port] ['@' user] ' ' rest       for an address with an authority
 *           | ' ' scheme ':' ' ' rest                              for one without (mailto:, data:)
 *     site := the host's labels reversed, joined by ','; an IP address as it is
 *     rest := path, query and fragment
 *
 * `https://www.example.com/a?b` is `com,example,www https /a?b`. Blank and comma sort before every character of a label,
 * so the pages of `example.com` are one range, and those of it and all its sub-domains are one too (joined by '.', the
 * pages of `example-b.com` would lie among them). The key of an address as `URL` writes it is ASCII, so its order as text
 * is its order as bytes. One to one: `urlOf(keyOf(url)) === url`.
 */
export function keyOf(url: string): string {
  const colon = url.indexOf(':');
  if (url.charCodeAt(colon + 1) !== 47 || url.charCodeAt(colon + 2) !== 47)
    return ` ${url.slice(0, colon)}: ${url.slice(colon + 1)}`;
  const start = colon + 3;
  let end = start;
  for (; end < url.length; end++) {
    const code = url.charCodeAt(end);
    if (code === 47 || code === 63 || code === 35) break;
  }
  const scheme = url.slice(0, colon);
  const authority = url.slice(start, end);
  const at = authority.lastIndexOf('@');
  const bracket = authority.lastIndexOf(']');
  const portAt = authority.lastIndexOf(':');
  const hostEnd = portAt > at && portAt > bracket ? portAt : authority.length;
  const host = authority.slice(at + 1, hostEnd);
  const port = authority.slice(hostEnd);
  const user = at < 0 ? '' : `@${authority.slice(0, at)}`;
  return `${siteOf(host)} ${scheme}${port}${user} ${url.slice(end)}`;
}

export function urlOf(key: string): string {
  const first = key.indexOf(' ');
  const second = key.indexOf(' ', first + 1);
  const scheme = key.slice(first + 1, second);
  const rest = key.slice(second + 1);
  if (scheme.charCodeAt(scheme.length - 1) === 58) return scheme + rest;
  const at = scheme.indexOf('@');
  const user = at < 0 ? '' : `${scheme.slice(at + 1)}@`;
  const plain = at < 0 ? scheme : scheme.slice(0, at);
  const colon = plain.indexOf(':');
  const host = hostOfSite(key.slice(0, first));
  return colon < 0
    ? `${plain}://${user}${host}${rest}`
    : `${plain.slice(0, colon)}://${user}${host}${plain.slice(colon)}${rest}`;
}

/** The last one is kept: links come in runs of a host. */
export function siteOf(host: string): string {
  if (host === lastHost) return lastSite;
  lastHost = host;
  lastSite = ADDRESS.test(host) ? host : host.replaceAll(',', '%2C').split('.').reverse().join(',');
  return lastSite;
}
let lastHost = '';
let lastSite = '';
/** IPv4 in dots, or IPv6 in brackets. */
const ADDRESS = /^\[|^\d+\.\d+\.\d+\.\d+$/;

export const hostOfSite = (site: string): string =>
  ADDRESS.test(site) ? site : site.split(',').reverse().join('.').replaceAll('%2C', ',');

/** Where the keys of a host begin and end, `[gte, lt)`, whatever port and scheme. */
export const hostRange = (host: string): { gte: string; lt: string } => ({
  gte: `${siteOf(host)} `,
  lt: `${siteOf(host)}!`,
});
/** The same for a domain: its own pages and those of all its sub-domains. */
export const domainRange = (domain: string): { gte: string; lt: string } => ({
  gte: `${siteOf(domain)} `,
  lt: `${siteOf(domain)}-`,
});

/** The site part of a key: up to the first blank. */
export const siteOfKey = (key: string): string => key.slice(0, key.indexOf(' '));
