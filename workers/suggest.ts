import { type SuggestTask, suggestTask } from '../src/jobs/suggest-file.ts';
import { carry } from '../src/run/carried.ts';

export default carry((task: SuggestTask) => suggestTask(task));
