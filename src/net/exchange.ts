import type { Dispatcher } from 'undici';
import { FIRST_PIECE, giveBuffer, takeBuffer } from './buffers.ts';
import { decodeBody } from './decode.ts';
import { overrunReason, reasonOf } from './errors.ts';
import type { LenientHandler } from './lenient.ts';
import type { Deadlines, Limits, Overrun, Watched } from './limit.ts';
import { type Failure, Head, type Request, type Response } from './message.ts';

/** A body that is not wanted but as short as this is read to its end: that keeps the connection. */
const READ_TO_END = 64 << 10;

/** Where held bytes are counted; see fetch/budget.ts. */
export interface ByteCount {
  add(bytes: number): void;
}

/** As much of a dispatcher as is used, with a handler of undici's older kind, which gets the raw head. */
export interface Dispatch {
  dispatch(
    given: { origin: string; path: string; method: 'GET' | 'POST'; headers: string[]; body?: string },
    handler: LenientHandler & Dispatcher.DispatchHandler,
  ): unknown;
}

/** A failure, and whether a connection that had been idle explains it. */
export class Broken {
  readonly failure: Failure;
  readonly stale: boolean;

  constructor(failure: Failure, stale: boolean) {
    this.failure = failure;
    this.stale = stale;
  }
}

/** One request and what comes back; undici calls it, the deadlines watch it. */
export class Exchange implements Watched {
  started = 0;
  bytes = -1;
  readonly limits: Limits;
  readonly #request: Request;
  readonly #deadlines: Deadlines;
  readonly #count: ByteCount;
  readonly #startedAt: number;
  #sent = performance.now();
  #ended = 0;
  #head: Head | null = null;
  #buffer: Buffer | null = null;
  #used = 0;
  #cut: Response['cut'] = '';
  #error: Error | null = null;
  #overrun: Overrun | null = null;
  #abort: ((reason?: Error) => void) | null = null;
  #done: (() => void) | null = null;

  /** @param startedAt ms since the epoch */
  constructor(request: Request, limits: Limits, deadlines: Deadlines, count: ByteCount, startedAt: number) {
    this.#startedAt = startedAt;
    this.#request = request;
    this.limits = limits;
    this.#deadlines = deadlines;
    this.#count = count;
  }

  run(dispatcher: Dispatch, headers: readonly string[]): Promise<void> {
    const { url, method = 'GET', body, headers: more = [] } = this.#request;
    return new Promise((resolve) => {
      this.#done = resolve;
      this.#deadlines.watch(this);
      try {
        dispatcher.dispatch(
          {
            origin: url.origin,
            path: url.pathname + url.search,
            method,
            headers: [...headers, ...more],
            ...(body === undefined ? {} : { body }),
          },
          this,
        );
      } catch (error) {
        this.onError(error as Error);
      }
    });
  }

  end(why: Overrun): void {
    this.#overrun = why;
    this.#stop();
  }

  onConnect(abort: (reason?: Error) => void): void {
    this.#abort = abort;
    this.#sent = performance.now();
    if (this.#ended !== 0) abort(new Error('given up before it was sent'));
  }

  onHeaders(status: number, raw: Buffer[], _resume: () => void, statusText: string): boolean {
    if (this.#ended !== 0) return true; // given up, and its buffer may serve another by now
    if (status < 200) return true; // an interim answer; the real one follows, or the first-byte deadline does
    this.bytes = 0;
    this.#head = new Head(status, statusText, raw);
    const length = Number(this.#head.get('content-length') || -1);
    if (this.#request.accept && !this.#request.accept(this.#head)) {
      this.#cut = 'refused';
      if (!(length >= 0 && length <= READ_TO_END)) this.#stop();
      return true;
    }
    const size = length >= 0 ? length : FIRST_PIECE;
    this.#grow(Math.min(size, this.limits.maxBody));
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#ended !== 0) return true;
    this.bytes += chunk.length;
    if (this.#cut === 'refused') {
      if (this.bytes > READ_TO_END) this.#stop();
      return true;
    }
    const room = this.limits.maxBody - this.#used;
    const take = Math.min(room, chunk.length);
    if (this.#used + take > this.#buffer!.length)
      this.#grow(Math.min(this.limits.maxBody, Math.max(this.#used + take, this.#buffer!.length * 2)));
    chunk.copy(this.#buffer!, this.#used, 0, take);
    this.#used += take;
    if (chunk.length > room) {
      this.#cut = 'length';
      this.#stop();
    }
    return true;
  }

  onComplete(): void {
    this.#finish();
  }

  onError(error: Error): void {
    this.#error ??= error;
    this.#finish();
  }

  /** We have what we want, or no longer want it. */
  #stop(): void {
    this.#finish();
    this.#abort?.(new Error('not wanted any more'));
  }

  #grow(size: number): void {
    const larger = takeBuffer(size);
    const before = this.#buffer;
    if (before) before.copy(larger, 0, 0, this.#used);
    this.#count.add(larger.length - (before?.length ?? 0));
    this.#buffer = larger;
    if (before) giveBuffer(before);
  }

  #finish(): void {
    if (this.#ended !== 0) return;
    this.#ended = performance.now();
    this.#deadlines.unwatch(this);
    this.#done!();
  }

  /** Called once, after `run`. */
  async answer(ip: string, reused: boolean): Promise<Response | Broken> {
    const responseMs = Math.max(0, Math.round(this.#ended - this.#sent));
    const common = { ip, started: this.#startedAt, responseMs };
    const head = this.#head;
    const broke = this.#overrun !== null || (this.#error !== null && this.#cut === '');
    if (broke && this.#request.keepPartial && head !== null && this.#used > 0 && this.#overrun === null)
      this.#cut = 'reset';
    else if (broke || head === null) {
      this.#release(this.#buffer?.length ?? 0);
      const [reason, detail] =
        this.#overrun === null
          ? reasonOf(this.#error, this.#request.url.hostname)
          : overrunReason(this.#overrun, this.limits);
      const failed: Failure = { kind: 'failure', reason, detail, ...common };
      return new Broken(failed, reused && head === null && reason === 'reset');
    }
    const buffer = this.#buffer;
    const raw = buffer ? buffer.subarray(0, this.#used) : EMPTY;
    let held = buffer?.length ?? 0;
    const text = /html|text|xml/i.test(head.get('content-type'));
    const decoded = await decodeBody(raw, head.get('content-encoding'), this.limits.maxBody, text);
    if (decoded.body !== raw) {
      this.#count.add(decoded.body.length);
      held += decoded.body.length;
    }
    return {
      kind: 'response',
      head,
      body: decoded.body,
      raw,
      cut: this.#cut === '' && decoded.truncated ? 'length' : this.#cut,
      problem: decoded.problem,
      undecodable: !decoded.ok,
      held,
      release: () => this.#release(held),
      ...common,
    };
  }

  #release(held: number): void {
    this.#count.add(-held);
    if (this.#buffer) giveBuffer(this.#buffer);
    this.#buffer = null;
  }
}

const EMPTY = Buffer.alloc(0);
