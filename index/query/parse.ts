/**
 * A line of text to a query. Never throws; what it could not make sense of is read as plain words and listed in `problems`.
 *
 *     red squirrel            both words if there are such documents, else as many as possible
 *     "red squirrel"  "a b"~3 a phrase; with up to three steps between
 *     +red -grey              must be there; must not (when something else is asked for)
 *     red OR grey nest        (red or grey) and nest; AND, NOT and brackets work too
 *     title:nest title:(a b)  in one field, if it is one: any other colon is a sign like others
 *     squir*  s?uir*l  *rel   by prefix; by pattern
 *     squirel~  squirel~2     one or two typing mistakes
 *     size:[10 TO 20}  size:>=10  size:10..20     a range, open at a star
 *     nest^2                  counts twice
 *
 * A minus in front of a word excludes only when there is something to exclude it from; `--force` and `-q` alone are words.
 * Capital AND, OR, NOT are operators between clauses, and words elsewhere.
 */
import type { Clause, Problem, Query } from './query.ts';

export interface ParseOptions {
  /** Is this the name of a field? Only then a colon selects it. Without it no name is. */
  readonly isField?: (name: string) => boolean;
  /** Units of text read; the rest is left out and said so. */
  readonly maxLength?: number;
  /** Words, phrases and patterns read. */
  readonly maxClauses?: number;
}
export interface Parsed {
  readonly query: Query;
  readonly problems: readonly Problem[];
}

const MAX_LENGTH = 32_768;
const MAX_CLAUSES = 1024;
/** Brackets within brackets; deeper ones are ignored. */
const MAX_DEPTH = 64;
const MAX_PROBLEMS = 20;

const SPACE = /\s/u;
const QUOTES = '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d';
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u;
/** Signs that part words even without a space; a comma between digits does not. */
const PARTING = /(?:(?<!\d),|,(?!\d)|[;!\u2026|<>[\]{}\u3001\u3002\uff0c\uff01\uff1f\uff1b])+/u;
const FIELD = /[\p{L}_][\p{L}\p{N}_.-]*:(?=\S)/uy;
/** `-9`: a switch of a command, as in "kill -9"; hardly anybody leaves out a number. */
const SWITCH = /-\p{Nd}+(?=[\s)]|$)/uy;
const RANGE = /([[{])\s*([^\s\]}]+)\s+TO\s+([^\s\]}]+)\s*([\]}])/y;
const COMPARED = /(>=|<=|>|<)([^\s()"]+)/y;
const DOTTED = /([^\s()".]+(?:\.\d+)?|\*)\.\.([^\s()".]+(?:\.\d+)?|\*)(?=$|[\s)])/y;
const BOOST = /\^(\d+(?:\.\d+)?)/y;
const SLOP = /~(\d{1,4})/y;

export function parseQuery(text: string, options: ParseOptions = {}): Parsed {
  const parser = new Parser(text, options);
  return { query: parser.whole(), problems: parser.problems };
}

/** A clause as read: `raw` is what it is worth as plain words. */
interface Item {
  occur: 'must' | 'want' | 'not';
  readonly query: Query;
  readonly raw: Query;
}

class Parser {
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #end: number;
  readonly #maxClauses: number;
  readonly #isField: (name: string) => boolean;
  #at = 0;
  #depth = 0;
  #leaves = 0;

  constructor(text: string, options: ParseOptions) {
    this.#text = text;
    const most = options.maxLength ?? MAX_LENGTH;
    this.#end = Math.min(text.length, most);
    this.#maxClauses = options.maxClauses ?? MAX_CLAUSES;
    this.#isField = options.isField ?? (() => false);
    if (text.length > most) this.#doubt('too-long', `Only the first ${most} characters of the query were read.`, most);
  }

  whole(): Query {
    const items = this.#items(undefined);
    let query = combine(items);
    if (items.length > 0 && items.every((item) => item.occur === 'not')) {
      this.#doubt('only-negative', 'Nothing but exclusions: they were read as plain words.');
      query = combine(items.map((item) => ({ ...item, occur: 'want', query: item.raw })));
    }
    if (query.kind === 'none' && this.problems.every((problem) => problem.code !== 'only-signs'))
      this.#doubt('only-signs', 'There is no word in the query.');
    return query;
  }

  #doubt(code: Problem['code'], message: string, at?: number): void {
    if (this.problems.length < MAX_PROBLEMS)
      this.problems.push(at === undefined ? { code, message } : { code, message, at });
  }

  /** Clauses up to a closing bracket or the end. */
  #items(field: string | undefined): Item[] {
    const items: Item[] = [];
    // Where the next item joins by OR, and how an AND or NOT in front of it marks it.
    let joinsOr = false;
    let occur: 'must' | 'want' | 'not' = 'want';
    while (this.#skipSpace()) {
      const char = this.#text[this.#at]!;
      if (char === ')') {
        if (this.#depth > 0) break;
        this.#doubt('stray-bracket', 'A closing bracket without an opening one was ignored.', this.#at);
        this.#at++;
        continue;
      }
      const operator = this.#operator(items.length > 0 || joinsOr);
      if (operator === 'OR') {
        joinsOr = true;
        continue;
      }
      if (operator === 'AND') {
        const last = items.at(-1);
        if (last && last.occur === 'want') last.occur = 'must';
        if (occur === 'want') occur = 'must';
        continue;
      }
      if (operator === 'NOT') {
        occur = 'not';
        continue;
      }
      const before = this.#at;
      const found = this.#clause(field, occur);
      if (this.#at === before) this.#at++; // nothing here could be read: a sign
      for (const item of found) {
        const last = items.at(-1);
        if (joinsOr && last && item.occur !== 'not' && last.occur !== 'not') {
          items.pop();
          items.push({
            occur: last.occur,
            query: { kind: 'or', of: [...parts(last.query), item.query] },
            raw: { kind: 'or', of: [...parts(last.raw), item.raw] },
          });
        } else items.push(item);
        joinsOr = false;
      }
      if (found.length > 0) occur = 'want';
      if (this.#leaves >= this.#maxClauses) {
        if (this.#skipSpace() && !this.#isDone())
          this.#doubt('too-many-clauses', `Only the first ${this.#maxClauses} words of the query were read.`, this.#at);
        this.#at = this.#end;
      }
    }
    return items;
  }

  #isDone(): boolean {
    for (let i = this.#at; i < this.#end; i++) if (!SPACE.test(this.#text[i]!) && this.#text[i] !== ')') return false;
    return true;
  }

  #skipSpace(): boolean {
    while (this.#at < this.#end && SPACE.test(this.#text[this.#at]!)) this.#at++;
    return this.#at < this.#end;
  }

  /** A capital operator standing alone, with something behind it (and, but for NOT, before it). */
  #operator(hasLeft: boolean): 'AND' | 'OR' | 'NOT' | undefined {
    const word = /(?:AND|OR|NOT)(?=[\s(])/y;
    word.lastIndex = this.#at;
    const found = word.exec(this.#text)?.[0];
    if (!found || (found !== 'NOT' && !hasLeft)) return undefined;
    let next = this.#at + found.length;
    while (next < this.#end && SPACE.test(this.#text[next]!)) next++;
    if (next >= this.#end || this.#text[next] === ')') return undefined;
    this.#at = next;
    return found as 'AND' | 'OR' | 'NOT';
  }

  /** One clause with its sign; a chunk of several words parted by commas gives several. */
  #clause(field: string | undefined, given: 'must' | 'want' | 'not'): Item[] {
    const text = this.#text;
    const start = this.#at;
    let occur = given;
    const sign = text[start]!;
    if (sign === '+' || sign === '-') {
      const next = start + 1 < this.#end ? text[start + 1]! : ' ';
      if (SPACE.test(next)) {
        this.#at++;
        return [];
      }
      SWITCH.lastIndex = start;
      if (next !== '+' && next !== '-' && !SWITCH.test(text)) {
        occur = sign === '+' ? 'must' : 'not';
        this.#at++;
      }
    }
    const signed = this.#at > start;
    const queries = this.#unit(field);
    return queries.map((query) => ({
      occur,
      query,
      raw: signed && sign === '-' && query.kind === 'word' ? { ...query, text: `-${query.text}` } : query,
    }));
  }

  /** A bracket, a phrase, a fielded clause or a chunk of words. */
  #unit(field: string | undefined): Query[] {
    const text = this.#text;
    const at = this.#at;
    const char = text[at]!;
    if (char === '(') return this.#bracket(field);
    if (QUOTES.includes(char)) return this.#phrase(field);
    FIELD.lastIndex = at;
    const named = FIELD.exec(text)?.[0];
    if (named && at + named.length < this.#end) {
      const name = named.slice(0, -1);
      if (this.#isField(name)) {
        this.#at = at + named.length;
        const range = this.#range(name) ?? this.#anyValue(name);
        if (range) return [range];
        const next = text[this.#at]!;
        if (next === '(') return this.#bracket(name);
        if (QUOTES.includes(next)) return this.#phrase(name);
        const found = this.#chunk(name);
        if (found.length > 0) return found;
        this.#at = at;
      }
    }
    return this.#chunk(field);
  }

  /** `field:*`: whatever has a value there. */
  #anyValue(field: string): Query | undefined {
    const next = this.#at + 1 < this.#end ? this.#text[this.#at + 1]! : ' ';
    if (this.#text[this.#at] !== '*' || !(SPACE.test(next) || next === ')')) return undefined;
    if (this.#leaves >= this.#maxClauses) return undefined;
    this.#at++;
    this.#leaves++;
    return { kind: 'range', field, withFrom: true, withTo: true };
  }

  #bracket(field: string | undefined): Query[] {
    const open = this.#at++;
    if (this.#depth >= MAX_DEPTH) {
      if (this.#depth === MAX_DEPTH) this.#doubt('too-deep', 'Brackets too deep within brackets were ignored.', open);
      return [];
    }
    this.#depth++;
    const items = this.#items(field);
    this.#depth--;
    if (this.#at < this.#end && this.#text[this.#at] === ')') this.#at++;
    else this.#doubt('unclosed-bracket', 'A bracket was not closed; it ends with the query.', open);
    const isNegative = items.length > 0 && items.every((item) => item.occur === 'not');
    const query = combine(isNegative ? items.map((item) => ({ ...item, occur: 'want', query: item.raw })) : items);
    return query.kind === 'none' ? [] : [query];
  }

  #phrase(field: string | undefined): Query[] {
    const text = this.#text;
    const open = this.#at;
    let close = open + 1;
    while (close < this.#end && !QUOTES.includes(text[close]!)) close++;
    if (close >= this.#end)
      this.#doubt('unclosed-quote', 'A quote was not closed; the phrase ends with the query.', open);
    const inside = text.slice(open + 1, close).trim();
    this.#at = Math.min(close + 1, this.#end);
    SLOP.lastIndex = this.#at;
    const slop = SLOP.exec(text);
    if (slop) this.#at += slop[0].length;
    const boost = this.#boost();
    if (!SAYS_SOMETHING.test(inside)) return [];
    this.#leaves++;
    return [{ kind: 'phrase', text: inside, slop: slop ? Number(slop[1]) : 0, ...named(field), ...boost }];
  }

  #boost(): { boost?: number } {
    BOOST.lastIndex = this.#at;
    const found = BOOST.exec(this.#text);
    if (!found) return {};
    this.#at += found[0].length;
    return { boost: Math.min(1000, Number(found[1])) };
  }

  #range(field: string): Query | undefined {
    const open = (end: string): string | undefined => (end === '*' ? undefined : end);
    const made = (from: string | undefined, to: string | undefined, withFrom: boolean, withTo: boolean): Query => {
      this.#leaves++;
      return {
        kind: 'range',
        field,
        ...(from === undefined ? {} : { from }),
        ...(to === undefined ? {} : { to }),
        withFrom,
        withTo,
      };
    };
    const match = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = this.#at;
      const found = pattern.exec(this.#text);
      if (found) this.#at += found[0].length;
      return found;
    };
    let found = match(RANGE);
    if (found) return made(open(found[2]!), open(found[3]!), found[1] === '[', found[4] === ']');
    found = match(COMPARED);
    if (found)
      return found[1]![0] === '>'
        ? made(found[2]!, undefined, found[1] === '>=', true)
        : made(undefined, found[2]!, true, found[1] === '<=');
    found = match(DOTTED);
    if (found) return made(open(found[1]!), open(found[2]!), true, true);
    if (this.#text[this.#at] === '[' || this.#text[this.#at] === '{')
      this.#doubt('bad-range', 'A range reads [from TO to]; this one was read as words.', this.#at);
    return undefined;
  }

  /** Everything up to a space, a quote or a bracket. */
  #chunk(field: string | undefined): Query[] {
    const text = this.#text;
    const start = this.#at;
    let end = start;
    while (
      end < this.#end &&
      !SPACE.test(text[end]!) &&
      text[end] !== '(' &&
      text[end] !== ')' &&
      !QUOTES.includes(text[end]!)
    )
      end++;
    this.#at = end;
    let chunk = text.slice(start, end);
    if (!SAYS_SOMETHING.test(chunk)) {
      if (chunk === '*') this.#doubt('only-signs', 'A star alone was passed over; put letters in front of it.', start);
      return [];
    }
    let boost: { boost?: number } = {};
    const weighted = /\^(\d+(?:\.\d+)?)$/.exec(chunk);
    if (weighted) {
      boost = { boost: Math.min(1000, Number(weighted[1])) };
      chunk = chunk.slice(0, weighted.index);
    }
    const out: Query[] = [];
    for (const piece of chunk.split(PARTING)) {
      if (!SAYS_SOMETHING.test(piece) || this.#leaves >= this.#maxClauses) continue;
      this.#leaves++;
      out.push({ ...leaf(piece), ...named(field), ...boost } as Query);
    }
    return out;
  }
}

const named = (field: string | undefined): { field?: string } => (field === undefined ? {} : { field });

/** What a piece without spaces asks for. */
function leaf(piece: string): Query {
  const typo = /^(.*[\p{L}\p{N}])~([12])?$/u.exec(piece);
  if (typo) return { kind: 'fuzzy', text: typo[1]!, edits: typo[2] === '2' ? 2 : 1 };
  // A question mark at the end is one; inside a word it stands for a letter.
  const pattern = piece.replace(/\?+$/u, '');
  if (/[*]|[\p{L}\p{N}*]\?[\p{L}\p{N}*?]|^\?+[\p{L}\p{N}]/u.test(pattern)) {
    const isPrefix = /^[^*?]+\*+$/u.test(pattern);
    if (isPrefix) return { kind: 'prefix', text: pattern.replace(/\*+$/u, '') };
    return { kind: 'wildcard', text: pattern.replace(/\*{2,}/gu, '*') };
  }
  return { kind: 'word', text: piece };
}

const parts = (query: Query): readonly Query[] => (query.kind === 'or' ? query.of : [query]);

function combine(items: readonly Item[]): Query {
  if (items.length === 0) return { kind: 'none' };
  if (items.length === 1 && items[0]!.occur !== 'not') return items[0]!.query;
  const clauses: Clause[] = items.map(({ occur, query }) => ({ occur, query }));
  return { kind: 'bool', clauses };
}
