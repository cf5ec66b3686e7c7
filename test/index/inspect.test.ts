import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { inspectFile } from '../../index/inspect.ts';
import { frame } from '../../index/io/frame.ts';
import { small } from '../kit/small-index.ts';

const Inspect = suite('inspect');

Inspect('every file of an index says what it is and holds', () => {
  const directory = small();
  const told = Object.fromEntries(
    directory.list().map((file) => {
      const { format, version, problem, holds } = inspectFile(directory, file);
      return [file, file === 'dedup-1' ? problem : { format, version, problem, holds }];
    }),
  ) as Record<string, { format: string; version: number; problem: unknown; holds: Record<string, unknown> }>;
  assert.equal(told['dedup-1'], 'it is too short for a file of an index');
  for (const [file, { format, version, problem }] of Object.entries(told)) {
    if (file === 'dedup-1') continue;
    assert.is(format, file.startsWith('commit-') ? 'com' : file.split('.')[1]);
    assert.equal([version, problem], [file.endsWith('.sto') ? 2 : 1, null], file);
  }
  assert.equal(told['commit-1']!.holds, {
    generation: 1,
    segments: [{ name: 's1', docs: 12, deleted: 1 }],
    extras: ['dedup-1'],
    user: { round: '1' },
  });
  assert.equal(told['s1_1.liv']!.holds, { docs: 12, live: 11 });
  assert.is(told['s1.sto']!.holds.docs, 12);
  assert.is(told['s1.seg']!.holds.key, 'id');
});

Inspect('damage, strangers and files of tomorrow are reported, not thrown', () => {
  const directory = small();
  const bytes = directory.read('s1.pst');
  bytes[20]! ^= 1;
  assert.match(inspectFile(directory, 's1.pst').problem!, /checksum/);
  directory.publish('stranger', new Uint8Array(100));
  assert.match(inspectFile(directory, 'stranger').problem!, /no file of an index/);
  directory.publish('s1.new', frame('new', 1, new Uint8Array(8)));
  assert.match(inspectFile(directory, 's1.new').problem!, /upgrade/);
  directory.publish('commit-7', frame('com', 9, new Uint8Array(8)));
  const { version, problem } = inspectFile(directory, 'commit-7');
  assert.is(version, 9);
  assert.match(problem!, /upgrade/);
});

Inspect.run();
