import type { Reason } from '../page/reason.ts';
import type { Limits } from './limit.ts';

/** What is asked of a server, and what it answers: see get.ts. */
export interface Request {
  readonly url: URL;
  /** Names and values in turn, beside ours: validators, cookies. */
  readonly headers?: readonly string[];
  /** Asked after the head; false: the body is not wanted, and not read where that saves anything. */
  readonly accept?: (head: Head) => boolean;
  /** Give what came of a body that broke off, instead of a failure. */
  readonly keepPartial?: boolean;
  /** By a parser that takes a head which breaks the rules; see lenient.ts. */
  readonly lenient?: boolean;
  readonly method?: 'GET' | 'POST';
  readonly body?: string;
  /** Only what differs from the limits of the client. */
  readonly limits?: Partial<Limits>;
}

export type Answer = Response | Failure;

export interface Response {
  readonly kind: 'response';
  readonly head: Head;
  /** Without its coding; owned by the caller. Empty when it was not wanted. */
  readonly body: Buffer;
  /** As received: the same buffer where there was no coding. */
  readonly raw: Buffer;
  /** Why the body is not whole; '' when it is. `refused`: `accept` said no. */
  readonly cut: '' | 'length' | 'reset' | 'refused';
  /** What was odd about the body, for people; '' when nothing was. */
  readonly problem: string;
  /** The coding could not be undone: `body` is no text. */
  readonly undecodable: boolean;
  readonly ip: string;
  /** ms since the epoch. */
  readonly started: number;
  /** From the first byte sent to the last received, ms. */
  readonly responseMs: number;
  /** Bytes counted in the budget for this answer, until it is released. */
  readonly held: number;
  /** Gives body and raw back: neither may be looked at after. Once. */
  release(): void;
}

export interface Failure {
  readonly kind: 'failure';
  readonly reason: Reason;
  /** One sentence fragment for people; never a credential. */
  readonly detail: string;
  readonly ip: string;
  readonly started: number;
  readonly responseMs: number;
}

/** Status and headers. Values are Latin-1, as they came. */
export class Head {
  readonly status: number;
  readonly statusText: string;
  readonly #raw: readonly Uint8Array[];
  #lines: readonly (readonly [name: string, value: string])[] | null = null;

  constructor(status: number, statusText: string, raw: readonly Uint8Array[]) {
    this.status = status;
    this.statusText = statusText;
    this.#raw = raw;
  }

  /** The first value of a header, by its lower-case name; '' when there is none. */
  get(name: string): string {
    const at = this.#find(name, 0);
    return at < 0 ? '' : latin1(this.#raw[at + 1]!);
  }

  /** Every value of a header that may come more than once. */
  all(name: string): string[] {
    const values: string[] = [];
    for (let at = this.#find(name, 0); at >= 0; at = this.#find(name, at + 2)) values.push(latin1(this.#raw[at + 1]!));
    return values;
  }

  /** Where a header of that name stands, from a place on; -1: nowhere. By bytes: a page asks for a dozen of them. */
  #find(name: string, from: number): number {
    const raw = this.#raw;
    for (let i = from; i + 1 < raw.length; i += 2) if (isNamed(raw[i]!, name)) return i;
    return -1;
  }

  /** As they came. */
  lines(): readonly (readonly [name: string, value: string])[] {
    if (this.#lines !== null) return this.#lines;
    const lines: (readonly [string, string])[] = [];
    for (let i = 0; i + 1 < this.#raw.length; i += 2) lines.push([latin1(this.#raw[i]!), latin1(this.#raw[i + 1]!)]);
    this.#lines = lines;
    return lines;
  }
}

/** Whether a header's name is that one, in lower-case ASCII, in any case. */
function isNamed(raw: Uint8Array | string, name: string): boolean {
  if (raw.length !== name.length) return false;
  if (typeof raw === 'string') return raw.toLowerCase() === name;
  for (let i = 0; i < raw.length; i++) {
    const c = raw[i]!;
    if ((c >= 65 && c <= 90 ? c | 32 : c) !== name.charCodeAt(i)) return false;
  }
  return true;
}

const latin1 = (bytes: Uint8Array | string): string =>
  typeof bytes === 'string' ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
