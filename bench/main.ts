/**
 * `npm run bench -- NAME...`: each `bench/NAME.bench.ts` answers one question, in a process of its own.
 *
 *     npm run bench                      lists the questions
 *     npm run bench -- words build      two of them
 *     npm run bench -- all
 *
 * Options after the names go to the bench as they are. Set NUTHATCH_BENCH for the folder of data and results, and
 * NUTHATCH_BENCH_SECONDS for the longest time a case may be repeated (1).
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine } from './machine.ts';
import { workFolder } from './results.ts';

const folder = dirname(fileURLToPath(import.meta.url));
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
  for (const name of names.includes('all') ? questions : names) {
    const { status } = spawnSync(
      process.execPath,
      ['--expose-gc', '--import', 'tsx', join(folder, `${name}.bench.ts`), ...options],
      { stdio: 'inherit' },
    );
    if (status !== 0) {
      console.error(`${name} ended with ${status}`);
      process.exitCode = 1;
    }
  }
}
