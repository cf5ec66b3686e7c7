import { type BuildTask, buildSegments } from '../src/jobs/build-segments.ts';

export default (task: BuildTask): ReturnType<typeof buildSegments> => buildSegments(task);
