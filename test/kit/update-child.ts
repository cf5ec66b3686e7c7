/** Updates crawldb of a folder from a segment, in a process that may be killed at any moment: `DIR SEGMENT`. */
import { argv, stdout } from 'node:process';
import { updatedb } from '../../src/jobs/updatedb.ts';
import { defaults } from '../../src/options.ts';
import { createPool } from '../../src/run/pool.ts';
import { openTables } from '../../src/store/tables.ts';

const [dir, segment] = argv.slice(2) as [string, string];
const tables = await openTables(dir);
stdout.write('open\n');
await updatedb(
  {
    dir,
    options: defaults,
    seeds: [],
    pool: createPool(1),
    tables,
    signal: new AbortController().signal,
    onEvent: () => {},
    now: Date.UTC(2026, 0, 2),
  },
  segment,
);
stdout.write('done\n');
await tables.close();
