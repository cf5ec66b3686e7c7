import { CrawlError } from '../../src/errors.ts';
import { serve } from '../../src/run/served.ts';

/** Run by process-pool.test.ts: the ways in which a task can end. */
const tasks: Record<string, () => unknown> = {
  pid: () => process.pid,
  /** Past the limit of the heap at one leap, which no thread survives. */
  leap: () => new Array(50_000_000).fill(1.5).map((n, i) => `${n}${i}`).length,
  /** Memory that is no part of the heap. */
  buffers: () => {
    const held: Buffer[] = [];
    while (true) held.push(Buffer.alloc(16 << 20, 1));
  },
  spin: () => {
    while (true);
  },
  exit: () => process.exit(3),
  full: () => {
    throw new CrawlError('disk-full', 'no room', { where: '/a' });
  },
  bug: () => {
    throw new TypeError('a bug');
  },
};
serve((task: string) => tasks[task]!());
