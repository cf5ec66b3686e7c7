import { CrawlError } from '../errors.ts';

/**
 * Rewrites of fields, in the order of their lines, as Nutch's index-replace reads them:
 *
 *     line   := field [':' target] '=' d pattern d replacement d [flags]      d is any one character
 *             | 'urlmatch' '=' regex | 'hostmatch' '=' regex | '#' anything | blank
 *
 * Lines before the first urlmatch or hostmatch are for every page; those after one for the pages it is found in. With a
 * target the field stays and the result goes there. Flags: letters of a JavaScript regular expression, or 2, Java's
 * number for ignoring case. In a replacement $1 is the first group.
 */
export interface Replacements {
  /** Fields that a rule writes beside the one it reads. */
  readonly targets: readonly string[];
  /** `fields` with the rules applied; itself when none applies. */
  apply(fields: ReadonlyMap<string, readonly string[]>, url: string, host: string): Map<string, readonly string[]>;
}

interface Rule {
  readonly scope: { readonly of: 'url' | 'host'; readonly pattern: RegExp } | null;
  readonly field: string;
  readonly target: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** What a page is known by, when, and how it counts: no text of it, so no rule's to write. */
const FIXED: ReadonlySet<string> = new Set(
  'id url segment boost digest modified published fetched bytes near sections robots __proto__'.split(' '),
);

/** @throws CrawlError 'config' naming the line that is no rule, and why */
export function readReplacements(lines: readonly string[]): Replacements {
  const rules: Rule[] = [];
  let scope: Rule['scope'] = null;
  for (const line of lines.flatMap((one) => one.split(/\r?\n/))) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const fail = (why: string, cause?: unknown): never => {
      throw new CrawlError('config', `index.replace: ${JSON.stringify(text)} is no rule: ${why}`, { cause });
    };
    const compile = (source: string, flags: string): RegExp => {
      try {
        return new RegExp(source, flags);
      } catch (cause) {
        return fail((cause as Error).message, cause);
      }
    };
    const equals = text.indexOf('=');
    if (equals < 1) fail('it has no =');
    const name = text.slice(0, equals).trim();
    const rest = text.slice(equals + 1);
    if (name === 'urlmatch' || name === 'hostmatch') {
      scope = { of: name === 'urlmatch' ? 'url' : 'host', pattern: compile(rest.trim(), '') };
      continue;
    }
    const body = rest.trimStart();
    const mark = body[0] ?? fail('nothing follows the =');
    const parts = split(body.slice(1), mark);
    if (parts.length !== 3) fail(`it must be field=${mark}pattern${mark}replacement${mark}`);
    const [pattern, replacement, flags] = parts as [string, string, string];
    const [field, target = field] = name.split(':') as [string, string?];
    const letters = /^\d+$/.test(flags.trim()) ? (Number(flags) & 2 ? 'i' : '') : flags.trim();
    if (target === '' || FIXED.has(target!))
      fail(target === '' ? 'it names no target' : `a rule does not write ${target}`);
    const compiled = compile(pattern, [...new Set(`g${letters}`)].join(''));
    rules.push({ scope, field, target: target!, pattern: compiled, replacement: template(replacement) });
  }
  return {
    targets: [...new Set(rules.filter((rule) => rule.target !== rule.field).map((rule) => rule.target))],
    apply(fields, url, host) {
      const result = new Map(fields);
      for (const rule of rules) {
        if (rule.scope && !rule.scope.pattern.test(rule.scope.of === 'url' ? url : host)) continue;
        const values = result.get(rule.field);
        if (values)
          result.set(
            rule.target,
            values.map((value) => value.replaceAll(rule.pattern, rule.replacement)),
          );
      }
      return result;
    },
  };
}

/** A replacement in the form that `replaceAll` takes: $1 stays a group, a backslash makes what follows plain. */
const template = (replacement: string): string =>
  replacement.replaceAll(/\\(.)|\$(\d)|\$/g, (_, plain: string | undefined, group: string | undefined) =>
    plain !== undefined ? plain.replace('$', '$$$$') : group !== undefined ? `$${group}` : '$$',
  );

/** Cuts at `mark`; a mark after a backslash belongs to the text, and loses the backslash. */
function split(text: string, mark: string): string[] {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < text.length; i++) {
    const escaped = text[i] === '\\' && i + 1 < text.length && mark !== '\\';
    if (escaped && text[i + 1] === mark) part += text[++i];
    else if (escaped) part += text[i]! + text[++i]!;
    else if (text[i] === mark) {
      parts.push(part);
      part = '';
    } else part += text[i];
  }
  return [...parts, part];
}
