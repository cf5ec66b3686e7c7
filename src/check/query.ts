import { parseQuery, queryText } from '../../index/index.ts';
import { pageSchema } from '../fields/schema.ts';
import { defaults } from '../options.ts';

const fields = new Set(pageSchema(defaults.index).fields.map(({ name }) => name));

/** One query: `{query, fields?}` -> `{query, problems, text}`, as a tree, with what was odd, and written back. */
export function check(line: Record<string, unknown>): unknown {
  const { query } = line;
  if (typeof query !== 'string') return { error: 'query is missing: a string' };
  const known = Array.isArray(line.fields) ? new Set(line.fields) : fields;
  const parsed = parseQuery(query, { isField: (name) => known.has(name) });
  return { query: parsed.query, problems: parsed.problems, text: queryText(parsed.query) };
}
