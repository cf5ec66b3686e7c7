import { threadId } from 'node:worker_threads';

/** Tells its thread, as soon as the gate is open. */
export default (gate: Int32Array): number => {
  Atomics.wait(gate, 0, 0);
  return threadId;
};
