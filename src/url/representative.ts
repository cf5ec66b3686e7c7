/**
 * Which of two addresses stands for a page that redirects. Another registered domain: the target. A permanent redirect:
 * the source when it is the root of its site, else the target. A temporary one: the root, when one of both is; on one
 * host the shorter path (in segments, then in characters); else the host with fewer labels. Ties: the source.
 * Source: Nutch URLUtil.chooseRepr. An address that is none makes the target stand.
 */
import { domainOf } from './host.ts';

export function representative(from: string, to: string, permanent: boolean): string {
  const source = URL.canParse(from) ? new URL(from) : null;
  const target = URL.canParse(to) ? new URL(to) : null;
  if (!source || !target || domainOf(source.hostname) !== domainOf(target.hostname)) return to;
  const sourceRoot = isRoot(source);
  const targetRoot = isRoot(target);
  if (permanent) return sourceRoot ? from : to;
  if (sourceRoot !== targetRoot) return sourceRoot ? from : to;
  if (!sourceRoot && source.hostname === target.hostname) {
    const segments = segmentsOf(target) - segmentsOf(source);
    if (segments !== 0) return segments > 0 ? from : to;
    return fileOf(target).length < fileOf(source).length ? to : from;
  }
  return labelsOf(target) < labelsOf(source) ? to : from;
}

const isRoot = (url: URL): boolean => url.pathname === '/' && url.search === '';
const segmentsOf = (url: URL): number => url.pathname.split('/').filter((segment) => segment !== '').length;
const fileOf = (url: URL): string => url.pathname + url.search;
const labelsOf = (url: URL): number => url.hostname.split('.').length;
