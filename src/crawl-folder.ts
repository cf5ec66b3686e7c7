import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CrawlError } from './errors.ts';
import { defaults, type HostOptions, type Options, optionKeys, type Settled } from './options.ts';
import { type Origins, settle } from './settle.ts';
import { makeFolder, writeWhole } from './store/whole.ts';

/**
 * What makes a folder a crawl folder: `nuthatch.json`, which says what wrote it and with which options.
 *
 *     { "format": 1, "created": ISO 8601, "by": "nuthatch 0.1.0", "options": { group: { key: value } }, "seeds": [url] }
 *
 * `options` are those that were given when the folder was made, without defaults and without what may hold credentials
 * (`withoutSecrets`), which is to be given each time. `seeds` are the accepted seeds, in the order they came: the scope of the crawl rests on them.
 */
export interface CrawlFile {
  readonly format: number;
  readonly created: string;
  readonly by: string;
  readonly options: Options;
  readonly seeds: readonly string[];
}

export const FORMAT = 1;
export const crawlFile = (dir: string): string => join(dir, 'nuthatch.json');

/**
 * Null when there is no crawl folder at `dir` (or no folder at all).
 * @throws CrawlError 'too-new' for a folder of a later nuthatch, 'damaged' when the file is not what it should be
 */
export function readCrawlFile(dir: string): CrawlFile | null {
  const path = crawlFile(dir);
  if (existsSync(dir) && !statSync(dir).isDirectory())
    throw new CrawlError('usage', `${dir} is a file, not a crawl folder; name another with --dir`, { where: dir });
  if (!existsSync(path)) {
    if (['crawldb', 'segments', 'index'].some((part) => existsSync(join(dir, part))))
      throw new CrawlError('damaged', `${dir} holds a crawl but no nuthatch.json; put it back from a copy`, {
        where: path,
      });
    return null;
  }
  let read: Partial<CrawlFile>;
  try {
    read = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new CrawlError('damaged', `${path} cannot be read; put it back from a copy`, { where: path, cause });
  }
  if (typeof read?.format !== 'number')
    throw new CrawlError('damaged', `${path} does not say its format; put it back from a copy`, { where: path });
  if (read.format > FORMAT)
    throw new CrawlError(
      'too-new',
      `${dir} was written by ${read.by ?? 'a newer nuthatch'} in format ${read.format}; this one reads up to ${FORMAT}: use a newer nuthatch`,
      { where: path },
    );
  return {
    format: read.format,
    created: read.created ?? '',
    by: read.by ?? '',
    options: read.options ?? {},
    seeds: read.seeds ?? [],
  };
}

/** Writes it whole or not at all. */
export function writeCrawlFile(dir: string, file: CrawlFile): void {
  makeFolder(dir);
  writeWhole(crawlFile(dir), `${JSON.stringify({ ...file, options: withoutSecrets(file.options) }, null, 2)}\n`);
}

/** Without `net.headers`, `net.login`, passphrases of keys, and a proxy that is told a password. */
export function withoutSecrets({ net = {}, ...groups }: Options): Options {
  const { headers: _headers, login: _login, proxy, hosts, ...rest } = net;
  const plain: Options['net'] = {
    ...rest,
    ...(proxy !== undefined && !proxy.includes('@') ? { proxy } : {}),
    ...(hosts ? { hosts: Object.fromEntries(Object.entries(hosts).map(([host, own]) => [host, unlocked(own)])) } : {}),
  };
  return { ...(Object.keys(plain).length > 0 ? { net: plain } : {}), ...groups };
}

const unlocked = ({ passphrase: _secret, ...own }: HostOptions): HostOptions => own;

export const noCrawl = (dir: string): CrawlError =>
  new CrawlError('missing-input', `there is no crawl in ${dir}; make one with nuthatch crawl URL`, { where: dir });

/** Options as they hold in a crawl folder: defaults, those its first run kept, and over them what a call gives. */
export interface FolderOptions {
  readonly options: Settled;
  /** Without defaults. */
  readonly given: Options;
  /** Where each option was written that is no default. */
  readonly origins: Origins;
}

/** @throws CrawlError 'config', naming the file of the folder where the fault is in there */
export function folderOptions(
  dir: string,
  file: CrawlFile | null,
  call: Options = {},
  origins: Origins = new Map(),
): FolderOptions {
  const kept = new Map<string, string>();
  for (const [group, keys] of Object.entries(file?.options ?? {})) {
    if (!(group in defaults)) kept.set(group, crawlFile(dir));
    for (const key of Object.keys(keys ?? {})) kept.set(`${group}.${key}`, crawlFile(dir));
  }
  const all = new Map([...kept, ...origins]);
  const given = layered(file?.options ?? {}, call);
  return { options: settle(given, all), given, origins: all };
}

/** Options that `dir` keeps, that are no defaults, and that `call` does not give anew: path and value as it holds. */
export function keptOptions(dir: string, call: Options): (readonly [path: string, value: unknown])[] {
  const file = readCrawlFile(dir);
  if (!file) return [];
  const of = (options: Options, path: string): unknown => {
    const [group, key] = path.split('.') as ['net', 'delay'];
    return options[group]?.[key];
  };
  const kept = folderOptions(dir, file).options;
  return optionKeys
    .filter((path) => of(file.options, path) !== undefined && of(call, path) === undefined)
    .filter((path) => JSON.stringify(of(kept, path)) !== JSON.stringify(of(defaults as Options, path)))
    .map((path) => [path, of(kept, path)] as const);
}

/** Both levels of `over` laid over `under`. */
function layered(under: Options, over: Options): Options {
  const both: Record<string, unknown> = { ...under };
  for (const [group, keys] of Object.entries(over)) {
    const below = (under as Record<string, unknown>)[group];
    const mixed = isGroup(below) && isGroup(keys) ? { ...below, ...keys } : keys;
    Object.defineProperty(both, group, { value: mixed, enumerable: true, configurable: true, writable: true });
  }
  return both;
}
const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
