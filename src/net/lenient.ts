import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { SecureContext } from 'node:tls';
import type { Lookup } from './resolve.ts';

/**
 * The second try for a server whose head breaks the rules (a control character in a cookie, say): every browser shows
 * the page, undici's parser refuses it. Node's own client can be told to be lenient. One connection a request, since a
 * lenient parser must not guess where the next answer on a connection begins.
 */
export interface LenientOptions {
  readonly lookup: Lookup;
  readonly secureContext: SecureContext | null;
  readonly insecure: boolean;
  readonly maxHeaderSize: number;
}

/** What get.ts hands to a dispatcher; the callbacks are those of undici's older handlers. */
export interface LenientHandler {
  onConnect(abort: (reason?: Error) => void): void;
  onHeaders(status: number, raw: Buffer[], resume: () => void, statusText: string): boolean;
  onData(chunk: Buffer): boolean;
  onComplete(): void;
  onError(error: Error): void;
}

/** @param headers names and values in turn */
export function lenientDispatch(
  url: URL,
  given: { method: string; headers: readonly string[]; body?: string },
  options: LenientOptions,
  handler: LenientHandler,
): void {
  const headers: Record<string, string> = {};
  for (let i = 0; i + 1 < given.headers.length; i += 2) headers[given.headers[i]!] = given.headers[i + 1]!;
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, {
    method: given.method,
    headers,
    agent: false,
    insecureHTTPParser: true,
    maxHeaderSize: options.maxHeaderSize,
    lookup: options.lookup as never,
    ...(options.secureContext === null ? {} : { secureContext: options.secureContext }),
    ...(options.insecure ? { rejectUnauthorized: false } : {}),
  });
  let ended = false;
  const fail = (error: Error): void => {
    if (ended) return;
    ended = true;
    handler.onError(error);
  };
  request.on('socket', () => handler.onConnect((reason) => request.destroy(reason)));
  request.on('error', fail);
  request.on('response', (response) => {
    const raw = response.rawHeaders.map((text) => Buffer.from(text, 'latin1'));
    handler.onHeaders(response.statusCode ?? 0, raw, () => {}, response.statusMessage ?? '');
    response.on('data', (chunk: Buffer) => handler.onData(chunk));
    response.on('error', fail);
    response.on('end', () => {
      if (!response.complete) fail(Object.assign(new Error('the body broke off'), { code: 'ECONNRESET' }));
      else if (!ended) {
        ended = true;
        handler.onComplete();
      }
    });
  });
  request.end(given.body);
}
