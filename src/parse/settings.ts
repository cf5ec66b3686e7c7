import { productTokens } from '../net/robots.ts';
import type { Settled } from '../options.ts';
import type { ReaderName } from './html.ts';
import { compileSelector, type PageSelectors } from './selectors.ts';

/** What parsing may be told. Plain data: it crosses to threads. */
export interface ParseSettings {
  readonly parser?: ReaderName;
  /** Our product token, for robots elements and headers that name a robot. */
  readonly agent?: string;
  /** What the config says of the pages' parts; the same object for every page. */
  readonly selectors?: PageSelectors;
}

/** What the options of a crawl say to parsing; the same object for the same options. */
export function parseSettings(options: Pick<Settled, 'index' | 'net'>): ParseSettings {
  let settings = settled.get(options.index);
  if (settings === undefined) {
    const { parser, include, exclude, extract } = options.index;
    settings = {
      parser,
      agent: productTokens(options.net.agent)[0] ?? '',
      selectors: { include, exclude, fields: extract },
    };
    settled.set(options.index, settings);
  }
  return settings;
}

/** The first selector of the options that is none: its key, and what is wrong. Null: all are. */
export function badSelector(index: Settled['index']): { readonly key: string; readonly reason: string } | null {
  const given = [
    ...index.include.map((selector) => ['index.include', selector] as const),
    ...index.exclude.map((selector) => ['index.exclude', selector] as const),
    ...Object.entries(index.extract).map(([name, selector]) => [`index.extract.${name}`, selector] as const),
  ];
  for (const [key, selector] of given) {
    try {
      compileSelector(selector);
    } catch (error) {
      return { key, reason: (error as Error).message };
    }
  }
  return null;
}
const settled = new WeakMap<object, ParseSettings>();
