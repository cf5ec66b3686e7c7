import { attributeValue } from './references.ts';
import { A, T } from './tags.ts';
import { KIND, type Tape } from './tape.ts';

/**
 * CSS selectors of the config, for what of a page is its main text, what is not to be indexed, and what goes into fields
 * of its own. What they know: `tag`, `*`, `.class`, `#id`, `[attribute]`, `[attribute=value]` with `~=`, `^=`, `$=`,
 * `*=`; `a b` and `a > b`; lists by comma. Tags are those of HTML, attributes those that are kept of a page (tags.ts).
 */
export interface PageSelectors {
  /** Elements that hold the main text; what lies outside becomes boilerplate. */
  readonly include?: readonly string[];
  /** Elements that are not indexed at all. */
  readonly exclude?: readonly string[];
  /** Name -> selector: the text of the first ten matches goes into `meta[name]`. */
  readonly fields?: Readonly<Record<string, string>>;
}

interface Compound {
  /** 0: any. */
  readonly tag: number;
  readonly tests: readonly { readonly attribute: number; readonly operator: string; readonly value: string }[];
  /** How the one before it must lie: an ancestor, or the parent. */
  readonly before: 'ancestor' | 'parent';
}
/** Its last compound first. */
type Selector = readonly Compound[];

/** @throws SyntaxError that names the selector and what of it is not understood */
export function compileSelector(source: string): readonly Selector[] {
  return source.split(/,(?![^[]*\])/).map((one) => {
    const compounds: Compound[] = [];
    const token =
      /\s*(>)\s*|(\s+)(?=\S)|([a-zA-Z][\w-]*|\*)|\.((?:[\w-]|[^\x00-\x7f])+)|#((?:[\w-]|[^\x00-\x7f])+)|\[\s*([\w:-]+)\s*(?:([~^$*]?=)\s*(?:"([^"]*)"|'([^']*)'|([^\]\s]+))\s*)?\]/gy;
    const text = one.trim();
    let tag = 0;
    let tests: { attribute: number; operator: string; value: string }[] = [];
    let before: Compound['before'] = 'ancestor';
    let empty = true;
    const end = (next: Compound['before']): void => {
      if (empty) throw new SyntaxError(`selector "${source}": nothing stands before or after a sign that joins`);
      compounds.unshift({ tag, tests, before });
      [tag, tests, before, empty] = [0, [], next, true];
    };
    const attribute = (name: string): number => {
      const known = (A as Readonly<Record<string, number>>)[name.toLowerCase()];
      if (known === undefined)
        throw new SyntaxError(`selector "${source}": the attribute ${name} is not kept of pages`);
      return known;
    };
    while (token.lastIndex < text.length) {
      const at = token.lastIndex;
      const found = token.exec(text);
      if (found === null) throw new SyntaxError(`selector "${source}": "${text.slice(at)}" is not understood`);
      const [, child, , name, cls, id, attr, operator, quoted, single, bare] = found;
      if (child !== undefined) end('parent');
      else if (name !== undefined) {
        const number = name === '*' ? 0 : (T as Readonly<Record<string, number>>)[name.toLowerCase()];
        if (number === undefined) throw new SyntaxError(`selector "${source}": ${name} is no element of HTML`);
        tag = number;
        empty = false;
      } else if (cls !== undefined || id !== undefined || attr !== undefined) {
        if (cls !== undefined) tests.push({ attribute: A.class, operator: '~=', value: cls });
        else if (id !== undefined) tests.push({ attribute: A.id, operator: '=', value: id });
        else
          tests.push({ attribute: attribute(attr!), operator: operator ?? '', value: quoted ?? single ?? bare ?? '' });
        empty = false;
      } else end('ancestor');
    }
    end('ancestor');
    return compounds;
  });
}

/** Selectors, read once for all pages. */
export interface CompiledSelectors {
  readonly include: readonly Selector[];
  readonly exclude: readonly Selector[];
  readonly fields: readonly { readonly name: string; readonly selectors: readonly Selector[] }[];
}

/** Null when there are none. @throws SyntaxError, see compileSelector */
export function compileSelectors(given: PageSelectors): CompiledSelectors | null {
  const { include = [], exclude = [], fields = {} } = given;
  const names = Object.entries(fields);
  if (include.length === 0 && exclude.length === 0 && names.length === 0) return null;
  return {
    include: include.flatMap(compileSelector),
    exclude: exclude.flatMap(compileSelector),
    fields: names.map(([name, selector]) => ({ name: name.toLowerCase(), selectors: compileSelector(selector) })),
  };
}

/** Which entries of a tape the selectors mean. */
export interface Marked {
  readonly include: ReadonlySet<number>;
  readonly exclude: ReadonlySet<number>;
  /** Entry -> names of fields. */
  readonly fields: ReadonlyMap<number, readonly string[]>;
}
const MAX_FIELD_MATCHES = 10;

/** One pass over a tape that was written with `keepAll`. Cost: entries times selectors. */
export function markTape(tape: Tape, selectors: CompiledSelectors): Marked {
  const include = new Set<number>();
  const exclude = new Set<number>();
  const fields = new Map<number, string[]>();
  const matches = new Map<string, number>();
  const open: number[] = [];
  for (let i = 0; i < tape.length; i++) {
    const kind = tape.kind[i];
    if (kind === KIND.close) open.pop();
    if (kind !== KIND.open && kind !== KIND.empty) continue;
    const hit = (selector: Selector): boolean => isMatch(tape, i, open, selector);
    if (kind === KIND.open) {
      if (selectors.include.some(hit)) include.add(i);
      if (selectors.exclude.some(hit)) exclude.add(i);
      for (const { name, selectors: wanted } of selectors.fields) {
        const before = matches.get(name) ?? 0;
        if (before >= MAX_FIELD_MATCHES || !wanted.some(hit)) continue;
        matches.set(name, before + 1);
        fields.set(i, [...(fields.get(i) ?? []), name]);
      }
      open.push(i);
    }
  }
  return { include, exclude, fields };
}

function isMatch(tape: Tape, entry: number, open: readonly number[], selector: Selector): boolean {
  if (!isCompound(tape, entry, selector[0]!)) return false;
  // Nearest ancestors first; a parent that fails sends an ancestor before it further up.
  const search = (at: number, part: number): boolean => {
    if (part === selector.length) return true;
    const parentOnly = selector[part - 1]!.before === 'parent';
    for (let a = at; a >= 0; a--) {
      if (isCompound(tape, open[a]!, selector[part]!) && search(a - 1, part + 1)) return true;
      if (parentOnly) return false;
    }
    return false;
  };
  return search(open.length - 1, 1);
}

function isCompound(tape: Tape, entry: number, { tag, tests }: Compound): boolean {
  if (tag !== 0 && tape.tag[entry] !== tag) return false;
  return tests.every(({ attribute, operator, value }) => {
    const first = tape.from[entry]!;
    for (let a = first; a < first + tape.many[entry]!; a++) {
      if (tape.attribute[a] !== attribute) continue;
      const own = attributeValue(tape.bytes as Buffer, tape.valueFrom[a]!, tape.valueTo[a]!);
      switch (operator) {
        case '':
          return true;
        case '=':
          return own === value;
        case '~=':
          return own.split(/\s+/).includes(value);
        case '^=':
          return value !== '' && own.startsWith(value);
        case '$=':
          return value !== '' && own.endsWith(value);
        default:
          return value !== '' && own.includes(value);
      }
    }
    return false;
  });
}
