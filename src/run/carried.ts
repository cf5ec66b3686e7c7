// Not through the door of the index: every thread loads this, few need the rest.
import { IndexError, type IndexErrorCode } from '../../index/errors.ts';
import { CrawlError, type CrawlErrorCode } from '../errors.ts';

/**
 * Errors over the border of a thread. What is thrown there arrives as a plain Error, without its class and its code (the
 * structured clone keeps only name, message and stack), so that a full disk would end as an unknown failure. A worker
 * therefore gives an error of ours back as data, and the pool throws it anew.
 */
export interface Carried {
  readonly carried: 'CrawlError' | 'IndexError';
  readonly code: string;
  readonly message: string;
  readonly where: string | undefined;
  readonly stack: string | undefined;
}

/** The task of a worker, its errors as data. */
export function carry<T, R>(task: (input: T) => R | Promise<R>): (input: T) => Promise<R | Carried> {
  return async (input) => {
    try {
      return await task(input);
    } catch (error) {
      const { code, message, stack } = error as CrawlError | IndexError;
      if (error instanceof CrawlError) return { carried: 'CrawlError', code, message, where: error.where, stack };
      if (error instanceof IndexError) return { carried: 'IndexError', code, message, where: error.file, stack };
      throw error;
    }
  };
}

/** What a task gave. @throws the error that it threw */
export function landed<T>(given: T | Carried): T {
  if (typeof given !== 'object' || given === null || !('carried' in given)) return given as T;
  const { carried, code, message, where, stack } = given;
  const error =
    carried === 'CrawlError'
      ? new CrawlError(code as CrawlErrorCode, message, where === undefined ? {} : { where })
      : new IndexError(code as IndexErrorCode, message, where === undefined ? {} : { file: where });
  if (stack !== undefined) error.stack = stack;
  throw error;
}
