/**
 * Where a hit leads, and how its place is told. A browser follows no link from a page of the web to a file, and readers on
 * other machines have none of these paths: `search.links` says under which address people reach a folder.
 */
import { fileRoots, fileUrlOf, isFile, looksLikePath } from '../url/files.ts';

export interface PlaceOfHit {
  /** The address under which people reach it, where `search.links` names one. */
  readonly link?: string;
  /** Of a file that has no such address: its path below the folder that was crawled, for people. */
  readonly path?: string;
}

const asFolder = (address: string): string => (address.endsWith('/') ? address : `${address}/`);

/**
 * `links`: by folder (path or address) the address that stands in its stead; of several that fit the longest. `named` and
 * `seeds` open the folders of files, as in `fileRoots`.
 */
export function placesOf(
  links: Readonly<Record<string, string>>,
  named: readonly string[],
  seeds: readonly string[],
): (url: string) => PlaceOfHit {
  const mapped = Object.entries(links)
    .map(([from, to]) => [asFolder((looksLikePath(from) && fileUrlOf(from)) || from), asFolder(to)] as const)
    .sort(([a], [b]) => b.length - a.length);
  const roots = fileRoots(named, seeds);
  return (url) => {
    const found = mapped.find(([from]) => url.startsWith(from));
    if (found) return { link: `${found[1]}${url.slice(found[0].length)}` };
    const root = isFile(url) ? roots.find((one) => url.startsWith(one)) : undefined;
    return root !== undefined && url.length > root.length ? { path: readable(url.slice(root.length)) } : {};
  };
}

/** A name whose bytes are no UTF-8 stays as the address writes it. */
const readable = (path: string): string =>
  path
    .split('/')
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    })
    .join('/');
