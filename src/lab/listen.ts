import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}

/**
 * A plain HTTP server on a loopback address; nothing of the lab is reachable from elsewhere. Connections stay open for
 * as long as a client likes, so that closing an idle one never races with a request.
 * @throws the error of `listen`; and a RangeError for an address that is not loopback
 */
export async function listenOnLoopback(handler: RequestListener, host = '127.0.0.1', port = 0): Promise<Listening> {
  if (!/^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host)) throw new RangeError(`${host} is no loopback address`);
  const server = createServer({ keepAliveTimeout: 0, noDelay: true }, handler);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: 4096 }, resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    origin: `http://${host}:${bound}`,
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
