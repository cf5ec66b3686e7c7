import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CrawlError } from '../errors.ts';
import type { CrawlEvent, OnEvent } from '../events.ts';
import type { Options } from '../options.ts';
import { settle } from '../settle.ts';
import { ask, forkLab, serveApart } from './apart.ts';
import type { CrawlMeasured, CrawlTask } from './crawl-process.ts';
import type { LabFigures } from './figures.ts';
import { machine } from './machine.ts';
import type { LabSpec } from './spec.ts';

export interface LabRun {
  readonly web: LabSpec['web'];
  /** Of the crawl, over what the lab sets: every host of loopback may be visited, all hosts are in scope. */
  readonly options?: Options;
  /** Kept when given; else a folder of its own, removed at the end. */
  readonly dir?: string;
  readonly signal?: AbortSignal;
  /** Told what the crawl tells. */
  readonly onEvent?: OnEvent;
}

/** Connections to a host of a lab that asks for no pause: what a site of one's own would be given. */
const OWN_CONNECTIONS = 8;

/**
 * Serves a web in one process, crawls it in another, and joins what both have seen. Both end with the run.
 * @throws Error when either process dies, or the crawl fails
 */
export async function measure({ web, options = {}, dir, signal, onEvent }: LabRun): Promise<LabFigures> {
  // A text with a unit is a number from here on.
  const given = settle({ net: options.net ?? {} }).net;
  const delayMs = options.net?.delay === undefined ? 0 : given.delay;
  const connections = options.net?.connections === undefined ? (delayMs > 0 ? 1 : OWN_CONNECTIONS) : given.connections;
  if (dir !== undefined && existsSync(join(dir, 'crawldb')))
    throw new CrawlError('usage', `${dir} holds a crawl: a measured one needs a folder of its own`, { where: dir });
  const folder = dir ?? mkdtempSync(join(tmpdir(), 'nuthatch-lab-'));
  const where = machine();
  const at = new Date().toISOString();
  const lab = await serveApart({ web, port: 0, delayMs });
  const child = forkLab('crawl-process');
  const stop = (): void => void child.kill('SIGTERM');
  signal?.addEventListener('abort', stop, { once: true });
  if (onEvent) child.on('message', ({ event }: { event?: CrawlEvent }) => event && onEvent(event));
  try {
    const task: CrawlTask = {
      dir: folder,
      seeds: lab.seeds,
      options: {
        ...options,
        net: { allowPrivate: ['127.0.0.0/8'], ...options.net, delay: delayMs, connections },
        scope: { mode: web.kind === 'folder' ? 'host' : 'any', ...options.scope },
      },
    };
    const measured = await ask<CrawlMeasured>(child, { ...task, tell: onEvent !== undefined });
    const counts = await lab.counts();
    const { pages, bytes, indexed, threads, seconds, cpuSeconds, startCpuSeconds, peakRssBytes } = measured;
    const { steps, readingSeconds, storingSeconds, outcomes, samples } = measured;
    return {
      format: 1,
      at,
      machine: where,
      web,
      threads,
      delayMs,
      connections,
      pages,
      bytes,
      indexed,
      seconds,
      cpuSeconds,
      startCpuSeconds,
      peakRssBytes,
      steps,
      readingSeconds,
      storingSeconds,
      outcomes,
      samples,
      lab: counts,
    };
  } finally {
    signal?.removeEventListener('abort', stop);
    if (child.exitCode === null) child.kill();
    await lab.close();
    if (!dir) rmSync(folder, { recursive: true, force: true });
  }
}
