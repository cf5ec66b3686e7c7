import { type BuildTask, buildSegment } from '../src/jobs/build-segment.ts';

export default (task: BuildTask): ReturnType<typeof buildSegment> => buildSegment(task);
