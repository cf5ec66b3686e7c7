import type { BuiltSegment } from '../index/index.ts';
import { type MergeTask, mergeTask } from '../src/jobs/merge.ts';

export default (task: MergeTask): BuiltSegment => mergeTask(task);
