import type { Call } from '../../src/cli/call.ts';
import { commands } from '../../src/cli/commands.ts';
import { exitCodeOf, messageOf } from '../../src/cli/exit.ts';
import type { CrawlEvent } from '../../src/events.ts';
import type { Options } from '../../src/options.ts';

export interface Done {
  readonly code: number;
  /** Lines of result. */
  readonly out: readonly string[];
  /** Lines for people: notes, and warnings by their message. */
  readonly notes: readonly string[];
  /** What it failed with, as a person reads it; '' when it did not. */
  readonly failed: string;
}

/** Runs a command here, without a process of its own: what main.ts makes of argv is given as it comes out of there. */
export async function command(
  name: string,
  args: readonly string[],
  given: {
    dir: string;
    flags?: Record<string, unknown>;
    options?: Options;
    origins?: Record<string, string>;
    json?: boolean;
  },
): Promise<Done> {
  const out: string[] = [];
  const notes: string[] = [];
  const call: Call = {
    dir: given.dir,
    args,
    flags: { ...given.flags },
    options: given.options ?? {},
    origins: new Map(Object.entries(given.origins ?? {})),
    json: given.json ?? false,
    quiet: false,
    signal: new AbortController().signal,
    onEvent: (event: CrawlEvent) => {
      if (event.kind === 'warning') notes.push(event.message);
    },
    out: async (line) => void out.push(...line.split('\n')),
    note: (line) => void notes.push(line),
  };
  try {
    const code = await commands.find((one) => one.name === name)!.run(call);
    return { code, out, notes, failed: '' };
  } catch (error) {
    return { code: exitCodeOf(error), out, notes, failed: messageOf(error) };
  }
}
