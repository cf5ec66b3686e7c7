import { readForShard } from '../src/fetch/handover.ts';

export default readForShard;
