import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LabCounts } from './counts.ts';
import type { LabSpec } from './spec.ts';

/**
 * The lab in a process of its own, so that what it costs is not counted as the crawler's, and its event loop is not
 * the crawler's either.
 */
export interface Apart {
  readonly seeds: readonly string[];
  counts(): Promise<LabCounts>;
  setEpoch(epoch: number): Promise<void>;
  close(): Promise<void>;
}

export type Question =
  | { readonly ask: 'listen'; readonly spec: LabSpec }
  | { readonly ask: 'counts' }
  | { readonly ask: 'epoch'; readonly epoch: number };
export type Reply =
  | { readonly seeds: readonly string[] }
  | { readonly counts: LabCounts }
  | { readonly error: string }
  | object;

/** A script of this folder as a child: `.ts` from source, `.js` once built; loaders of this process are its own too. */
export const forkLab = (name: string): ChildProcess =>
  fork(fileURLToPath(new URL(`./${name}${extname(import.meta.url)}`, import.meta.url)), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced', // as threads do it: figures may hold what JSON has no word for
  });

/** One question, one reply; a child that ends instead is an error. */
export function ask<T>(child: ChildProcess, question: unknown): Promise<T> {
  return new Promise((resolve, reject) => {
    const off = (): void => {
      child.off('message', onMessage);
      child.off('exit', onExit);
    };
    const onMessage = (reply: object): void => {
      if ('event' in reply) return; // told on the way; for whoever else listens
      off();
      if ('error' in reply) reject(new Error(String(reply.error)));
      else resolve(reply as T);
    };
    const onExit = (code: number | null): void => {
      off();
      reject(new Error(`the process of the lab ended with ${code ?? 'a signal'}`));
    };
    child.on('message', onMessage);
    child.on('exit', onExit);
    child.send(question as object);
  });
}

export async function serveApart(spec: LabSpec): Promise<Apart> {
  const child = forkLab('serve-process');
  const say = <T>(question: Question) => ask<T>(child, question);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      if (!child.connected) return resolve();
      child.once('exit', () => resolve());
      child.disconnect(); // it ends by itself when nobody can ask any more
    });
  const { seeds } = await say<{ seeds: string[] }>({ ask: 'listen', spec }).catch(async (error) => {
    await close();
    throw error;
  });
  return {
    seeds,
    counts: async () => (await say<{ counts: LabCounts }>({ ask: 'counts' })).counts,
    setEpoch: async (epoch) => void (await say({ ask: 'epoch', epoch })),
    close,
  };
}
