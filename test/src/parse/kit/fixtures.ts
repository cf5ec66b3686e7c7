import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { shared } from '../../../kit/shared.ts';

const FOLDERS = [
  'fixtures/debian-docs',
  'fixtures/trafilatura-eval',
  'fixtures/article-extraction-benchmark',
  'fixtures/readability',
  'fixtures/office',
];

/** Every real page of HTML of the reference data, in order of name: its path below it, and its bytes. */
export function* fixturePages(folders: readonly string[] = FOLDERS): Generator<{ name: string; body: Buffer }> {
  for (const folder of folders) {
    const root = shared(folder);
    if (root === null) {
      console.log(`skipped: pages of ${folder}`);
      continue;
    }
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /\.html(\.gz)?$/.test(file),
    );
    for (const file of files.sort()) {
      const bytes = readFileSync(join(root, file));
      yield { name: `${folder.slice(9)}/${file}`, body: file.endsWith('.gz') ? gunzipSync(bytes) : bytes };
    }
  }
}
