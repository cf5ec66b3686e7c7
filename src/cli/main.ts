#!/usr/bin/env node
import { once } from 'node:events';
import { argv, stderr, stdout } from 'node:process';
import { CommanderError, InvalidArgumentError, Command as Program } from 'commander';
import { readConfigFile } from '../config-file.ts';
import { CrawlError } from '../errors.ts';
import { nearest } from '../nearest.ts';
import type { Options } from '../options.ts';
import { versionOf } from '../version.ts';
import type { Call, Command } from './call.ts';
import { commands, groups } from './commands.ts';
import { errorOf, exitCodeOf, messageOf } from './exit.ts';
import { commonFlags, type Flag, helpOf, nameOf, readSetting, setOption } from './flags.ts';
import { createPrinter, folded, safe } from './print.ts';

/**
 * The command line: reads flags into options, runs one command, turns what it threw into a sentence and an exit code.
 * It holds no logic of the crawl. The codes stand in exit.ts.
 */
const program = new Program('nuthatch')
  .description('a crawler and an embedded search engine in one process')
  .version(versionOf(), '-V, --version')
  .exitOverride()
  .configureOutput({ writeErr: () => undefined, outputError: () => undefined })
  .showHelpAfterError(false)
  .helpCommand('help [command]', 'says what a command does, with examples')
  .configureHelp({ subcommandTerm: (sub) => sub.name() });

for (const { title, commands } of groups) for (const command of commands) addCommand(command, title);
const BEGIN =
  '\nBegin with:\n  nuthatch crawl https://example.org/ --agent "acme (+https://acme.example)"\n  nuthatch search "how to install"';
program.addHelpText('after', BEGIN);

function addCommand(command: Command, group: string): void {
  const sub = program
    .command(command.args ? `${command.name} ${command.args}` : command.name)
    .description(command.says)
    .summary(command.short ?? command.says.split(/[:;]/)[0]!)
    .helpGroup(`${group}:`)
    .exitOverride()
    .allowExcessArguments(false);
  for (const flag of [...command.flags, ...commonFlags]) addFlag(sub, flag);
  if (command.examples.length)
    sub.addHelpText('after', `\nExamples:\n${command.examples.map((one) => `  nuthatch ${one}`).join('\n')}`);
  sub.action(async () => {
    process.exitCode = await run(command, sub.args, sub.opts());
  });
}

function addFlag(sub: Program, flag: Flag): void {
  if ('key' in flag) sub.option(flag.flag, helpOf(flag));
  else if (flag.many) sub.option(flag.flag, helpOf(flag), (one: string, all: string[] = []) => [...all, one]);
  else if (flag.least === undefined) sub.option(flag.flag, helpOf(flag));
  else
    sub.option(flag.flag, helpOf(flag), (text: string) => {
      if (/^\d+$/.test(text) && Number(text) >= flag.least! && Number.isSafeInteger(Number(text))) return Number(text);
      throw new InvalidArgumentError(`it must be a whole number of at least ${flag.least}.`);
    });
}

async function run(command: Command, args: readonly string[], flags: Record<string, unknown>): Promise<number> {
  const stop = new AbortController();
  const quiet = flags.quiet === true;
  const printer = createPrinter({
    write: (text) => stderr.write(text),
    terminal: stderr.isTTY === true && !process.env.NO_COLOR?.includes('bar') && process.env.TERM !== 'dumb',
    columns: stderr.columns ?? 80,
    quiet,
    clock: Date.now,
  });
  const onSignal = (): void => {
    if (stop.signal.aborted) process.exit(130);
    stop.abort();
    printer.note(`stopping in good order; Ctrl-C once more stops at once`);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    if (flags.dir === '') throw new CrawlError('usage', '--dir is empty: name a folder');
    const { options, origins } = optionsOf(command, flags);
    const call: Call = {
      dir: typeof flags.dir === 'string' ? flags.dir : 'crawl',
      args,
      flags,
      options,
      origins,
      json: flags.json === true,
      quiet,
      signal: stop.signal,
      onEvent: printer.onEvent,
      async out(line) {
        printer.end();
        await put(line);
      },
      note: (line) => {
        if (!quiet) printer.note(line);
      },
    };
    return await command.run(call);
  } catch (error) {
    printer.end();
    complaint(messageOf(error));
    if (flags.json === true) await put(JSON.stringify({ error: errorOf(error) }));
    if (error instanceof CrawlError && error.code === 'interrupted') {
      stderr.write(`go on with: ${again()}\n`);
      if (command.name === 'crawl')
        stderr.write(`to search what has been fetched so far: ${typed(['index', ...dirOf(flags)])}\n`);
    }
    if (process.env.NUTHATCH_DEBUG) console.error(error);
    return exitCodeOf(error);
  } finally {
    printer.end();
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}

/** One line of a result; waits while the reader is behind. */
async function put(line: string): Promise<void> {
  if (!stdout.write(`${line}\n`)) await once(stdout, 'drain');
}
/** What went wrong, for people: on a terminal no wider than that. */
const complaint = (text: string): void =>
  void stderr.write(
    `${stderr.isTTY ? folded(`nuthatch: ${text}`, stderr.columns ?? 80) : `nuthatch: ${safe(text)}`}\n`,
  );

/** Config file, then `--set`, then flags: the later and nearer wins. */
function optionsOf(
  command: Command,
  flags: Record<string, unknown>,
): { options: Options; origins: Map<string, string> } {
  const origins = new Map<string, string>();
  const options: Options = {};
  if (typeof flags.config === 'string') {
    const file = readConfigFile(flags.config);
    Object.assign(options, structuredClone(file.options));
    for (const [path, origin] of file.origins) origins.set(path, origin);
  }
  for (const text of (flags.set as string[] | undefined) ?? []) {
    const setting = readSetting(text);
    if (!setting) throw new CrawlError('usage', `--set ${text}: it must be group.key=value, such as net.delay=500`);
    setOption(options, setting.path, setting.value);
    origins.set(setting.path, '--set');
  }
  for (const flag of command.flags) {
    if (!('key' in flag)) continue;
    const value = flags[nameOf(flag)];
    if (value === undefined) continue;
    setOption(options, flag.key, value);
    if (flag.also && !origins.has(flag.also[0])) setOption(options, ...flag.also);
    origins.set(flag.key, flag.flag.split(' ').find((part) => part.startsWith('--'))!);
  }
  return { options, origins };
}

/** The command as it was typed. */
const again = (): string => typed(argv.slice(2));
const dirOf = (flags: Record<string, unknown>): string[] => (typeof flags.dir === 'string' ? ['--dir', flags.dir] : []);
/** As a shell takes it: what it would take apart stands in quotes. */
const typed = (words: readonly string[]): string =>
  ['nuthatch', ...words]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
    .join(' ');

/** Commander's own complaints, in our form: one sentence, the nearest name, exit code 2. */
function complain(error: CommanderError): number {
  if (error.exitCode === 0) return 0;
  if (error.code === 'commander.help') {
    stderr.write(`${program.helpInformation()}${BEGIN}\n`);
    return 2;
  }
  const name = /'([^' ]+)/.exec(error.message)?.[1] ?? '';
  const sub = commands.find((command) => command.name === argv[2]);
  const known =
    error.code === 'commander.unknownCommand'
      ? commands.map((command) => command.name)
      : [...(sub?.flags ?? []), ...commonFlags].map((flag) => /--[a-z-]+/.exec(flag.flag)![0]);
  // A word of a query that looks like a flag is the reader's to mark.
  const words = error.code === 'commander.unknownOption' && (sub?.name === 'search' || sub?.name === 'suggest');
  const near = /unknown(Option|Command)/.test(error.code) && !known.includes(name) ? nearest(name, known) : null;
  const says = error.message
    .replace(/^error: /, '')
    .split('\n')[0]!
    .replace(/\s*\(Did you mean.*\)$/, '');
  const message = `${says}${near ? `; did you mean ${near}?` : ''}${words ? `; to look for it, put -- before the words` : ''} (nuthatch help${sub ? ` ${sub.name}` : ''} says more)`;
  complaint(message);
  if (argv.includes('--json')) stdout.write(`${JSON.stringify({ error: { code: 'usage', message } })}\n`);
  return 2;
}

// A reader that has seen enough (`nuthatch search x | head -1`) is success.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await program.parseAsync(argv);
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = complain(error);
}
