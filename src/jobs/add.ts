/** add: documents from elsewhere, a JSON object a line, into the index under their own ids. */
import { type Document, type FieldValue, SegmentBuilder } from '../../index/index.ts';
import { sitesOf } from '../fields/sites.ts';
import type { Counters } from '../run/context.ts';
import { domainOf, hostOf } from '../url/host.ts';
import type { IndexSession } from './index-session.ts';

/** Refused lines that are warned of one by one. */
const MOST_WARNINGS = 20;

/**
 * A line is `{"id" or "url", "title", "text", ...}` with any field of the page schema, or `{"id", "deleted": true}`. Of
 * two lines with one id the later counts. Fields that the index does not have are left out, and named in a warning; a
 * line that cannot be used is counted and warned of, and the others go on.
 *
 * Memory: one builder's budget, whatever the number of lines.
 */
export async function addDocuments(
  session: IndexSession,
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<Counters> {
  const { writer, schema, context } = session;
  const fields = new Map(schema.fields.map((field) => [field.name, field]));
  const unknown = new Set<string>();
  let [added, updated, deleted, rejected, line] = [0, 0, 0, 0, 0];
  let builder = new SegmentBuilder(schema);
  const flush = (): void => {
    if (builder.docs === 0) return;
    const built = builder.write(session.directory, writer.newName());
    updated += writer.attach(built, { replace: true }) + built.replaced.length;
    builder = new SegmentBuilder(schema);
  };
  for await (const text of lines) {
    line++;
    if (text.trim() === '') continue;
    try {
      const given = JSON.parse(text) as Record<string, unknown>;
      const document = documentOf(given, fields, unknown);
      if (given.deleted === true) {
        flush();
        deleted += writer.deleteByKey([document.id as string]);
      } else {
        builder.add(document);
        added++;
      }
    } catch (error) {
      rejected++;
      if (rejected <= MOST_WARNINGS)
        context.onEvent({ kind: 'warning', message: `line ${line} is left out: ${(error as Error).message}` });
    }
    if (builder.full) flush();
  }
  flush();
  if (unknown.size > 0)
    context.onEvent({ kind: 'warning', message: `the index has no field ${[...unknown].sort().join(', ')}; left out` });
  return { added: added - updated, updated, deleted, ...(rejected > 0 ? { rejected } : {}) };
}

function documentOf(
  given: Record<string, unknown>,
  fields: ReadonlyMap<string, { readonly column?: string; readonly index: string }>,
  unknown: Set<string>,
): Document {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw new Error('it is no JSON object');
  const url = typeof given.url === 'string' ? given.url : undefined;
  const key = given.id ?? given.url;
  if ((typeof key !== 'string' && typeof key !== 'number') || key === '') throw new Error('it has neither id nor url');
  const document: Record<string, FieldValue> = { id: String(key) };
  const address = url ?? (/^https?:\/\//.test(String(key)) ? String(key) : undefined);
  if (address !== undefined) {
    const host = hostOf(address);
    document.url = address;
    document.site = [...sitesOf(host, domainOf(host))];
    document.domain = domainOf(host) || host;
  }
  for (const [name, value] of Object.entries(given)) {
    if (name === 'id' || name === 'url' || name === 'deleted' || value === null) continue;
    const field = fields.get(name);
    if (!field || field.column === 'hash128' || name === 'segment') unknown.add(name);
    else document[name] = fieldValue(name, value, field.column);
  }
  return document;
}

function fieldValue(name: string, value: unknown, column: string | undefined): FieldValue {
  if (column === 'f64' || column === 'u32') {
    const number = typeof value === 'number' ? value : typeof value === 'string' ? Date.parse(value) : Number.NaN;
    if (!Number.isFinite(number)) throw new Error(`${name} is neither a number nor a date`);
    return number;
  }
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
  throw new Error(`${name} is neither a text nor a list of texts`);
}
