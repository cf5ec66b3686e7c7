/**
 * `npm run profile -- COMMAND...`: runs a command of nuthatch under the samplers of V8 and sums up what they saw.
 *
 *     npm run profile -- crawl http://127.0.0.1:8081/ --dir .bench/crawl --delay 0
 *     npm run profile -- bench/words.bench.ts            any script of the repository
 *
 * Leaves `<work>/profiles/<time>/*.cpuprofile` and `*.heapprofile`, one of each a thread: they open in the developer
 * tools of Chromium, in VS Code and in speedscope. A command is profiled as built (`npm run build` first), so that the
 * compiler of the loader is not in the picture; a script runs from source.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { align, digits, workFolder } from './results.ts';

const SAMPLE_US = 500;
const SHOWN = 25;

interface Frame {
  readonly functionName: string;
  readonly url: string;
  readonly lineNumber: number;
}
interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: Frame; readonly children?: readonly number[] }[];
  readonly samples: readonly number[];
  /** us since the sample before. */
  readonly timeDeltas: readonly number[];
}
interface HeapNode {
  readonly callFrame: Frame;
  readonly selfSize: number;
  readonly children: readonly HeapNode[];
}

const root = fileURLToPath(new URL('..', import.meta.url));
const command = process.argv.slice(2);
if (command.length === 0) {
  console.error('usage: npm run profile -- COMMAND [options], or a .ts script with its arguments');
  process.exit(2);
}
const script = command[0]!.endsWith('.ts');
const main = join(root, 'dist/src/cli/main.js');
if (!script && !existsSync(main)) {
  console.error('dist is not built: npm run build');
  process.exit(2);
}

const folder = join(workFolder(), 'profiles', new Date().toISOString().replaceAll(/[-:]|\..*/g, ''));
mkdirSync(folder, { recursive: true });
const run = spawnSync(
  process.execPath,
  [
    '--cpu-prof',
    `--cpu-prof-dir=${folder}`,
    `--cpu-prof-interval=${SAMPLE_US}`,
    '--heap-prof',
    `--heap-prof-dir=${folder}`,
    ...(script ? ['--import', 'tsx', ...command] : [main, ...command]),
  ],
  { stdio: ['inherit', 2, 'inherit'] }, // what the command prints is not what we print
);

/** `place` tells where a function stands: our files by their path here, packages by name, Node by its own names. */
function place({ functionName, url, lineNumber }: Frame): string {
  const name = functionName || (url ? 'anonymous' : '(program)');
  if (!url) return name;
  const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : url;
  return `${name}  ${file.replace(/^.*node_modules\//, '')}:${lineNumber + 1}`;
}

const add = (sums: Map<string, number>, key: string, value: number): void => {
  sums.set(key, (sums.get(key) ?? 0) + value);
};

function cpu(files: readonly string[]): void {
  const self = new Map<string, number>();
  const total = new Map<string, number>();
  let busy = 0;
  for (const file of files) {
    const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
    const node = new Map(nodes.map((one) => [one.id, one]));
    const own = new Map<number, number>();
    for (const [i, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + Math.max(0, timeDeltas[i] ?? 0));
    const above: string[] = [];
    const walk = (id: number): number => {
      const { callFrame, children = [] } = node.get(id)!;
      const key = place(callFrame);
      const idle = callFrame.functionName === '(idle)';
      const mine = idle ? 0 : (own.get(id) ?? 0);
      busy += mine;
      add(self, key, mine);
      const recursive = above.includes(key); // counted once, at its outermost
      above.push(key);
      let sum = mine;
      for (const child of children) sum += walk(child);
      above.pop();
      if (!recursive) add(total, key, sum);
      return sum;
    };
    walk(nodes[0]!.id);
  }
  const top = [...self].sort(([, a], [, b]) => b - a).slice(0, SHOWN);
  console.log(`\nCPU: ${digits(busy / 1e6)} s sampled in ${files.length} threads`);
  console.log(
    align([
      ['function', 'self ms', 'self', 'with callees'],
      ...top.map(([key, us]) => [
        key.slice(0, 90),
        digits(us / 1000),
        `${((100 * us) / busy).toFixed(1)} %`,
        `${((100 * total.get(key)!) / busy).toFixed(1)} %`,
      ]),
    ]),
  );
}

function heap(files: readonly string[]): void {
  const sizes = new Map<string, number>();
  let all = 0;
  for (const file of files) {
    const walk = (node: HeapNode): void => {
      add(sizes, place(node.callFrame), node.selfSize);
      all += node.selfSize;
      for (const child of node.children) walk(child);
    };
    walk((JSON.parse(readFileSync(file, 'utf8')) as { head: HeapNode }).head);
  }
  const top = [...sizes].sort(([, a], [, b]) => b - a).slice(0, 12);
  console.log(`\nheap: ${digits(all / 1e6)} MB still alive at the end, by where it was allocated (sampled)`);
  console.log(align([['function', 'MB'], ...top.map(([key, bytes]) => [key.slice(0, 90), digits(bytes / 1e6)])]));
}

const files = readdirSync(folder)
  .map((file) => join(folder, file))
  .sort();
cpu(files.filter((file) => file.endsWith('.cpuprofile')));
heap(files.filter((file) => file.endsWith('.heapprofile')));
console.log(`\nopen in the developer tools of a browser: ${resolve(folder)}`);
process.exitCode = run.status ?? 1;
