/**
 * What may be fetched next: queues of items, in a heap by the time at which each may be asked again. Takes the time as an
 * argument, opens no socket, knows no URL.
 *
 * A queue is in the heap exactly while it has items and a free place; so a pop costs O(log queues), and fifty thousand
 * hosts of one page each cost what one host of fifty thousand costs.
 */
export interface Queue<T> {
  readonly id: string;
  /** Pause in ms: after an answer, or between starts when several requests may be open. */
  delayMs: number;
  /** Not before this time. */
  nextAt: number;
  inFlight: number;
  /** Requests at once; above 1 the delay lies between starts. */
  readonly connections: number;
  /** Failures in a row. */
  failures: number;
  /** Why it waits longer than its delay, for people; '' when it does not. */
  held: string;
  /** Items wait here, in the order they came. */
  readonly items: Fifo<T>;
  /** Place in the heap; -1: not in it. */
  place: number;
}

/** First in, first out, without shifting an array: what was taken is cut off when it is half of it. */
export class Fifo<T> {
  #items: T[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }
  push(item: T): void {
    this.#items.push(item);
  }
  /** To the front: an item that is tried again keeps its turn. */
  unshift(item: T): void {
    if (this.#head > 0) this.#items[--this.#head] = item;
    else this.#items.unshift(item);
  }
  shift(): T | undefined {
    if (this.#head >= this.#items.length) return undefined;
    const item = this.#items[this.#head]!;
    this.#items[this.#head++] = undefined as T;
    if (this.#head > 32 && this.#head * 2 > this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return item;
  }
  /** Takes all out, in order. */
  drain(): T[] {
    const rest = this.#items.slice(this.#head);
    this.#items = [];
    this.#head = 0;
    return rest;
  }
}

export class Queues<T> {
  readonly #byId = new Map<string, Queue<T>>();
  readonly #heap: Queue<T>[] = [];
  readonly #connections: (id: string) => number;
  readonly #delayMs: (id: string) => number;
  /** Items waiting, over all queues. */
  waiting = 0;

  /**
   * @param connections requests at once to a queue, by its id; above 1 the delay lies between starts
   * @param delayMs of a queue by its id, until somebody asks for more
   */
  constructor(connections: (id: string) => number, delayMs: (id: string) => number) {
    this.#connections = connections;
    this.#delayMs = delayMs;
  }

  /** The queue of that id, made when it is new: a new one may be asked at once. */
  queue(id: string): Queue<T> {
    let queue = this.#byId.get(id);
    if (!queue) {
      queue = {
        id,
        delayMs: this.#delayMs(id),
        nextAt: 0,
        inFlight: 0,
        connections: this.#connections(id),
        failures: 0,
        held: '',
        items: new Fifo<T>(),
        place: -1,
      };
      this.#byId.set(id, queue);
    }
    return queue;
  }

  get size(): number {
    return this.#byId.size;
  }
  all(): IterableIterator<Queue<T>> {
    return this.#byId.values();
  }

  add(id: string, item: T): void {
    const queue = this.queue(id);
    queue.items.push(item);
    this.waiting++;
    this.#settle(queue);
  }

  /** Gives an item back to the front of its queue. */
  again(queue: Queue<T>, item: T): void {
    queue.items.unshift(item);
    this.waiting++;
    this.#settle(queue);
  }

  /** The next item whose queue may be asked now, and its queue; null: none yet. Counts as in flight until `done`. */
  pop(now: number): { queue: Queue<T>; item: T } | null {
    const queue = this.#heap[0];
    if (!queue || queue.nextAt > now) return null;
    const item = queue.items.shift()!;
    this.waiting--;
    queue.inFlight++;
    queue.held = '';
    if (queue.connections > 1) queue.nextAt = now + queue.delayMs;
    this.#settle(queue);
    return { queue, item };
  }

  /** When the next pop can succeed; Infinity: only after a `done` or an `add`. */
  nextAt(): number {
    return this.#heap[0]?.nextAt ?? Number.POSITIVE_INFINITY;
  }

  /**
   * An item has been dealt with. `asked`: a request was made, so the delay starts now (with one connection; with several
   * it started with the request).
   */
  done(queue: Queue<T>, now: number, asked: boolean): void {
    queue.inFlight--;
    if (asked && queue.connections === 1) queue.nextAt = Math.max(queue.nextAt, now + queue.delayMs);
    this.#settle(queue);
  }

  /** Nothing more of this queue before `until`; never shortens a wait. */
  hold(queue: Queue<T>, until: number, why: string): void {
    if (until <= queue.nextAt) return;
    queue.nextAt = until;
    queue.held = why;
    this.#settle(queue);
  }

  /** Takes a queue's waiting items out, for good. */
  drain(queue: Queue<T>): T[] {
    const rest = queue.items.drain();
    this.waiting -= rest.length;
    this.#settle(queue);
    return rest;
  }

  /** Forgets a queue that is idle and may be asked: it holds nothing that a new one would not have. */
  forget(queue: Queue<T>, now: number): boolean {
    if (queue.items.size > 0 || queue.inFlight > 0 || queue.nextAt > now || queue.failures > 0) return false;
    return this.#byId.delete(queue.id);
  }

  /** In the heap if, and only if, it has items and a free place; and where its time puts it. */
  #settle(queue: Queue<T>): void {
    const wanted = queue.items.size > 0 && queue.inFlight < queue.connections;
    if (!wanted) {
      if (queue.place >= 0) this.#remove(queue);
      return;
    }
    if (queue.place < 0) {
      queue.place = this.#heap.length;
      this.#heap.push(queue);
    }
    this.#up(queue.place);
    this.#down(queue.place);
  }

  #remove(queue: Queue<T>): void {
    const last = this.#heap.pop()!;
    if (last !== queue) {
      last.place = queue.place;
      this.#heap[last.place] = last;
      this.#up(last.place);
      this.#down(last.place);
    }
    queue.place = -1;
  }

  #up(from: number): void {
    const heap = this.#heap;
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.nextAt <= heap[at]!.nextAt) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #down(from: number): void {
    const heap = this.#heap;
    let at = from;
    while (true) {
      const left = at * 2 + 1;
      let least = at;
      if (left < heap.length && heap[left]!.nextAt < heap[least]!.nextAt) least = left;
      if (left + 1 < heap.length && heap[left + 1]!.nextAt < heap[least]!.nextAt) least = left + 1;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap;
    const held = heap[a]!;
    heap[a] = heap[b]!;
    heap[b] = held;
    heap[a]!.place = a;
    heap[b]!.place = b;
  }
}
