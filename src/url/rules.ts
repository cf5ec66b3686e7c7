import { CrawlError } from '../errors.ts';

/** Whether an address is accepted, and the rule that decided: its text, '' where none did; and its line, from 1. */
export interface Verdict {
  readonly accepted: boolean;
  readonly rule: string;
  readonly line?: number;
}
export type UrlFilter = (url: string) => Verdict;

interface Rule {
  readonly accepts: boolean;
  readonly pattern: RegExp;
  /** Host of its section, '' outside of one. */
  readonly host: string;
  readonly text: string;
  readonly line: number;
}

/**
 * Rules `+regex` and `-regex`, one a line, in the order given: the first whose expression is found in the address
 * decides. `> host` opens a section for that host alone, `<` ends it; `#` starts a comment. When none is found: refused
 * if there is any `+` rule, accepted if all are `-` (Nutch refuses always; a list of exclusions then excludes all).
 * With `whole`, an expression must match the whole address (Nutch's automaton filter).
 *
 * Java's `(?i)` is understood wherever it stands and makes the whole expression blind to case.
 * @throws CrawlError 'config' for a line without sign or an expression that cannot be read, with its line number
 */
export function compileRules(lines: readonly string[], source = 'scope.filters', whole = false): UrlFilter {
  const rules: Rule[] = [];
  let host = '';
  for (const [at, raw] of lines.entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) continue;
    const sign = line[0];
    const rest = line.slice(1).trim();
    if (sign === '>') host = rest.toLowerCase();
    else if (sign === '<') host = '';
    else if (sign === '+' || sign === '-')
      rules.push({
        accepts: sign === '+',
        pattern: compile(whole ? `^(?:${rest})$` : rest, source, at + 1),
        host,
        text: line,
        line: at + 1,
      });
    else
      throw new CrawlError('config', `${source} line ${at + 1}: "${line}" starts with neither + nor -; add the sign`, {
        where: source,
      });
  }
  const open = !rules.some((rule) => rule.accepts);
  const none: Verdict = { accepted: open, rule: '' };
  const verdicts = rules.map(({ accepts, text, line }): Verdict => ({ accepted: accepts, rule: text, line }));
  const sections = rules.some((rule) => rule.host !== '');
  return (url) => {
    const urlHost = sections ? hostPart(url) : '';
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i]!;
      if ((rule.host === '' || rule.host === urlHost) && rule.pattern.test(url)) return verdicts[i]!;
    }
    return none;
  };
}

const hostPart = (url: string): string => /^[a-z][a-z0-9+.-]*:\/\/([^/?#:]*)/i.exec(url)?.[1]?.toLowerCase() ?? '';

/** A regular expression as Nutch's files write it (Java), in ours. @throws CrawlError 'config' */
export function compile(text: string, source: string, line: number, flags = ''): RegExp {
  const blind = text.includes('(?i)');
  try {
    return new RegExp(blind ? text.replaceAll('(?i)', '') : text, blind ? `${flags}i` : flags);
  } catch (cause) {
    throw new CrawlError('config', `${source} line ${line}: ${(cause as Error).message}; mend the expression`, {
      where: source,
      cause,
    });
  }
}
