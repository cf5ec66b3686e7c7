import type { OnEvent } from '../events.ts';
import type { Options } from '../options.ts';
import type { Origins } from '../settle.ts';
import type { Flag } from './flags.ts';

/** What a command was called with, and where its answer goes. */
export interface Call {
  readonly dir: string;
  readonly args: readonly string[];
  /** By long name in camel case; absent when not given. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly options: Options;
  /** Where each option was written, for complaints. */
  readonly origins: Origins;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** One line of result, to stdout. Waits while the reader is behind. */
  out(line: string): Promise<void>;
  /** One line for people, to stderr; nothing when quiet. */
  note(line: string): void;
}

export interface Command {
  readonly name: string;
  /** As commander writes arguments: `[url...]`, `<query...>`. */
  readonly args: string;
  readonly says: string;
  /** For the list of all commands; what `says` says up to its first colon or semicolon, when absent. */
  readonly short?: string;
  readonly flags: readonly Flag[];
  /** A call or two that work, without the program's name. */
  readonly examples: readonly string[];
  /** Answers the exit code. */
  run(call: Call): Promise<number>;
}
