/**
 * Rules that can never decide, or not where one would expect: the first rule that is found in an address decides, so one
 * behind a rule that fits everything, or fits all of its site, is not asked. Told from how the rules are written: what is
 * found here is true, not all that is true is found.
 */
interface Line {
  readonly number: number;
  readonly text: string;
  readonly sign: string;
  readonly pattern: string;
  readonly host: string;
}

/** One sentence fragment a rule, with its line and the line of the one before it. Lines that are no rules are passed over. */
export function shadowed(lines: readonly string[]): string[] {
  const told: string[] = [];
  const before: Line[] = [];
  let host = '';
  for (const [at, raw] of lines.entries()) {
    const text = raw.trim();
    const sign = text[0] ?? '';
    if (sign === '>') host = text.slice(1).trim().toLowerCase();
    else if (sign === '<') host = '';
    if (sign !== '+' && sign !== '-') continue;
    const line: Line = { number: at + 1, text, sign, pattern: plain(text.slice(1)), host };
    const reason = before.map((earlier) => reasonOf(earlier, line)).find((one) => one !== null);
    if (reason) told.push(`line ${line.number}: "${text}" ${reason}`);
    before.push(line);
  }
  return told;
}

function reasonOf(earlier: Line, line: Line): string | null {
  if (earlier.host !== '' && earlier.host !== line.host) return null;
  const first = `line ${earlier.number}, "${earlier.text}", comes first`;
  if (EVERYTHING.test(earlier.pattern)) return `can never apply: ${first} and fits every address`;
  if (earlier.pattern === line.pattern) return `can never apply: ${first} with the same expression`;
  if (earlier.sign !== line.sign && SITE.test(earlier.pattern) && !line.pattern.startsWith('^'))
    return `never applies to what line ${earlier.number}, "${earlier.text}", fits: the first rule that is found decides; move it above`;
  return null;
}

const plain = (pattern: string): string => pattern.trim().replaceAll('(?i)', '');
const EVERYTHING = /^\^?(?:\.[*+]?)?\$?$|^\^?\.[*+]\$?$/;
/** An expression about scheme and host alone, such as `^https?://([a-z0-9-]+\.)*example\.com/`. */
const SITE = /^\^(?:https?\??|\(\?:[a-z|?]+\)|\([a-z|?]+\)):\/\/[^/]+(?:\/|\(\/\|\$\)|\(\?:\/\|\$\))(?:\.\*\$?)?$/;
