/**
 * Updates crawldb of a folder from a segment, in a process of its own: `DIR SEGMENT [N]`. Prints, as a line of JSON, what
 * its main thread asked of the file system on the way; with N it is killed right before call N (counted from 0).
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import process, { argv, stdout } from 'node:process';
import { updatedb } from '../../src/jobs/updatedb.ts';
import { defaults } from '../../src/options.ts';
import { createPool } from '../../src/run/pool.ts';
import { openTables } from '../../src/store/tables.ts';

const [dir, segment, dieAt] = argv.slice(2) as [string, string, string?];
const tables = await openTables(dir);
const pool = createPool(1);

const calls: string[] = [];
const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
for (const name of ['openSync', 'writeSync', 'fsyncSync', 'renameSync', 'rmSync', 'mkdirSync']) {
  const real = functions[name]!;
  functions[name] = (...args) => {
    if (calls.length === Number(dieAt ?? -1)) process.kill(process.pid, 'SIGKILL');
    calls.push(`${name} ${typeof args[0] === 'string' ? basename(args[0]) : ''}`.trim());
    return real(...args);
  };
}
syncBuiltinESMExports();

await updatedb(
  {
    dir,
    options: defaults,
    seeds: [],
    pool,
    tables,
    signal: new AbortController().signal,
    onEvent: () => {},
    now: Date.UTC(2026, 0, 2),
  },
  segment,
);
await pool.close();
await tables.close();
stdout.write(`${JSON.stringify(calls)}\n`);
