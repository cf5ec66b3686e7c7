/**
 * A line of a seed file: an address, then `name=value` pairs, TAB between them. `#` starts a comment line.
 * `nutch.score`, `nutch.fetchInterval`, `nutch.fetchInterval.fixed` and `nuthatch.modified` are reserved; every other pair is
 * metadata.
 * Source: Nutch Injector, but that a pair or number which cannot be read is a problem with a sentence, not a log entry.
 */
export interface Seed {
  /** As written. */
  readonly url: string;
  readonly score?: number;
  /** s. */
  readonly interval?: number;
  /** s. */
  readonly fixedInterval?: number;
  /** When the page last changed, ms since the epoch. */
  readonly modified?: number;
  readonly meta: ReadonlyMap<string, string>;
  /** What of the line was passed over, one plain fragment each. */
  readonly problems: readonly string[];
}

/** Null for a blank line or a comment. */
export function parseSeed(line: string): Seed | null {
  const [first = '', ...pairs] = line.split('\t');
  const url = first.trim();
  if (line.trim() === '' || url.startsWith('#')) return null;
  const meta = new Map<string, string>();
  const problems: string[] = [];
  const given: { score?: number; interval?: number; fixedInterval?: number; modified?: number } = {};
  const whole = (name: string, value: string): number | undefined => {
    const seconds = /^\+?\d+$/.test(value) ? Number(value) : Number.NaN;
    if (seconds <= 0xffff_ffff) return seconds;
    problems.push(`${name}=${short(value)} is no number of seconds and is passed over`);
    return undefined;
  };
  for (const pair of pairs) {
    if (pair.trim() === '') continue;
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0)).trim();
    const value = pair.slice(equals + 1).trim();
    if (equals < 0 || name === '') problems.push(`"${short(pair.trim())}" is no name=value and is passed over`);
    else if (name === 'nutch.score') {
      const score = value === '' ? Number.NaN : Number(value);
      if (Number.isFinite(score)) given.score = score;
      else problems.push(`${name}=${short(value)} is no number and is passed over`);
    } else if (name === 'nutch.fetchInterval' || name === 'nutch.fetchInterval.fixed') {
      const seconds = whole(name, value);
      if (seconds === undefined) continue;
      given.interval = seconds;
      if (name.endsWith('.fixed')) given.fixedInterval = seconds;
    } else if (name === 'nuthatch.modified') {
      const modified = Date.parse(value);
      if (modified >= 0) given.modified = modified;
      else problems.push(`${name}=${short(value)} is no time and is passed over`);
    } else meta.set(name, value);
  }
  return { url, ...given, meta, problems };
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}...` : text);
