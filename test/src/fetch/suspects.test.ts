import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Suspects, suspectsOf } from '../../../src/fetch/suspects.ts';
import { Suspect } from '../../../src/fetch/task.ts';

const Pages = suite('suspects');
const dir = mkdtempSync(join(tmpdir(), 'nuthatch-suspects-'));
Pages.after(() => rmSync(dir, { recursive: true }));

Pages('a process that is ended leaves the pages that it was reading', () => {
  const program = `
    import { Suspects } from './src/fetch/suspects.ts';
    import { Suspect } from './src/fetch/task.ts';
    const suspects = new Suspects(${JSON.stringify(dir)}, 's', 3, new Suspect(Suspect.memory()));
    suspects.away('http://h/given-away');
    suspects.here('http://h/a-longer-one-before');
    suspects.read();
    suspects.here('http://h/\\u00e9');
    process.kill(process.pid, 'SIGKILL');`;
  const given = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const { signal, stderr } = spawnSync(process.execPath, given, { encoding: 'utf8' });
  assert.is(signal, 'SIGKILL', stderr);
  assert.equal(suspectsOf(dir, 's', 3), ['http://h/é', 'http://h/given-away']);
});
Pages(
  'a slot whose page is back serves the next one; an address longer than a slot is cut, and is no other page',
  () => {
    const memory = Suspect.memory();
    const suspects = new Suspects(dir, 's', 4, new Suspect(memory));
    suspects.back(suspects.away('http://h/1'));
    suspects.away('http://h/2');
    const long = `http://h/${'x'.repeat(9000)}`;
    suspects.here(long);
    assert.is(new Suspect(memory).get().slice(0, 10), 'http://h/x');
    suspects.close();
    const [here, away] = suspectsOf(dir, 's', 4);
    assert.equal([long.startsWith(here!), here === long, away], [true, false, 'http://h/2']);
  },
);
Pages('a shard that has not begun has none', () => assert.equal(suspectsOf(dir, 's', 9), []));
Pages.run();
