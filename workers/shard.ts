import { runShard } from '../src/fetch/shard.ts';
import { carry } from '../src/run/carried.ts';

export default carry(runShard);
