/** In a thread of its own: opens a shared segment, answers with all it reads, and with whether it copied any. */
import { parentPort, workerData } from 'node:worker_threads';
import { FsDirectory } from '../../index/io/fs-directory.ts';
import { openShared } from '../../index/segment/reader.ts';
import { dumpSegment } from './index-dump.ts';

const { where, shared } = workerData;
const reader = openShared(new FsDirectory(where), shared);
const again = reader.share();
// What arrives here over a SharedArrayBuffer is the sender's memory: a mark made here is seen there.
const mark = new Int32Array(shared.mark);
Atomics.store(mark, 0, 4711);
parentPort!.postMessage({
  dump: JSON.stringify(dumpSegment(reader)),
  sharedBytes: Object.values(again.files).every((bytes) => bytes.buffer instanceof SharedArrayBuffer),
});
reader.close();
