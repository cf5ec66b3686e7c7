import type { Job, MapTask } from '../../src/run/job.ts';
import { mapTask } from '../../src/run/task.ts';
import { words } from './run-jobs.ts';

export default (task: MapTask) => mapTask(words as Job, task);
