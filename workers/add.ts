import { type AddDone, type AddTask, addChunk } from '../src/jobs/add.ts';

export default (task: AddTask): AddDone => addChunk(task);
