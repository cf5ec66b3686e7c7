import { askCommands } from './ask.ts';
import type { Command } from './call.ts';
import { labCommands } from './lab.ts';
import { moveCommands } from './move.ts';
import { readCommands } from './read.ts';
import { serveCommands } from './serve.ts';
import { crawlCommands } from './steps.ts';
import { upkeepCommands } from './upkeep.ts';

/** Every command, in the order that help lists them. */
export const commands: readonly Command[] = [
  ...crawlCommands,
  ...askCommands,
  ...serveCommands,
  ...readCommands,
  ...upkeepCommands,
  ...moveCommands,
  ...labCommands,
];
