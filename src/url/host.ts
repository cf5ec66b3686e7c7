import { getDomain, getPublicSuffix, parse } from 'tldts';

/** The host of an absolute address, lower-case as written by `URL`, without port; '' when it has none. */
export function hostOf(url: string): string {
  const colon = url.indexOf('://');
  if (colon < 0) return '';
  let end = colon + 3;
  for (; end < url.length; end++) {
    const code = url.charCodeAt(end);
    if (code === 47 || code === 63 || code === 35) break;
  }
  const authority = url.slice(colon + 3, end);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  const port = host.lastIndexOf(':');
  return (port > host.lastIndexOf(']') ? host.slice(0, port) : host).toLowerCase();
}

/**
 * The registered domain of a host by the public suffix list (its private part too: `a.github.io` is a domain of its
 * own). An address, a single label, or a host that is itself a suffix is its own domain.
 */
export function domainOf(host: string): string {
  const known = domains.get(host);
  if (known !== undefined) return known;
  const plain = host.endsWith('.') ? host.slice(0, -1) : host;
  const domain = getDomain(plain, { allowPrivateDomains: true, validateHostname: false }) ?? plain;
  if (domains.size >= 10_000) domains.clear();
  domains.set(host, domain);
  return domain;
}
/** A lookup costs microseconds and links come in runs of few hosts; bounded, so that no crawl can fill memory. */
const domains = new Map<string, string>();

/** The public suffix of a host (`co.uk`), '' when it has none or is an address. */
export const suffixOf = (host: string): string =>
  (/^[\d.]+$|^\[/.test(host) ? '' : getPublicSuffix(host.endsWith('.') ? host.slice(0, -1) : host)) ?? '';

/** True for a name below a suffix that registries give out, such as `example.org`; not for `wiki.corp` or an address. */
export const isPublicName = (host: string): boolean => parse(host).isIcann === true;
