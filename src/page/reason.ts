/**
 * Why a URL ended as it did: one closed list for outcomes, rejections and what `why` prints. A reason is data; its
 * sentence for people is `explain(reason)`.
 */
export const reasons = {
  none: 'nothing has been tried yet',
  ok: 'fetched and parsed',
  'links-only': 'fetched and read for its links alone',
  'not-modified': 'the server says it has not changed',
  'redirected-permanent': 'it redirects permanently to another address',
  'redirected-temporary': 'it redirects temporarily to another address',
  'redirect-loop': 'its redirects lead back to an address already visited',
  'too-many-redirects': 'it redirects more often than allowed',
  'redirect-rejected': 'it redirects to an address that the scope or a filter refuses',
  'redirect-invalid': 'it redirects to something that is no address',
  'http-401': 'the server asks for a login',
  'http-403': 'the server forbids it',
  'http-404': 'there is no such page (404)',
  'http-410': 'the page is gone for good (410)',
  'http-4xx': 'the server refused the request',
  'http-429': 'the server asks for fewer requests',
  'http-5xx': 'the server failed',
  'http-other': 'the server answered with a status that means nothing here',
  'robots-denied': 'robots.txt forbids it',
  'crawl-delay': 'robots.txt asks for a longer delay than is allowed',
  'robots-unreachable': 'robots.txt could not be had, so nothing of the host may be fetched yet',
  dns: 'the host name does not resolve',
  connect: 'no connection to the host could be made',
  tls: 'no secure connection (TLS) to the host could be made',
  timeout: 'the server did not answer in time',
  reset: 'the connection broke off',
  protocol: 'the answer was not HTTP',
  'address-refused': 'the host lies in a private, loopback or link-local range that no seed names',
  'outside-root': 'it lies outside of the folders that seeds or scope.files name',
  'special-file': 'it is neither a file nor a folder',
  unreadable: 'it could not be read from the disk',
  'too-large': 'the body is larger than allowed',
  'bad-encoding': 'the content encoding could not be undone',
  'not-parsed': 'its type is none that can be read',
  'parse-failed': 'it could not be read',
  'parse-died': 'reading it took too much time or memory',
  empty: 'it has no text',
  noindex: 'the page asks not to be indexed',
  folder: 'a folder is read for what is in it, and is no page itself',
  sitemap: 'a sitemap is read for the pages it names, and is no page itself',
  canonical: 'the page names another address as its canonical one',
  'host-failing': 'its host failed too often in this round',
  interrupted: 'the round ended before its turn came',
  'time-limit': 'the round reached its time limit before its turn came',
  'too-slow': 'the round was ended before its turn came, since it fetched too few pages a second',
  'scheme-refused': 'its scheme is none that is fetched',
  'url-invalid': 'it is no address',
  'url-too-long': 'the address is longer than allowed',
  'out-of-scope': 'it lies outside the scope of the crawl',
  filtered: 'a URL filter refuses it',
  trap: 'its address looks like a trap',
  nofollow: 'the link says nofollow',
  'too-deep': 'it lies deeper than allowed',
  forgotten: 'crawldb does not know it any more',
  unlinked: 'no page has linked to it for long',
} as const;
export type Reason = keyof typeof reasons;

/** How what was read for the addresses in it alone, and did its work, ends: nothing of it is missing anywhere. */
export const listings: readonly Reason[] = ['folder', 'sitemap'];

/** One plain sentence fragment, without full stop. */
export const explain = (reason: Reason): string => reasons[reason];
