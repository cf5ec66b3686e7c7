import { groups } from '../../src/cli/commands.ts';
import { commonFlags, type Flag, helpOf } from '../../src/cli/flags.ts';

/**
 * docs/commands.md, made of what the commands say of themselves, as `--help` is. The page is checked against this, and made
 * anew by `UPDATE_DOCS=1 npm test -- docs`.
 */
export function commandsPage(): string {
  const flags = (all: readonly Flag[]): string[] =>
    all.length === 0
      ? []
      : [
          '| flag | means |',
          '|---|---|',
          ...all.map((flag) => `| \`${cell(flag.flag)}\` | ${cell(helpOf(flag))} |`),
          '',
        ];
  const out = [
    '# Commands',
    '',
    '`nuthatch <command> [options]`. What each prints on standard output is its result; progress and warnings go to standard',
    'error. [Exit codes](crawling.md#exit-codes) are the same for all. `nuthatch help <command>` shows the same as this page.',
    '',
    'Every command takes these:',
    '',
    ...flags(commonFlags),
  ];
  for (const { title, commands } of groups) {
    out.push(`## ${title}`, '');
    for (const { name, args, says, flags: own, examples } of commands) {
      out.push(`### ${name}`, '', `\`nuthatch ${name}${args && ` ${args}`}\`: ${says}.`, '', ...flags(own));
      if (examples.length > 0) out.push('```', ...examples.map((one) => `nuthatch ${one}`), '```', '');
    }
  }
  return `${out.join('\n').trim()}\n`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|');
