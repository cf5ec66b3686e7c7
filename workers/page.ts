import { readForShard } from '../src/fetch/handover.ts';
import { carry } from '../src/run/carried.ts';

export default carry(readForShard);
