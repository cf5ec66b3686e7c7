import { readFileSync } from 'node:fs';

/** Of the package, such as 0.1.0; `unknown` where its package.json cannot be read. */
export function versionOf(): string {
  // From source the package is one folder up, from dist/src two.
  for (const up of ['../package.json', '../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')).version as string;
    } catch {
      // The other place, then.
    }
  }
  return 'unknown';
}
