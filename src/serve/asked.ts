import { DEEPEST_HIT, MOST_HITS, MOST_SUGGESTIONS, type ServeSettings } from './settings.ts';
import type { Ask } from './source.ts';

/** A request that cannot be served as it stands; the message is one sentence for the person who sent it. */
export class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** What the address of the search page says: `?q=words&page=2&sort=-modified&f=site:example.org&lang=en&near=https://example.org/`. */
export interface PageAsked {
  readonly query: string;
  /** From 1. */
  readonly page: number;
  readonly sort: string;
  readonly narrow: readonly { readonly field: string; readonly value: string }[];
  readonly lang: string;
  /** A page, of which and of those with nearly the same text all are shown. */
  readonly near: string;
}

const bounded = (params: URLSearchParams, name: string, settings: ServeSettings): string => {
  const text = params.get(name) ?? '';
  if (text.length > settings.maxQuery)
    throw new BadRequest(`"${name}" has ${text.length} characters; at most ${settings.maxQuery} are read`);
  return text;
};

const integer = (params: URLSearchParams, name: string, fallback: number, least: number, most: number): number => {
  const text = params.get(name);
  if (text === null || text === '') return fallback;
  if (!/^\d{1,9}$/.test(text)) throw new BadRequest(`"${name}" must be a whole number`);
  const value = Number(text);
  if (value < least || value > most) throw new BadRequest(`"${name}" must lie between ${least} and ${most}`);
  return value;
};

/** Field names are words; anything else in this place is a mistake, or worse. */
const field = (text: string): string => {
  if (!/^-?\w{1,40}$/.test(text)) throw new BadRequest('a field name is made of letters, digits and "_"');
  return text;
};

export function pageAsked(params: URLSearchParams, settings: ServeSettings): PageAsked {
  const pages = Math.floor(DEEPEST_HIT / settings.pageSize);
  const narrow = params.getAll('f').filter((text) => text !== '');
  if (narrow.length > 10) throw new BadRequest('a search can be narrowed at most ten times');
  return {
    query: bounded(params, 'q', settings).trim(),
    page: integer(params, 'page', 1, 1, pages),
    sort: params.get('sort') ? field(params.get('sort')!) : '',
    narrow: narrow.map((text) => {
      const colon = text.indexOf(':');
      if (colon < 1 || text.length > settings.maxQuery) throw new BadRequest('"f" is written field:value');
      return { field: field(text.slice(0, colon)), value: text.slice(colon + 1) };
    }),
    lang: langOf(params),
    near: bounded(params, 'near', settings),
  };
}

const langOf = (params: URLSearchParams): string => {
  const lang = params.get('lang') ?? '';
  if (lang !== '' && !/^[A-Za-z0-9-]{2,35}$/.test(lang))
    throw new BadRequest('"lang" must be a language tag, as in en');
  return lang;
};

export function askOfPage(asked: PageAsked, settings: ServeSettings): Ask {
  return {
    limit: settings.pageSize,
    from: (asked.page - 1) * settings.pageSize,
    facets: settings.facets,
    ...(asked.sort && { sort: asked.sort }),
    ...(asked.narrow.length && { narrow: asked.narrow }),
    ...(asked.lang && { lang: asked.lang }),
    ...(asked.near && { near: asked.near }),
  };
}

/** `/api/search?q=words&limit=10&from=0&sort=-modified&filter=site:example.org&facet=site&group=site&lang=en` */
export function apiAsked(params: URLSearchParams, settings: ServeSettings): { query: string; ask: Ask } {
  const query = bounded(params, 'q', settings);
  const filter = bounded(params, 'filter', settings);
  const facets = params.getAll('facet').map(field);
  if (facets.length > 10) throw new BadRequest('at most ten facets are counted at once');
  const limit = integer(params, 'limit', 10, 0, MOST_HITS);
  const sort = params.get('sort');
  const group = params.get('group');
  const near = bounded(params, 'near', settings);
  const lang = langOf(params);
  if (!params.has('q') && !filter && !near) throw new BadRequest('"q" is missing');
  return {
    query,
    ask: {
      limit,
      from: integer(params, 'from', 0, 0, DEEPEST_HIT - limit),
      ...(sort && { sort: field(sort) }),
      ...(filter && { filter }),
      ...(facets.length && { facets }),
      ...(group && { group: field(group) }),
      ...(near && { near }),
      ...(lang && { lang }),
    },
  };
}

export function suggestAsked(params: URLSearchParams, settings: ServeSettings): { prefix: string; limit: number } {
  return { prefix: bounded(params, 'q', settings), limit: integer(params, 'limit', 8, 1, MOST_SUGGESTIONS) };
}

export const urlAsked = (params: URLSearchParams, settings: ServeSettings): string =>
  bounded(params, 'url', settings).trim();
