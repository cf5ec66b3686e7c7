import type { Queue } from './queues.ts';
import type { Item, ShardProgress } from './task.ts';

/** Hosts that are told of as held. */
const MOST_HELD = 5;

/** How far the queues of a shard are. `now`: loop time, ms. Cost: one look at every queue. */
export function queuesProgress(
  queues: Iterable<Queue<Item>>,
  now: number,
): Pick<ShardProgress, 'hostsReady' | 'hostsWaiting' | 'remainingMs' | 'held'> {
  let hostsReady = 0;
  let hostsWaiting = 0;
  let remainingMs = 0;
  const held: { host: string; pages: number; why: string }[] = [];
  for (const queue of queues) {
    const { size } = queue.items;
    if (size === 0) continue;
    const wait = Math.max(0, queue.nextAt - now);
    if (wait > 0) hostsWaiting++;
    else hostsReady++;
    remainingMs = Math.max(remainingMs, wait + (size - 1) * queue.delayMs);
    if (queue.held !== '' && wait > 0) held.push({ host: queue.id, pages: size, why: queue.held });
  }
  held.sort((a, b) => b.pages - a.pages);
  return { hostsReady, hostsWaiting, remainingMs: Math.round(remainingMs), held: held.slice(0, MOST_HELD) };
}
