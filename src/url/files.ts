/**
 * Addresses of files of this machine, `file:///folder/name`: how a name is written in one, and which folders are open.
 *
 * A path on disk is bytes; an address has each of them as it is where `URL` leaves it alone in a path, else as `%XX`. So
 * a name has one address, whatever is in it (blanks, `%`, `#`, `?`, other scripts, bytes that are no UTF-8).
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { normalizeUrl } from './normalize.ts';

export const isFile = (url: string): boolean => url.startsWith('file:');
export const isFolder = (url: string): boolean => isFile(url) && (url.endsWith('/') || /\/\?from=\d+$/.test(url));

/** A page of the web does not lead into this machine, though its address be in scope. */
export const leadsInside = (from: string, to: string): boolean => isFile(to) && !isFile(from);

/** What `URL` and the normal form leave raw in a segment of a path. */
const RAW = new Uint8Array(256);
for (const char of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@")
  RAW[char.charCodeAt(0)] = 1;

/** One name of a folder, as a segment of an address. */
export function segmentOf(name: Uint8Array): string {
  let text = '';
  for (const byte of name)
    text += RAW[byte] ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return text;
}

/** The address of a path; relative ones from the folder the process stands in. */
export const fileUrlOf = (path: string): string | null => normalizeUrl(pathToFileURL(resolve(path)).href);

/** `/srv/docs`, `./docs`, `..`, `C:\docs`: what a person types for a place on disk. */
export const looksLikePath = (text: string): boolean => /^(?:\/(?!\/)|\.{1,2}(?:[/\\]|$)|[a-z]:[/\\])/i.test(text);

/**
 * The folders whose files a crawl may read: those that `scope.files` names, and those of the seeds that are files or
 * folders. As addresses, each with a slash at its end; the shortest first, and none that lies in another.
 */
export function fileRoots(named: readonly string[], seeds: readonly string[]): readonly string[] {
  const roots = new Set<string>();
  for (const one of named) {
    const url = isFile(one) ? normalizeUrl(one) : fileUrlOf(one);
    if (url?.startsWith('file:///')) roots.add(url.endsWith('/') ? url : `${url}/`);
  }
  for (const seed of seeds) {
    if (!isFile(seed)) continue;
    const url = normalizeUrl(seed);
    if (url?.startsWith('file:///')) roots.add(url.slice(0, url.lastIndexOf('/') + 1));
  }
  const kept: string[] = [];
  for (const root of [...roots].sort((a, b) => a.length - b.length || (a < b ? -1 : 1)))
    if (!kept.some((above) => root.startsWith(above))) kept.push(root);
  return kept;
}
