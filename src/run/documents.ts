import type { Settled } from '../options.ts';
import type { ParsedPage } from '../page/parsed.ts';
import type { Unread } from '../parse/documents/kind.ts';
import type { ParseSettings } from '../parse/settings.ts';
import { createProcessPool } from './process-pool.ts';
import { workerFile } from './worker-file.ts';

/** One document for a process: plain data. */
export interface DocumentTask {
  readonly url: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly settings: ParseSettings;
}

export interface DocumentLimits {
  /** Documents read at once. */
  readonly processes?: number;
  /** Heap of one process, MB. */
  readonly heapMb?: number;
  /** For one document, ms. */
  readonly deadlineMs?: number;
}

export interface DocumentReader {
  /**
   * A document that takes too much time or memory is `unread` with reason 'parse-died'.
   * @throws CrawlError 'interrupted' when the signal fires or the reader is closed; 'failed' when no process starts
   */
  read(task: DocumentTask, signal?: AbortSignal): Promise<ParsedPage | Unread>;
  close(): void;
}

/** Heap for documents of the size that a crawl takes, MB: plain text needs six times its size. */
export const heapFor = ({ net }: Pick<Settled, 'net'>): number => Math.max(256, 8 * (net.maxBody >> 20));

/**
 * Reads documents, and pages that are large, in processes with a heap limit and a deadline: a document that breaks them
 * takes its own process with it and nothing else; the next one finds a fresh one. The first document starts the first
 * process.
 */
export function createDocumentReader(limits: DocumentLimits = {}): DocumentReader {
  const { processes = 1, heapMb = 256, deadlineMs = 30_000 } = limits;
  let pool: ReturnType<typeof createProcessPool> | null = null;
  return {
    async read(task, signal) {
      pool ??= createProcessPool(workerFile('document'), { processes, heapMb, deadlineMs });
      const ran = await pool.run<ParsedPage | Unread>(task, signal);
      const died = (detail: string): Unread => ({ unread: 'parse-died', detail, contentType: task.contentType });
      if (ran.kind === 'done') return ran.result;
      if (ran.kind === 'late') return died(`it took more than ${deadlineMs} ms`);
      return died(
        ran.memory ? `it took more than ${heapMb} MB of memory` : `it ended the process that read it (${ran.how})`,
      );
    },
    close: () => pool?.close(),
  };
}
