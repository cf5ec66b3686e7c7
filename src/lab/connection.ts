import type { Socket } from 'node:net';

/** One request as the lab needs it; it takes no bodies. */
export interface LabRequest {
  readonly method: string;
  /** Path and query, beginning with `/`. */
  readonly path: string;
  /** Without the port, lower-case. */
  readonly host: string;
  readonly ifNoneMatch: string;
  readonly close: boolean;
}

/** Exactly one of the two is called, once, at once or later. */
export interface Respond {
  /** `head` ends with the empty line; `body` null: none is sent. False: the visitor has gone meanwhile. */
  send(head: string, body: Buffer | null): boolean;
  /** Breaks the connection off as a crashing server would. */
  reset(): void;
}

const MAX_HEAD = 64 << 10;

/** Value of a header; `name` is lower-case and has its colon. '' when absent. */
function header(head: string, lower: string, name: string): string {
  const at = lower.indexOf(`\r\n${name}`);
  if (at < 0) return '';
  const start = at + 2 + name.length;
  const end = head.indexOf('\r\n', start);
  return head.slice(start, end < 0 ? head.length : end).trim();
}

function readRequest(head: string): LabRequest {
  const lower = head.toLowerCase();
  const line = head.indexOf('\r\n');
  const [method = '', target = '/', version] = head.slice(0, line < 0 ? head.length : line).split(' ');
  return {
    method,
    path: target.startsWith('http://') ? `/${target.slice(7).split('/').slice(1).join('/')}` : target,
    host: header(head, lower, 'host:').split(':', 1)[0]!.toLowerCase(),
    ifNoneMatch: header(head, lower, 'if-none-match:'),
    close: lower.includes('\r\nconnection: close') || version === 'HTTP/1.0',
  };
}

/**
 * As much HTTP/1.1 as a crawler needs, straight on a socket: node:http would cost more than the crawler it is to
 * measure. Requests of one connection are answered in their order, one at a time; while one waits, further bytes do
 * too. A visitor that does not read is not written to: one answer a connection is all that lies in memory.
 */
export function converse(socket: Socket, handle: (request: LabRequest, respond: Respond) => void): void {
  let waiting = '';
  let busy = false;
  let turning = false;

  const turn = (): void => {
    if (turning) return; // an answer given at once comes back here: the loop below goes on by itself
    turning = true;
    while (!busy && !socket.destroyed) {
      const end = waiting.indexOf('\r\n\r\n');
      if (end < 0) {
        if (waiting.length > MAX_HEAD) socket.destroy();
        break;
      }
      const request = readRequest(waiting.slice(0, end));
      waiting = waiting.slice(end + 4);
      busy = true;
      const free = (): void => {
        busy = false;
        turn();
      };
      handle(request, {
        send(head, body) {
          if (socket.destroyed) return false;
          socket.cork();
          let flushed = socket.write(head, 'latin1');
          if (body?.length) flushed = socket.write(body);
          socket.uncork();
          if (request.close) socket.end();
          else if (flushed) free();
          else socket.once('drain', free);
          return true;
        },
        reset: () => socket.resetAndDestroy(),
      });
    }
    turning = false;
  };

  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    waiting += text;
    turn();
  });
  socket.on('error', () => socket.destroy()); // a visitor that hangs up is no fault of the lab
}
