/**
 * A search session: one snapshot of the published index, asked; `reload` steps on to the newest commit. Reads only: needs
 * no lock, writes nothing, works in a folder that cannot be written to.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Column,
  type Directory,
  escapeHtml,
  FsDirectory,
  findLive,
  openSnapshot,
  openSuggest,
  Searcher,
  type SearchResult,
  type Snapshot,
  type Suggest,
} from '../../index/index.ts';
import { CrawlError } from '../errors.ts';
import { sectionAt } from '../fields/sections.ts';
import { finalLoss, isLossesFile, type Losses, readLosses } from '../jobs/losses.ts';
import { decodeNear, isNearFile, type NearGroups } from '../jobs/near-file.ts';
import { isSuggestFile } from '../jobs/suggest-file.ts';
import type { Answer, Ask, Hit } from './answer.ts';
import type { PlaceOfHit } from './places.ts';

/** Hits counted before those that cannot be shown are passed over: on most sites all. */
const COUNT_TO = 10_000;
/** Units of the passage shown. */
const PASSAGE = 200;

export interface SearchSession {
  /** Documents that can be found. */
  readonly documents: number;
  search(query: string, ask: Ask): Answer;
  /** Whole titles and headings that occur, best first. */
  suggest(prefix: string, limit: number): readonly string[];
  /** The stored fields of one document; null when it cannot be found. */
  document(id: string): Promise<{ readonly segment: string } | null>;
  /** The index was made with this crawl segment. */
  holds(segment: string): boolean;
  /** What an id lost to as a duplicate. */
  duplicate(id: string): Promise<{ readonly winner: string; readonly rule: string } | null>;
  /** The group of documents with nearly the same text that an id is in: its best one, and how many there are. */
  near(id: string): Promise<{ readonly leader: string; readonly pages: number } | null>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

export interface SessionOptions {
  /** Names that mean about the same, as `readSynonyms` gives them. */
  readonly synonyms?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Where a page leads, and how its place is told. */
  readonly placeOf?: ((url: string) => PlaceOfHit) | undefined;
}

/** @throws CrawlError 'missing-input' when nothing was ever published; IndexError 'corrupt' | 'too-new' */
export async function openSearch(folder: string, options: SessionOptions = {}): Promise<SearchSession> {
  return new Session(folder, options);
}

class Session implements SearchSession {
  private readonly folder: string;
  private readonly options: SessionOptions;
  private readonly directory: Directory;
  private snapshot: Snapshot | null;
  private searcher: Searcher | null = null;
  private suggestions: Suggest | null = null;
  private losses: Losses | null = null;
  private groups: NearGroups | null | undefined;

  constructor(folder: string, options: SessionOptions) {
    this.folder = folder;
    this.options = options;
    this.directory = new FsDirectory(folder);
    this.snapshot = existsSync(folder) ? openSnapshot(this.directory) : null;
  }

  get documents(): number {
    return this.snapshot?.docs ?? 0;
  }

  holds(segment: string): boolean {
    const crawled = this.snapshot?.commit.user.crawled?.split(' ') ?? [];
    return crawled.some((stamp) => stamp.split('@')[0] === segment);
  }

  search(query: string, ask: Ask): Answer {
    const { synonyms } = this.options;
    const groups = this.nearGroups();
    this.searcher ??= new Searcher(this.published(), {
      prior: { field: 'boost' },
      aliases: { date: 'modified' },
      ...(synonyms ? { synonyms } : {}),
      ...(groups ? { columns: { near: groups.groups.map(columnOf) } } : {}),
    });
    const group = ask.near === undefined ? (ask.group ?? 'near') : 'none';
    const isGrouped = group === 'near' ? groups !== null : group !== 'none';
    const value = ask.near === undefined ? 0 : this.groupOf(ask.near);
    if (ask.near !== undefined && value === 0)
      return {
        total: 0,
        isTotalExact: true,
        hits: [],
        problems: [`There are no pages with nearly the text of ${ask.near.slice(0, 200)}.`],
      };
    // Without a word, all that the filter lets through, or all of the group.
    const narrow = (ask.narrow ?? []).map(
      ({ field, value }) => ({ kind: 'phrase', field, text: value, slop: 0 }) as const,
    );
    const filters = [...((ask.filter ?? '').trim() === '' ? [] : [ask.filter!]), ...narrow];
    const isWordless = query.trim() === '' && (ask.near !== undefined || filters.length > 0);
    const asked = isWordless ? ({ kind: 'all' } as const) : query;
    const result = this.searcher.search(asked, {
      countTo: COUNT_TO,
      ...(isGrouped ? { group: { field: group } } : {}),
      ...(value > 0 ? { only: { field: 'near', value } } : {}),
      limit: ask.limit,
      from: ask.from,
      highlight: { title: 0, text: PASSAGE, headings: PASSAGE },
      stored: ['id', 'url', 'title', 'modified', 'fetched', 'type', 'lang', 'robots', 'sections', 'description'],
      ...(ask.sort === undefined ? {} : { sort: ask.sort }),
      ...(filters.length === 0 ? {} : { filter: filters }),
      ...(ask.facets === undefined ? {} : { facets: ask.facets }),
      ...(ask.lang === undefined ? {} : { lang: ask.lang }),
      ...(ask.timeLimit === undefined ? {} : { timeLimit: ask.timeLimit }),
      ...(ask.explain ? { explain: true } : {}),
    });
    const facet = ask.facets?.find((field) => result.facets && !Object.hasOwn(result.facets, field));
    const unmet = unmetOf(result, facet, this.searcher.columns);
    return { ...answerOf(result, query, this.options.placeOf), ...(Object.keys(unmet).length > 0 ? { unmet } : {}) };
  }

  suggest(prefix: string, limit: number): readonly string[] {
    const snapshot = this.published();
    if (!this.suggestions) {
      const file = [...snapshot.commit.extras.keys()].find(isSuggestFile);
      if (!file) return [];
      this.suggestions = openSuggest(snapshot.extra(file)!, file);
    }
    return this.suggestions.ask(prefix, limit).map(({ text }) => text);
  }

  async document(id: string): Promise<{ readonly segment: string } | null> {
    for (const reader of this.snapshot?.segments ?? []) {
      const doc = findLive(reader, id);
      if (doc >= 0) return { segment: String(reader.stored(doc, reader.fieldIds(['segment'])).segment ?? '') };
    }
    return null;
  }

  async duplicate(id: string): Promise<{ readonly winner: string; readonly rule: string } | null> {
    if (!this.losses) {
      const file = [...(this.snapshot?.commit.extras.keys() ?? [])].find(isLossesFile);
      this.losses = file ? readLosses(join(this.folder, file)) : new Map();
    }
    return finalLoss(this.losses, id);
  }

  async near(id: string): Promise<{ readonly leader: string; readonly pages: number } | null> {
    const value = this.groupOf(id);
    if (value === 0) return null;
    const { groups, leaders } = this.nearGroups()!;
    let pages = 0;
    for (const group of groups) for (let doc = 0; doc < group.length; doc++) if (group[doc] === value) pages++;
    let doc = leaders[value - 1]!;
    let leader = '';
    for (const reader of this.published().segments) {
      if (doc >= 0 && doc < reader.docs) leader = String(reader.stored(doc, reader.fieldIds(['id'])).id);
      doc -= reader.docs;
    }
    return { leader, pages };
  }

  /** The number of the group that a document is in, 0 for none. */
  private groupOf(id: string): number {
    const groups = this.nearGroups();
    for (const [i, reader] of (groups ? this.published().segments : []).entries()) {
      const doc = findLive(reader, id);
      if (doc >= 0) return groups!.groups[i]![doc]!;
    }
    return 0;
  }

  private nearGroups(): NearGroups | null {
    if (this.groups !== undefined) return this.groups;
    const file = [...this.published().commit.extras.keys()].find(isNearFile);
    return (this.groups = file ? decodeNear(this.published().extra(file)!, file, this.published().segments) : null);
  }

  async reload(): Promise<void> {
    const next = existsSync(this.folder) ? openSnapshot(this.directory) : null;
    if (next && next.commit.generation === this.snapshot?.commit.generation) return next.close();
    const before = this.snapshot;
    this.snapshot = next;
    this.searcher = null;
    this.suggestions = null;
    this.losses = null;
    this.groups = undefined;
    before?.close();
  }

  async close(): Promise<void> {
    this.snapshot?.close();
    this.snapshot = null;
    this.searcher = null;
  }

  private published(): Snapshot {
    if (this.snapshot) return this.snapshot;
    throw new CrawlError(
      'missing-input',
      `nothing is published in ${this.folder}; run nuthatch crawl or nuthatch index first`,
      {
        where: this.folder,
      },
    );
  }
}

/** Group 0 is no group. */
function columnOf(values: Uint32Array): Column {
  const present = new Int32Array((values.length + 31) >>> 5);
  for (let doc = 0; doc < values.length; doc++) if (values[doc] !== 0) present[doc >>> 5]! |= 1 << (doc & 31);
  return { kind: 'u32', values, present };
}

function answerOf(result: SearchResult, query: string, placeOf: SessionOptions['placeOf']): Answer {
  const { total, isTotalExact, suggestion, facets, moreFacets, problems } = result;
  return {
    total,
    isTotalExact,
    hits: result.hits.map((hit) => hitOf(hit, plain(query), placeOf)),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(facets
      ? {
          facets: Object.fromEntries(
            Object.entries(facets).map(([field, values]) => [
              field,
              values.map(({ value, count }) => ({ value: String(value), count })),
            ]),
          ),
        }
      : {}),
    ...(moreFacets ? { moreFacets } : {}),
    ...(problems.length > 0 ? { problems: problems.map(({ message }) => message) } : {}),
  };
}

function unmetOf(
  { problems }: SearchResult,
  facet: string | undefined,
  columns: readonly string[],
): NonNullable<Answer['unmet']> {
  const sort = problems.find(({ code }) => code === 'no-sort')?.message;
  const group = problems.find(({ code }) => code === 'no-group')?.message;
  return {
    ...(sort === undefined ? {} : { sort }),
    ...(group === undefined ? {} : { group }),
    ...(facet === undefined
      ? {}
      : { facets: `There is no field "${facet.slice(0, 40)}" to count. Fields that can be: ${columns.join(', ')}.` }),
  };
}

/** A title or a query by its words alone: case, signs and spaces apart. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

/** Who asks for a page by its title wants the page: its hit names no section, wherever the passage is from. */
function hitOf(
  { key, score, fields, highlights, explain, group }: SearchResult['hits'][number],
  asked: string,
  placeOf: SessionOptions['placeOf'],
): Hit {
  const { url, title, modified, fetched, type, lang, robots } = fields;
  // Where neither page nor server names a date, the index has the time of the fetch: no news to a person.
  // A number that is no date comes from a document that was added before such were refused.
  const isDated = typeof modified === 'number' && modified !== fetched && !Number.isNaN(new Date(modified).getTime());
  const first = (value: unknown): string =>
    Array.isArray(value) ? String(value[0] ?? '') : value === undefined ? '' : String(value);
  const place = placeOf && url !== undefined ? placeOf(first(url)) : {};
  const mayShow = !String(robots ?? '').includes('nosnippet');
  const isAskedFor = asked !== '' && plain(first(title)) === asked;
  const section =
    mayShow && !isAskedFor && highlights?.text ? sectionOf(fields, highlights.text, place.link) : undefined;
  return {
    id: key ?? '',
    ...(url === undefined ? {} : { url: first(url) }),
    ...place,
    title: first(title),
    score,
    snippet: mayShow ? snippetOf(fields, highlights) : '',
    ...(section ? { section } : {}),
    ...(isDated ? { modified: new Date(modified).toISOString() } : {}),
    ...(type === undefined ? {} : { type: first(type) }),
    ...(lang === undefined ? {} : { lang: first(lang) }),
    ...(group && group.more > 0 ? { more: group.more } : {}),
    ...(explain ? { explanation: explained(explain, 0).join('\n') } : {}),
  };
}

/**
 * The passage with what was found. A page that was found by its title, its address, links to it or its menus alone has
 * none: then what it says of itself, else how it begins.
 */
function snippetOf(
  { description }: SearchResult['hits'][number]['fields'],
  { text, headings }: SearchResult['hits'][number]['highlights'] = {},
): string {
  for (const passage of [text, headings]) if (passage && passage.ranges.length > 0) return passage.html;
  return (typeof description === 'string' && escapeHtml(description)) || text?.html || headings?.html || '';
}

/** The section that the first mark of the passage lies in, with its address. */
function sectionOf(
  { url, sections }: SearchResult['hits'][number]['fields'],
  { start, ranges }: { readonly start: number; readonly ranges: readonly (readonly [number, number])[] },
  link: string | undefined,
): Hit['section'] {
  if (sections === undefined || ranges.length === 0 || typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const section = sectionAt(sections, start + ranges[0]![0]);
  if (!section) return undefined;
  const address = new URL(link ?? url);
  address.hash = section.anchor;
  return { ...section, url: address.href };
}

type Explained = NonNullable<SearchResult['hits'][number]['explain']>;
const explained = ({ value, description, details }: Explained, depth: number): string[] => [
  `${'  '.repeat(depth)}${value.toPrecision(5)} ${description}`,
  ...details.flatMap((detail) => explained(detail, depth + 1)),
];
