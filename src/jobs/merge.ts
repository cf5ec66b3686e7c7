/** merge: many index segments become one, in a thread. No map/reduce: it works on index segments, not on records. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type BuiltSegment, FsDirectory, mergeSegments, openShared, type SharedSegment } from '../../index/index.ts';
import type { JobContext } from '../run/context.ts';

export interface MergeTask {
  readonly directory: string;
  readonly segments: readonly SharedSegment[];
  readonly name: string;
  /** Told the share that is done, 0 to 1. */
  readonly port: MessagePort;
}

/** What the thread does. */
export function mergeTask({ directory, segments, name, port }: MergeTask): BuiltSegment {
  const place = new FsDirectory(directory);
  const readers = segments.map((shared) => openShared(place, shared));
  try {
    return mergeSegments(readers, place, name, { onProgress: (done) => port.postMessage(done) });
  } finally {
    for (const reader of readers) reader.close();
    port.close();
  }
}

/** Below this many bytes of segments a merge takes less than starting a thread. */
const INLINE_BYTES = 4 << 20;

/**
 * @param bytes of the segments, together
 * @throws CrawlError 'interrupted'; then the files of `name` are left to the writer to remove
 */
export async function mergeOnThread(
  { pool, signal, onEvent }: Pick<JobContext, 'pool' | 'signal' | 'onEvent'>,
  task: Omit<MergeTask, 'port'>,
  bytes: number,
): Promise<BuiltSegment> {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', (done: number) =>
    onEvent({ kind: 'step-progress', step: 'merge', done: Math.floor(done * 100), total: 100, unit: 'percent' }),
  );
  port1.unref();
  try {
    if (bytes < INLINE_BYTES) return mergeTask({ ...task, port: port2 });
    return await pool.run<BuiltSegment>('merge', { ...task, port: port2 }, { signal, transfer: [port2] });
  } finally {
    port1.close();
  }
}
