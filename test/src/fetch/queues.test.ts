import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ownerOf, queueOf } from '../../../src/fetch/owner.ts';
import { backOff, delayOf, httpDate, retryAfter } from '../../../src/fetch/pace.ts';
import { Fifo, Queues } from '../../../src/fetch/queues.ts';
import { Seen } from '../../../src/fetch/seen.ts';
import { SpeedFloor } from '../../../src/fetch/speed-floor.ts';
import { Deadlines, type Watched } from '../../../src/net/limit.ts';

const Q = suite('queues, owners, pace');
/** mulberry32: a number below n, from a seed. */
const random = (seed: number): ((n: number) => number) => {
  let state = seed;
  return (n) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % n;
  };
};

Q('a queue gives one item, then nothing until its delay after the end', () => {
  const queues = new Queues<string>(
    () => 1,
    () => 100,
  );
  queues.add('h', 'a');
  queues.add('h', 'b');
  const { queue, item } = queues.pop(0)!;
  assert.is(item, 'a');
  assert.is(queues.pop(1000), null);
  queues.done(queue, 1000, true);
  assert.is(queues.nextAt(), 1100);
  assert.is(queues.pop(1099), null);
  assert.is(queues.pop(1100)!.item, 'b');
});

Q('against a dumb model: never two of a queue too near, always the one that waited longest, nothing lost', () => {
  for (const [seed, connections] of [
    [1, 1],
    [2, 1],
    [3, 3],
  ] as const) {
    const next = random(seed);
    const queues = new Queues<number>(
      () => connections,
      () => 50,
    );
    const waiting = new Map<string, number[]>();
    const nextAt = new Map<string, number>();
    const flying: { id: string; queue: NonNullable<ReturnType<typeof queues.pop>>['queue'] }[] = [];
    let now = 0;
    let given = 0;
    for (let step = 0; step < 20_000; step++) {
      now += next(8);
      const what = next(4);
      if (what === 0) {
        const id = `h${next(40)}`;
        queues.add(id, step);
        waiting.set(id, [...(waiting.get(id) ?? []), step]);
      } else if (what === 1 && flying.length > 0) {
        const { id, queue } = flying.splice(next(flying.length), 1)[0]!;
        const asked = next(3) > 0;
        queues.done(queue, now, asked);
        if (asked && connections === 1) nextAt.set(id, Math.max(nextAt.get(id) ?? 0, now + 50));
      } else {
        const ready = [...waiting].filter(
          ([id, items]) =>
            items.length > 0 && (nextAt.get(id) ?? 0) <= now && flying.filter((f) => f.id === id).length < connections,
        );
        const popped = queues.pop(now);
        assert.is(popped === null, ready.length === 0, `seed ${seed}, step ${step}`);
        if (!popped) continue;
        const { id } = popped.queue;
        const earliest = Math.min(...ready.map(([other]) => nextAt.get(other) ?? 0));
        assert.is(nextAt.get(id) ?? 0, earliest, `seed ${seed}, step ${step}`);
        assert.is(popped.item, waiting.get(id)!.shift());
        if (connections > 1) nextAt.set(id, now + 50);
        flying.push({ id, queue: popped.queue });
        given++;
      }
    }
    assert.ok(given > 1000);
    assert.is(
      queues.waiting,
      [...waiting.values()].reduce((sum, items) => sum + items.length, 0),
    );
  }
});

Q('a hold lengthens a wait and never shortens one', () => {
  const queues = new Queues<string>(
    () => 1,
    () => 0,
  );
  queues.add('h', 'a');
  const queue = queues.queue('h');
  queues.hold(queue, 500, 'asked to');
  queues.hold(queue, 300, 'asked to');
  assert.is(queues.nextAt(), 500);
  assert.is(queue.held, 'asked to');
});

Q('RU-polite-02: the last of 50,000 hosts costs what the first does, and finished hosts are forgotten', () => {
  const queues = new Queues<number>(
    () => 1,
    () => 10,
  );
  const count = 50_000;
  for (let i = 0; i < count; i++) queues.add(`h${i}`, i);
  const drain = (from: number, to: number): number => {
    const before = process.cpuUsage();
    for (let i = from; i < to; i++) {
      const { queue } = queues.pop(i)!;
      queues.done(queue, i, true);
      assert.ok(queues.forget(queue, i + 10));
    }
    return process.cpuUsage(before).user;
  };
  const quarter = count / 4;
  const first = drain(0, quarter);
  drain(quarter, 3 * quarter);
  const last = drain(3 * quarter, count);
  assert.is(queues.size, 0);
  assert.ok(last < first * 3 + 20_000, `${first} us, then ${last} us`);
});

Q('a fifo is an array', () => {
  const next = random(5);
  const fifo = new Fifo<number>();
  const model: number[] = [];
  for (let i = 0; i < 20_000; i++) {
    const what = next(5);
    if (what < 2) model.push(fifo.push(i) ?? i);
    else if (what === 2) {
      fifo.unshift(i);
      model.unshift(i);
    } else assert.is(fifo.shift(), model.shift());
    assert.is(fifo.size, model.length);
  }
  assert.equal(fifo.drain(), model);
});

Q('each queue has one owner, owners share evenly, and one shard more moves only its share', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `host${i}.example`);
  for (const shards of [1, 2, 3, 4, 8]) {
    const counts = new Array<number>(shards).fill(0);
    for (const id of ids) counts[ownerOf(id, shards)]!++;
    for (const count of counts) assert.ok(Math.abs(count / (ids.length / shards) - 1) < 0.06, String(counts));
  }
  const moved = ids.filter((id) => ownerOf(id, 4) !== ownerOf(id, 5));
  assert.ok(moved.every((id) => ownerOf(id, 5) === 4));
  assert.ok(moved.length < ids.length / 4);
});

Q('a queue is a host, a registered domain or an address', () => {
  assert.is(queueOf('https://a.b.example.co.uk:8080/x', 'host'), 'a.b.example.co.uk');
  assert.is(queueOf('https://a.b.example.co.uk/x', 'domain'), 'example.co.uk');
  assert.is(queueOf('https://a.example/x', 'ip', new Map([['a.example', '192.0.2.1']])), '192.0.2.1');
  assert.is(queueOf('https://b.example/x', 'ip'), 'b.example');
});

Q('the longer of our delay and theirs holds, up to what we wait for', () => {
  assert.is(delayOf(1000, null, 30_000), 1000);
  assert.is(delayOf(1000, 500, 30_000), 1000);
  assert.is(delayOf(1000, 10_000, 30_000), 10_000);
  assert.is(delayOf(1000, 31_000, 30_000), null);
  assert.is(delayOf(1000, 31_000, -1), 31_000);
});

Q('Retry-After is seconds or a date, and nothing else', () => {
  const now = Date.UTC(2026, 10, 30, 12);
  assert.is(retryAfter('20', now), 20_000);
  assert.is(retryAfter(' Mon, 30 Nov 2026 12:00:30 GMT', now), 30_000);
  assert.is(retryAfter('Mon, 30 Nov 2026 11:00:00 GMT', now), 0);
  for (const odd of ['', 'soon', '-5', '1.5', '2026-11-30', '9'.repeat(30)]) assert.is(retryAfter(odd, now), null, odd);
});

Q('an HTTP date in each of its three forms is one time; a day that does not exist is none', () => {
  const time = Date.UTC(1994, 10, 6, 8, 49, 37);
  for (const text of [
    'Sun, 06 Nov 1994 08:49:37 GMT',
    'Sunday, 06-Nov-94 08:49:37 GMT',
    'Sun Nov  6 08:49:37 1994',
    'Sun, 06 Nov 1994 08:49:37 -0000',
  ])
    assert.is(httpDate(text), time, text);
  assert.is(httpDate('Thu, 30 Feb 2023 00:00:00 GMT'), null);
});

Q('back-off doubles, between half a second and five minutes', () => {
  assert.equal(
    [0, 1, 2, 3, 30].map((n) => backOff(1000, n)),
    [1000, 2000, 4000, 8000, 300_000],
  );
  assert.is(backOff(0, 0), 500);
});

Q('the seen set is a set', () => {
  const seen = new Seen();
  const model = new Set<string>();
  const next = random(9);
  for (let i = 0; i < 60_000; i++) {
    const url = `http://host${next(50)}.example/${next(2000)}`;
    assert.is(seen.add(url), !model.has(url));
    model.add(url);
  }
  assert.is(seen.size, model.size);
});

Q('requests at once are counted by queue, as each is allowed', () => {
  const queues = new Queues<number>(
    (id) => (id === 'mine' ? 3 : 1),
    () => 0,
  );
  for (let i = 0; i < 5; i++) for (const id of ['mine', 'other']) queues.add(id, i);
  const open: string[] = [];
  for (let next = queues.pop(0); next !== null; next = queues.pop(0)) open.push(next.queue.id);
  assert.equal(open.sort(), ['mine', 'mine', 'mine', 'other']);
});

Q('a fetch is too slow when it was so for a whole window, not before, and not while it waited for room', () => {
  const floor = new SpeedFloor(10, 1000);
  let pages = 0;
  let at = 0;
  const run = (ms: number, perSecond: number): boolean => {
    let slow = false;
    for (const end = at + ms; at < end; ) {
      at += 100;
      pages += perSecond / 10;
      slow ||= floor.tooSlow(at, pages);
    }
    return slow;
  };
  assert.not(run(5000, 20));
  assert.not(run(400, 0), 'slow, but not for long enough');
  assert.not(run(5000, 20));
  assert.ok(run(1000, 5));
  floor.forget();
  assert.not(run(1000, 0));
  assert.ok(run(200, 0));
  pages = 0; // a thread took its count with it
  assert.not(run(900, 5));
  const never = new SpeedFloor(0, 1000);
  for (let t = 0; t < 5000; t += 100) assert.not(never.tooSlow(t, 0));
});

Q('a body slower than the least rate is given up after ten seconds, one that is fast enough is not', () => {
  let clock = 0;
  const deadlines = new Deadlines(() => clock);
  const limits = { maxBody: 1 << 20, timeout: 1e9, firstByteTimeout: 1000, minRate: 100 };
  const ended: string[] = [];
  const watched = (name: string): Watched => ({
    started: 0,
    bytes: 0,
    limits,
    end: (why) => ended.push(`${name} ${why}`),
  });
  const [slow, fast, free] = [
    watched('slow'),
    watched('fast'),
    { ...watched('free'), limits: { ...limits, minRate: 0 } },
  ];
  for (const one of [slow, fast, free]) deadlines.watch(one);
  const until = (ms: number): void => {
    while (clock < ms) {
      clock += 200; // as often as it looks by itself
      slow.bytes = (clock * 99) / 1000;
      fast.bytes = (clock * 101) / 1000;
      deadlines.tick();
    }
  };
  until(10_000);
  assert.equal(ended, []);
  until(60_000);
  assert.equal(ended, ['slow stalled']);
  for (const one of [fast, free]) deadlines.unwatch(one);
});

Q.run();
