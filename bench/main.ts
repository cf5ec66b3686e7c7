/**
 * `npm run bench -- NAME...`: each `bench/NAME.bench.ts` answers one question, in a process of its own, compiled as the
 * package is: a loader that compiles at run time wraps functions, and short ones would pay for it in their figures.
 *
 *     npm run bench                      lists the questions
 *     npm run bench -- words build      two of them
 *     npm run bench -- all
 *
 * Options after the names go to the bench as they are. Set NUTHATCH_BENCH for the folder of data and results, and
 * NUTHATCH_BENCH_SECONDS for the longest time a case may be repeated (1).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine } from './machine.ts';
import { workFolder } from './results.ts';

const folder = dirname(fileURLToPath(import.meta.url));
const root = dirname(folder);
const questions = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .sort();

const given = process.argv.slice(2);
const firstOption = given.findIndex((word) => word.startsWith('-'));
const names = firstOption < 0 ? given : given.slice(0, firstOption);
const options = firstOption < 0 ? [] : given.slice(firstOption);
const unknown = names.filter((name) => name !== 'all' && !questions.includes(name));

if (names.length === 0 || unknown.length) {
  if (unknown.length) console.error(`no such question: ${unknown.join(', ')}`);
  console.log(`questions: ${questions.join(' ')} (or all)`);
  process.exitCode = unknown.length ? 2 : 0;
} else {
  const { cpu, cores, memoryGB, node, commit, load } = machine();
  console.log(`${cpu}, ${cores} cores, ${memoryGB} GB, Node ${node}, commit ${commit || 'none'}, load ${load}`);
  console.log(`results: ${join(workFolder(), 'results')}`);
  const compiled = spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder], {
    stdio: 'inherit',
  });
  if (compiled.status !== 0) console.error('the compiler complains (above); what it made is measured all the same');
  // Benches find shared data as tests do, from the place of their source, which is not where they run.
  const shared = [process.env.NUTHATCH_SHARED, join(root, '../shared'), join(root, '../../shared')].find(
    (place) => place && existsSync(place),
  );
  const env = shared ? { ...process.env, NUTHATCH_SHARED: shared } : process.env;
  for (const name of names.includes('all') ? questions : names) {
    const { status } = spawnSync(
      process.execPath,
      ['--expose-gc', join(root, '.bench/build/bench', `${name}.bench.js`), ...options],
      { stdio: 'inherit', env },
    );
    if (status !== 0) {
      console.error(`${name} ended with ${status}`);
      process.exitCode = 1;
    }
  }
}
