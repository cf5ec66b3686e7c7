/**
 * Files of this machine behind the door that servers stand behind: asked for one address, it gives one answer.
 *
 *     a file                 200 with its bytes; its type by its name, Last-Modified and ETag by what the disk says
 *     the same, unchanged    304 to the validators of the answer before
 *     a folder               200 with a page of links to what is in it, not to be indexed; hidden names are left out
 *     another name of it     301 to the one address of it: a folder without its slash, a symbolic link, another spelling
 *     nothing there          404
 *     anything else          a failure with its reason: outside of the open folders, no plain file, not readable
 *
 * Only what really lies below an open folder is given: the path is resolved with all its symbolic links first, and what
 * is opened is looked at again. A FIFO or a device is never opened.
 */
import { constants, lstatSync, type Stats } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Reason } from '../page/reason.ts';
import { fileUrlOf, looksLikePath, segmentOf } from '../url/files.ts';
import type { ByteCount } from './exchange.ts';
import { typeOfName } from './file-types.ts';
import { type Answer, Head, type Request, type Response } from './message.ts';

/** Entries of a folder on one page; the rest is on further ones, `?from=N`. Below the links that are kept of a page. */
const ENTRIES = 10_000;
/** A file is read in pieces, so that one that grows while it is read ends at the limit. */
const PIECE = 1 << 20;
/** Where names are text of 16 bits, addresses are read by Node; else a path is its bytes. */
const WINDOWS = process.platform === 'win32';
type Path = Buffer | string;

export class Files {
  readonly #roots: readonly string[];
  readonly #real = new Map<string, Buffer | null>();
  readonly #count: ByteCount;
  readonly #clock: () => number;

  /** @param roots addresses of the open folders, each with a slash at its end (`fileRoots`) */
  constructor(roots: readonly string[], count: ByteCount, clock: () => number = Date.now) {
    this.#roots = roots;
    this.#count = count;
    this.#clock = clock;
  }

  /** Never rejects. */
  async get(request: Request, maxBody: number): Promise<Answer> {
    const started = this.#clock();
    const begun = performance.now();
    const when = () => ({ ip: '', started, responseMs: Math.round(performance.now() - begun) });
    try {
      const found = await this.#find(request.url);
      if ('reason' in found) return { kind: 'failure', ...found, ...when() };
      const answer =
        found.to !== undefined
          ? plain(301, 'Moved Permanently', [['location', found.to]])
          : found.stats.isDirectory()
            ? await list(request, found.path, found.stats)
            : await this.#read(request, found.path, found.stats, maxBody);
      if ('reason' in answer) return { kind: 'failure', ...answer, ...when() };
      const held = answer.body.length;
      this.#count.add(held);
      return {
        kind: 'response',
        raw: answer.body,
        undecodable: false,
        held,
        release: () => this.#count.add(-held),
        ...answer,
        ...when(),
      };
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        const none = plain(404, 'Not Found', []);
        return { kind: 'response', raw: none.body, undecodable: false, held: 0, release() {}, ...none, ...when() };
      }
      return { kind: 'failure', reason: 'unreadable', detail: message.split(',')[0]!, ...when() };
    }
  }

  /** What an address stands for: the real path, another address, or a refusal. */
  async #find(url: URL): Promise<{ path: Path; stats: Stats; to?: string } | Refused> {
    const root = this.#roots.find((one) => url.href.startsWith(one));
    if (root === undefined) return { reason: 'outside-root', detail: 'no seed and no scope.files names its folder' };
    const path = pathOf(url);
    if (path === null) return { reason: 'url-invalid', detail: 'an escaped slash or NUL is in no name of a file' };
    const real = await realpath(path, 'buffer');
    const stats = await stat(real);
    const to = await this.#addressOf(real, stats.isDirectory(), root);
    if (to === null)
      return { reason: 'outside-root', detail: `it leads to ${real}, outside of the folders that are open` };
    if (to !== url.href.slice(0, url.href.length - url.search.length)) return { path: real, stats, to };
    if (!stats.isDirectory() && !stats.isFile()) return { reason: 'special-file', detail: kindOf(stats) };
    return { path: real, stats };
  }

  /** The one address of a real path: below `root` where it lies there, else below another open folder; null: none. */
  async #addressOf(real: Buffer, folder: boolean, root: string): Promise<string | null> {
    for (const one of [root, ...this.#roots]) {
      const base = await this.#realRoot(one);
      if (base === null) continue;
      if (real.equals(base)) return folder ? one : null;
      const inner = base[base.length - 1] === SLASH ? base : Buffer.concat([base, Buffer.of(SLASH)]);
      if (real.length <= inner.length || !real.subarray(0, inner.length).equals(inner)) continue;
      const rest = real.subarray(inner.length);
      return one + addressed(rest) + (folder ? '/' : '');
    }
    return null;
  }

  async #realRoot(root: string): Promise<Buffer | null> {
    const known = this.#real.get(root);
    if (known !== undefined) return known;
    const path = pathOf(new URL(root));
    // One that is not there holds nothing; that it comes later is for a later round.
    const real = path === null ? null : await realpath(path, 'buffer').catch(() => null);
    this.#real.set(root, real);
    return real;
  }

  async #read(request: Request, path: Path, before: Stats, maxBody: number): Promise<Given | Refused> {
    const name = request.url.pathname;
    const validators = validatorsOf(before);
    if (unchanged(request, validators)) return plain(304, 'Not Modified', validators);
    const type = typeOfName(name);
    const head: Header[] = [...(type === '' ? [] : [['content-type', type] as const]), ...validators];
    const wanted = plain(200, 'OK', head);
    if (request.accept && !request.accept(wanted.head)) return { ...wanted, cut: 'refused' };
    // Without blocking: should a FIFO have taken its place meanwhile, opening it must not wait for a writer.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { reason: 'special-file', detail: kindOf(stats) };
      if (stats.ino !== before.ino || stats.dev !== before.dev)
        return { reason: 'unreadable', detail: 'another file took its place while it was opened' };
      // Some files (below /proc) have a size of 0 and bytes all the same.
      let body = Buffer.allocUnsafeSlow(Math.min(maxBody, Math.max(stats.size, 4096)) + 1);
      let used = 0;
      while (used <= maxBody) {
        if (used === body.length) {
          const larger = Buffer.allocUnsafeSlow(Math.min(maxBody + 1, body.length * 2));
          body.copy(larger, 0, 0, used);
          body = larger;
        }
        const { bytesRead } = await file.read(body, used, Math.min(PIECE, body.length - used), used);
        if (bytesRead === 0) break;
        used += bytesRead;
      }
      const cut = used > maxBody;
      return { ...wanted, body: body.subarray(0, Math.min(used, maxBody)), cut: cut ? 'length' : '' };
    } finally {
      await file.close();
    }
  }
}

interface Refused {
  readonly reason: Reason;
  readonly detail: string;
}
type Given = Pick<Response, 'head' | 'body' | 'cut' | 'problem'>;
type Header = readonly [name: string, value: string];

/** What parts the names of a path on disk. */
const SLASH = WINDOWS ? 0x5c : 0x2f;
const EMPTY = Buffer.alloc(0);

function plain(status: number, text: string, headers: readonly Header[]): Given {
  const raw = headers.flatMap(([name, value]) => [Buffer.from(name, 'latin1'), Buffer.from(value, 'latin1')]);
  return { head: new Head(status, text, raw), body: EMPTY, cut: '', problem: '' };
}

/** The bytes that a path has on disk; null for what no path can be. */
function pathOf(url: URL): Path | null {
  if (url.hostname !== '' || /%(?:2f|00)/i.test(url.pathname)) return null;
  if (WINDOWS) return fileURLToPath(url);
  const plainText = url.pathname.replace(/%[0-9a-f]{2}/gi, (hex) =>
    String.fromCharCode(Number.parseInt(hex.slice(1), 16)),
  );
  return Buffer.from(plainText, 'latin1');
}

/** A path below a root as an address below it. */
function addressed(rest: Buffer): string {
  const parts: string[] = [];
  for (let at = 0; at <= rest.length; ) {
    const cut = rest.indexOf(SLASH, at);
    const end = cut < 0 ? rest.length : cut;
    parts.push(segmentOf(rest.subarray(at, end)));
    at = end + 1;
  }
  return parts.join('/');
}

const kindOf = (stats: Stats): string =>
  stats.isFIFO() ? 'it is a FIFO' : stats.isSocket() ? 'it is a socket' : 'it is a device';

/** The time to the nanosecond where the disk has it, so that two versions of one second differ. */
function validatorsOf(stats: Stats): Header[] {
  const etag = `"${stats.size.toString(16)}-${Math.round(stats.mtimeMs * 1000).toString(16)}-${stats.ino.toString(16)}"`;
  return [
    ['last-modified', new Date(stats.mtimeMs).toUTCString()],
    ['etag', etag],
  ];
}

function unchanged(request: Request, validators: readonly Header[]): boolean {
  const { headers = [] } = request;
  const asked = (name: string): string => headers[headers.indexOf(name) + 1] ?? '';
  const [[, modified], [, etag]] = validators as [Header, Header];
  if (headers.includes('if-none-match')) return asked('if-none-match') === etag;
  return headers.includes('if-modified-since') && asked('if-modified-since') === modified;
}

/** A folder as a page of links. What is in it changes its time, so it has validators like a file. */
async function list(request: Request, path: Path, stats: Stats): Promise<Given> {
  const validators = validatorsOf(stats);
  if (unchanged(request, validators)) return plain(304, 'Not Modified', validators);
  const all = (await readdir(path as string, { withFileTypes: true, encoding: 'buffer' as never })) as unknown as {
    name: Buffer;
    isDirectory(): boolean;
  }[];
  const seen = all.filter(({ name }) => name[0] !== DOT).sort((a, b) => Buffer.compare(a.name, b.name));
  const from = Number(/^\?from=(\d+)$/.exec(request.url.search)?.[1] ?? 0);
  const shown = shownText(`${path.toString().replace(/\/$/, '')}/`);
  let html = `<!doctype html><html><head><meta charset="utf-8"><meta name="robots" content="noindex"><title>${shown}</title></head><body><h1>${shown}</h1><ul>\n`;
  for (const entry of seen.slice(from, from + ENTRIES)) {
    const slash = entry.isDirectory() ? '/' : '';
    html += `<li><a href="./${shownText(segmentOf(entry.name))}${slash}">${shownText(entry.name.toString())}${slash}</a></li>\n`;
  }
  const next = from + ENTRIES;
  if (next < seen.length) html += `<li><a href="?from=${next}">more</a></li>\n`;
  html += '</ul></body></html>\n';
  const hidden = all.length - seen.length;
  const entries = `${seen.length} entr${seen.length === 1 ? 'y' : 'ies'}`;
  return {
    ...plain(200, 'OK', [['content-type', 'text/html; charset=utf-8'], ...validators]),
    body: Buffer.from(html),
    problem: `a folder of ${entries}${hidden > 0 ? `, and ${hidden} hidden that are passed over` : ''}`,
  };
}
const DOT = 46;

const shownText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** For a seed: what a path or an address of a file names. Null: nothing that could be read. */
export async function kindOfFile(url: string): Promise<'file' | 'folder' | null> {
  const path = pathOf(new URL(url));
  const stats = path === null ? null : await stat(path).catch(() => null);
  return stats?.isDirectory() ? 'folder' : stats?.isFile() ? 'file' : null;
}

/** The address of what a path names; a text that is no path stays as it is. */
export function placeOf(text: string): string {
  const url = looksLikePath(text) ? fileUrlOf(text) : null;
  if (url === null) return text;
  const folder = lstatSync(text, { throwIfNoEntry: false })?.isDirectory() === true;
  return folder && !url.endsWith('/') ? `${url}/` : url;
}
