import type { ParsedPage } from '../page/parsed.ts';
import type { Unread } from '../parse/documents/kind.ts';
import type { ParseSettings } from '../parse/settings.ts';
import { createPool, WorkerDied } from './pool.ts';

/** One document for a thread: plain data. */
export interface DocumentTask {
  readonly url: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly settings: ParseSettings;
}

export interface DocumentLimits {
  /** Documents read at once. */
  readonly threads?: number;
  /** Heap of one thread, MB. */
  readonly heapMb?: number;
  /** For one document, ms. */
  readonly deadlineMs?: number;
}

export interface DocumentReader {
  /**
   * A document that takes too much time or memory is `unread` with reason 'parse-died'.
   * @throws CrawlError 'interrupted' when the signal fires or the reader is closed
   */
  read(task: DocumentTask, signal?: AbortSignal): Promise<ParsedPage | Unread>;
  close(): Promise<void>;
}

/**
 * Reads documents in threads with a heap limit and a deadline: a document that breaks them takes its own thread with it
 * and nothing else; the next one finds a fresh thread. Threads start with the first document.
 * Cost: the body is copied to the thread, its text back.
 */
export function createDocumentReader(limits: DocumentLimits = {}): DocumentReader {
  const { threads = 1, heapMb = 256, deadlineMs = 30_000 } = limits;
  const pool = createPool(threads, { maxHeapMb: heapMb });
  // Documents wait here and not in the pool, so that the deadline begins when a thread is free.
  let free = pool.threads;
  const waiting: (() => void)[] = [];
  const enter = async (): Promise<void> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else free++;
  };
  const readNow = async (task: DocumentTask, signal: AbortSignal | undefined): Promise<ParsedPage | Unread> => {
    const died = (detail: string): Unread => ({ unread: 'parse-died', detail, contentType: task.contentType });
    const deadline = AbortSignal.timeout(deadlineMs);
    try {
      return await pool.run<ParsedPage | Unread>('document', task, {
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      });
    } catch (error) {
      if (signal?.aborted) throw error;
      if (deadline.aborted) return died(`it took more than ${deadlineMs} ms`);
      if (error instanceof WorkerDied) return died(`it took more than ${heapMb} MB of memory`);
      throw error;
    }
  };
  return {
    async read(task, signal) {
      await enter();
      try {
        return await readNow(task, signal);
      } finally {
        leave();
      }
    },
    close: () => pool.close(),
  };
}
