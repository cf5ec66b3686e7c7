import { jobs } from '../src/jobs/all.ts';
import { carry } from '../src/run/carried.ts';
import type { MapTask } from '../src/run/job.ts';
import { mapTask } from '../src/run/task.ts';

export default carry((task: MapTask) => mapTask(jobs[task.job]!, task));
