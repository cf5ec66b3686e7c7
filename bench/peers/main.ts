/** `npm run peers -- NAME [options]`: nuthatch beside its peers, on the same data, in one sitting; see bench/README.md. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { machine } from '../machine.ts';

const folder = dirname(fileURLToPath(import.meta.url));
const [name = '', ...rest] = process.argv.slice(2);
const script = join(folder, `${name}.ts`);
const scripts = readdirSync(folder)
  .map((file) => file.slice(0, -3))
  .filter((file) => !['main', 'tools', 'ours', 'round'].includes(file));
if (!scripts.includes(name) || !existsSync(script)) {
  console.error(`usage: npm run peers -- ${scripts.join('|')} [options]`);
  process.exitCode = 2;
} else {
  const { cpu, cores, node, commit, load } = machine();
  console.log(`${cpu}, ${cores} cores, Node ${node}, commit ${commit}, load ${load}`);
  process.argv.splice(2, process.argv.length, ...rest);
  await import(script);
}
