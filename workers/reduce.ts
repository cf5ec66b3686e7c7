import { jobs } from '../src/jobs/all.ts';
import { carry } from '../src/run/carried.ts';
import type { ReduceTask } from '../src/run/job.ts';
import { reduceTask } from '../src/run/task.ts';

export default carry((task: ReduceTask) => reduceTask(jobs[task.job]!, task));
