import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { askCommands } from '../../../src/cli/ask.ts';
import { commands, groups } from '../../../src/cli/commands.ts';
import { labCommands } from '../../../src/cli/lab.ts';
import { moveCommands } from '../../../src/cli/move.ts';
import { readCommands } from '../../../src/cli/read.ts';
import { serveCommands } from '../../../src/cli/serve.ts';
import { crawlCommands } from '../../../src/cli/steps.ts';
import { upkeepCommands } from '../../../src/cli/upkeep.ts';

const Commands = suite('commands');

Commands('help lists every command, once, below one heading', () => {
  const made = [askCommands, labCommands, moveCommands, readCommands, serveCommands, crawlCommands, upkeepCommands]
    .flat()
    .map(({ name }) => name);
  assert.equal(commands.map(({ name }) => name).sort(), made.sort());
  assert.is(new Set(groups.map(({ title }) => title)).size, groups.length);
});

Commands('in the list of all commands each says what it does in two lines of a terminal at most', () => {
  for (const { name, short, says } of commands) {
    const line = short ?? says.split(/[:;]/)[0]!;
    assert.ok(line.length <= 120, `${name}: ${line}`);
  }
});

Commands.run();
