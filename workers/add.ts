import { type AddTask, addChunk } from '../src/jobs/add.ts';
import { carry } from '../src/run/carried.ts';

export default carry((task: AddTask) => addChunk(task));
