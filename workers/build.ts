import { type BuildTask, buildSegments } from '../src/jobs/build-segments.ts';
import { carry } from '../src/run/carried.ts';

export default carry((task: BuildTask) => buildSegments(task));
