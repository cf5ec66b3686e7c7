import { chainNames, createChain, MAX_TERM } from '../../index/index.ts';
import { pageSchema } from '../fields/schema.ts';
import { defaults } from '../options.ts';

/**
 * One text through an analysis chain: `{text, lang?, field?, chain?}` -> `{tokens: [{term, position, start, end}]}`.
 * The chain is that of the field of a page, else the one named, else the one for text. Offsets in UTF-16 units.
 */
export function check(line: Record<string, unknown>): unknown {
  const { text, lang = '', field, chain } = line;
  if (typeof text !== 'string') return { error: 'text is missing: a string' };
  if (typeof lang !== 'string') return { error: 'lang is no string' };
  const spec = field === undefined ? undefined : pageSchema(defaults.index).fields.find(({ name }) => name === field);
  if (field !== undefined && !spec) return { error: `there is no field ${field}` };
  if (chain !== undefined && !chainNames.includes(chain as string))
    return { error: `chain is none of ${chainNames.join(', ')}` };
  const name = (chain as string | undefined) ?? (spec?.index === 'keyword' ? 'keyword' : spec?.analyzer);
  const tokens: { term: string; position: number; start: number; end: number }[] = [];
  const units = new Uint16Array(MAX_TERM + 1);
  createChain(name)!.analyze(text, lang, {
    units,
    token: (length, _hash, position, start, end) =>
      void tokens.push({ term: String.fromCharCode(...units.subarray(0, length)), position, start, end }),
  });
  return { tokens };
}
