import { type MergeTask, mergeTask } from '../src/jobs/merge.ts';
import { carry } from '../src/run/carried.ts';

export default carry((task: MergeTask) => mergeTask(task));
