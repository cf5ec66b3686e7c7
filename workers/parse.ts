import { type ParseTask, parseShard } from '../src/jobs/parse.ts';

export default (task: ParseTask): ReturnType<typeof parseShard> => parseShard(task);
