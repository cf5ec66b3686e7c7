import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * A path of the reference data that lies beside the checkout, or null where it is missing; then the test says
 * `skipped: ` and what it would have held. `NUTHATCH_SHARED` names the folder where it lies elsewhere, and is then the
 * only place looked at.
 */
export function shared(path: string): string | null {
  const named = process.env.NUTHATCH_SHARED;
  for (const base of named ? [named] : [join(root, '../shared'), join(root, '../../shared')])
    if (existsSync(join(base, path))) return join(base, path);
  return null;
}
