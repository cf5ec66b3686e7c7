import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { CrawlError, whyNot } from './errors.ts';
import type { Options } from './options.ts';
import type { Origins } from './settle.ts';

/**
 * Reads a config file: JSON, in which comments (`//`, `/* *\/`), a comma after the last element and a leading byte order
 * mark are allowed. Every value remembers its line, so that a complaint of `settle` can name it.
 * @throws CrawlError 'config' with file, line and column for what is not JSON, for a key written twice, and for a file
 * that cannot be read
 */
export function readConfigFile(path: string): { options: Options; origins: Origins } {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CrawlError('config', `the config file ${path} cannot be read: ${whyNot(cause)}`, {
      where: path,
      cause,
    });
  }
  return parseConfig(text, basename(path));
}

/** `readConfigFile` of a text at hand; `name` is how the file is called in messages. */
export function parseConfig(text: string, name: string): { options: Options; origins: Origins } {
  const origins = new Map<string, string>();
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;

  const lineAt = (offset: number): number => text.slice(0, offset).split(/\r\n|\n|\r/).length;
  const fail = (what: string, offset = at): never => {
    const before = text.slice(0, offset);
    const column = offset - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
    throw new CrawlError('config', `${name} line ${lineAt(offset)}, column ${column}: ${what}`, { where: name });
  };
  const skip = (): void => {
    const gap = /(?:[\s\ufeff]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
    gap.lastIndex = at;
    gap.exec(text);
    at = gap.lastIndex;
    if (text.startsWith('/*', at)) fail('this comment does not end');
  };
  const seen = (): string => (at < text.length ? JSON.stringify(text[at]) : 'the end of the file');
  const string = (): string => {
    const quoted = /"(?:[^"\\\x00-\x1f]|\\.)*"/y;
    quoted.lastIndex = at;
    const match = quoted.exec(text);
    if (!match) return fail('this text does not end on its line');
    try {
      const value = JSON.parse(match[0]) as string;
      at = quoted.lastIndex;
      return value;
    } catch {
      // JSON.parse names no position of ours; the one thing it can dislike here is an escape.
      return fail('this text has an escape that JSON does not know');
    }
  };
  /** `path`: the keys that lead here; the first two are recorded with their line. */
  const value = (path: readonly string[]): unknown => {
    skip();
    if (path.length > 64) fail('this is nested too deeply');
    if (path.length === 1 || path.length === 2) origins.set(path.join('.'), `${name} line ${lineAt(at)}`);
    if (text[at] === '{') {
      at++;
      const keys = new Map<string, unknown>();
      for (;;) {
        skip();
        if (text[at] === '}') break;
        if (text[at] !== '"') fail(`a key in double quotes or } belongs here, not ${seen()}`);
        const start = at;
        const key = string();
        if (keys.has(key)) fail(`the key ${JSON.stringify(key)} is written twice`, start);
        skip();
        if (text[at] !== ':') fail(`a colon belongs here, not ${seen()}`);
        at++;
        keys.set(key, value([...path, key]));
        skip();
        if (text[at] === ',') at++;
        else if (text[at] !== '}') fail(`a comma or } belongs here, not ${seen()}`);
      }
      at++;
      return Object.fromEntries(keys);
    }
    if (text[at] === '[') {
      at++;
      const all: unknown[] = [];
      for (;;) {
        skip();
        if (text[at] === ']') break;
        all.push(value([...path, String(all.length)]));
        skip();
        if (text[at] === ',') at++;
        else if (text[at] !== ']') fail(`a comma or ] belongs here, not ${seen()}`);
      }
      at++;
      return all;
    }
    if (text[at] === '"') return string();
    const word = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])|(?:true|false|null)\b/y;
    word.lastIndex = at;
    const match = word.exec(text);
    if (!match) return fail(`a value belongs here, not ${seen()}`);
    at = word.lastIndex;
    return JSON.parse(match[0]);
  };

  skip();
  if (text[at] !== '{') fail(`a config file is one object: { belongs here, not ${seen()}`);
  const options = value([]) as Options;
  skip();
  if (at < text.length) fail(`nothing may follow the object, but here is ${seen()}`);
  return { options, origins };
}
