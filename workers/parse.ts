import { type ParseTask, parseShard } from '../src/jobs/parse.ts';
import { carry } from '../src/run/carried.ts';

export default carry((task: ParseTask) => parseShard(task));
