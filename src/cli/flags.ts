import { defaults, type Options, type Settled } from '../options.ts';
import { rules } from '../options-rules.ts';

type Keys = { [G in keyof Settled]: `${G}.${Extract<keyof Settled[G], string>}` }[keyof Settled];

/** A flag that sets an option: it has no default, no range and no unit of its own. */
export interface OptionFlag {
  /** As commander writes it: `--delay <time>`. */
  readonly flag: string;
  readonly key: Keys;
  readonly says: string;
  /** Another option, and the value it then has where nothing else says one. */
  readonly also?: readonly [key: Keys, value: unknown];
}
/** A flag of one command, which changes what is shown or where from, never how a crawl goes. */
export interface PlainFlag {
  readonly flag: string;
  readonly says: string;
  /** A whole number of at least this. */
  readonly least?: number;
  /** May be given several times; the values come as a list. */
  readonly many?: boolean;
}
export type Flag = OptionFlag | PlainFlag;

/** Its help: what it does, which option it sets, what is allowed, what holds without it. */
export function helpOf(flag: Flag): string {
  if (!('key' in flag)) return flag.says;
  const [group, key] = flag.key.split('.') as ['net', 'delay'];
  const also = flag.also ? `, and ${flag.also[0]}=${JSON.stringify(flag.also[1])}` : '';
  if (!flag.flag.includes('<')) return `${flag.says} (${flag.key}=true${also})`;
  return `${flag.says} (${flag.key}: ${rules[group][key].allowed}; default ${JSON.stringify(defaults[group][key])}${also})`;
}

/** Commander's name of a flag's value: `--top-n <n>` is `topN`. */
export const nameOf = (flag: Flag): string =>
  /--(?:no-)?([a-z-]+)/.exec(flag.flag)![1]!.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Lays `value` at `group.key` over `options`, which is changed. A path without a dot is left to `settle` to refuse. */
export function setOption(options: Options, path: string, value: unknown): void {
  const [group, ...key] = path.split('.') as [string, ...string[]];
  const all = options as Record<string, unknown>;
  const before = Object.hasOwn(all, group) ? all[group] : {};
  const after = key.length ? { ...(before as object), [key.join('.')]: value } : value;
  // Defined, not assigned: a group called `__proto__` is one more unknown option.
  Object.defineProperty(all, group, { value: after, enumerable: true, configurable: true, writable: true });
}

/** `group.key=value` of `--set`: JSON where it is JSON, else a text. Null when there is no '='. */
export function readSetting(text: string): { path: string; value: unknown } | null {
  const equals = text.indexOf('=');
  if (equals < 1) return null;
  const written = text.slice(equals + 1);
  let value: unknown = written;
  try {
    value = JSON.parse(written);
  } catch {
    // Not JSON: `--set net.agent=acme-bot` means the text itself.
  }
  return { path: text.slice(0, equals).trim(), value };
}

/** The flags that every command takes. */
export const commonFlags: readonly PlainFlag[] = [
  { flag: '--dir <folder>', says: 'the crawl folder (default ./crawl)' },
  { flag: '--config <file>', says: 'options from a JSON file; comments are allowed' },
  { flag: '--set <key=value>', says: 'one option, as group.key=value; may be repeated', many: true },
  { flag: '--json', says: 'results as JSON' },
  { flag: '--quiet', says: 'no progress, only warnings and results' },
];
export const threadsFlag: OptionFlag = {
  flag: '--threads <n>',
  key: 'work.threads',
  says: 'threads of shards and tasks; changes no result',
};
