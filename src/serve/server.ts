import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { searchHandler } from './handler.ts';
import type { ServeOptions } from './settings.ts';
import type { SearchSource } from './source.ts';

export interface Serving {
  /** `http://127.0.0.1:8080/` */
  readonly address: string;
  /** Stops listening; requests under way get `graceMs` to end. */
  close(graceMs?: number): Promise<void>;
}

const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost']);

/**
 * A server of its own for `source`. Listens on loopback unless told otherwise, where it answers only requests that are
 * addressed to loopback (a page of another site cannot reach it through a name that it points here) and shows `why`
 * and `/metrics` to everyone; elsewhere those need the token. Every `reloadSeconds` it looks for a newer commit; 0: never.
 *
 * @throws the error of `listen` (a port in use, no right to it)
 */
export async function serve(
  source: SearchSource,
  {
    host = '127.0.0.1',
    port = 8080,
    reloadSeconds = 5,
    ...options
  }: ServeOptions & { host?: string; port?: number; reloadSeconds?: number } = {},
): Promise<Serving> {
  const local = LOOPBACK.has(host);
  const handler = searchHandler(source, {
    internals: local ? 'everyone' : 'token',
    ...(local && { hosts: ['127.0.0.1', 'localhost', '[::1]'] }),
    processMetrics: true,
    ...options,
  });
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 5000, keepAliveTimeout: 5000, maxHeaderSize: 16 << 10 },
    handler,
  );
  server.maxConnections = 1000;
  await listen(server, port, host);
  const looking =
    reloadSeconds > 0 && source.reload
      ? setInterval(() => {
          source.reload!().catch((error: unknown) => options.onError?.(error, 'reload'));
        }, reloadSeconds * 1000).unref()
      : undefined;
  const { address, port: bound, family } = server.address() as AddressInfo;
  return {
    address: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}/`,
    close: (graceMs = 2000) =>
      new Promise((resolve) => {
        clearInterval(looking);
        const timer = setTimeout(() => server.closeAllConnections(), graceMs);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
        server.closeIdleConnections();
      }),
  };
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
