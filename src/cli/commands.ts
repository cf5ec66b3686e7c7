import { askCommands } from './ask.ts';
import type { Command } from './call.ts';
import { labCommands } from './lab.ts';
import { moveCommands } from './move.ts';
import { readCommands } from './read.ts';
import { serveCommands } from './serve.ts';
import { crawlCommands } from './steps.ts';
import { upkeepCommands } from './upkeep.ts';

/** Every command, as help and docs/commands.md list them: what is used daily first. */
export const groups: readonly { readonly title: string; readonly commands: readonly Command[] }[] = (() => {
  const all = [
    ...crawlCommands,
    ...askCommands,
    ...serveCommands,
    ...readCommands,
    ...upkeepCommands,
    ...moveCommands,
    ...labCommands,
  ];
  const group = (title: string, names: string) => ({
    title,
    commands: names.split(' ').map((name) => all.find((command) => command.name === name)!),
  });
  return [
    group('Every day', 'crawl search suggest serve why add'),
    group('Looking inside', 'readdb readseg readlinkdb hosts config check inspect verify'),
    group('The steps of a crawl', 'inject generate fetch parse updatedb invertlinks index dedup merge publish clean'),
    group('Upkeep', 'updatehosts linkrank freegen purge repair mergedb mergesegs'),
    group('In and out', 'import export'),
    group('Measuring', 'lab'),
  ];
})();
export const commands: readonly Command[] = groups.flatMap((group) => group.commands);
