import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CrawlError } from '../../../src/errors.ts';
import { recrawlsOf } from '../../kit/recrawls.ts';
import { page, type Routes } from '../../kit/web.ts';

const Clean = suite('clean');
const recrawls = recrawlsOf(Clean);

const segmentsIn = (dir: string): string[] => readdirSync(join(dir, 'segments')).sort();
const codeOf = (error: unknown): string => (error as CrawlError).code;

Clean('a clean that the gate refuses leaves every segment where it was', async () => {
  const names = Array.from({ length: 16 }, (_, n) => `/p${n}`);
  const routes: Routes = Object.fromEntries(names.map((name) => [name, page(`Page ${name}`)]));
  const { web, dir, again, crawl } = await recrawls({ ...routes, '/': page('Home', ...names) }, { index: {} });
  await again();
  web.route(Object.fromEntries(['/', ...names].map((name) => [name, { status: 404 }])));
  assert.is(await again().catch(codeOf), 'publish-refused');
  const before = segmentsIn(dir);
  assert.ok(before.length > 2);
  assert.is(await crawl((it) => it.clean()).catch(codeOf), 'publish-refused');
  assert.equal(segmentsIn(dir), before);
});

Clean.run();
