import { runShard } from '../src/fetch/shard.ts';

export default runShard;
