import type { Job, ReduceTask } from '../../src/run/job.ts';
import { reduceTask } from '../../src/run/task.ts';
import { words } from './run-jobs.ts';

export default (task: ReduceTask) => reduceTask(words as Job, task);
