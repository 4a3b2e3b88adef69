// One piece of work on one queue in a process of its own; the result is a line of JSON:
//   driver.mjs QUEUE TARGET WORK '{"count": 10000, …}'
// Does the same as dev.postrider.bench.peers.Work, which says what each piece of work is.
import { writeSync } from 'node:fs';
import { queues } from './queues.mjs';

const [, , name, target, work, settings] = process.argv;
const { count, keys, callers, bulk, failEvery, underWay, perSecond, waiting } = JSON.parse(settings);
const TEXT = 'x'.repeat(160);

const item = (n) => ({ n, key: `chat-${n % keys}`, seq: Math.floor(n / keys), text: TEXT });
const now = () => performance.now();
const print = (line) => writeSync(1, line + '\n');

/** Waits for its turn among so many. */
class Permits {
  #free;
  #waiting = [];
  constructor(free) {
    this.#free = free;
  }
  async acquire() {
    if (this.#free > 0) this.#free--;
    else await new Promise((resolve) => this.#waiting.push(resolve));
  }
  release() {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free++;
  }
}

/** Ends per second, of which the first third warms up. */
class Meter {
  #ended = 0;
  #from = 0;
  #finish;
  rate = new Promise((resolve) => (this.#finish = resolve));
  ended = () => {
    const ended = ++this.#ended;
    if (ended === Math.floor(count / 3)) this.#from = now();
    if (ended === count) this.#finish((1000 * (count - Math.floor(count / 3))) / (now() - this.#from));
  };
}

/** Handles items, fails some of them once, and counts what comes out of turn or again. */
class Checker {
  violations = 0;
  repeats = 0;
  #failed = new Set();
  #handled = new Map();
  handle = (one) => {
    if (failEvery && one.n % failEvery === 0 && !this.#failed.has(one.n)) {
      this.#failed.add(one.n);
      throw new Error('injected');
    }
    const before = this.#handled.get(one.key) ?? -1;
    if (one.seq <= before) this.repeats += one.seq === before ? 1 : 0;
    if (one.seq !== before + 1) this.violations++;
    this.#handled.set(one.key, Math.max(before, one.seq));
  };
}

/** Calls begin(n) for every n, from so many callers, a step at a time; a key's items come from the same caller. */
async function each(total, step, begin) {
  const caller = async (_, i) => {
    for (let n = i * step; n < total; n += callers * step) await begin(n, Math.min(step, total - n));
  };
  await Promise.all(Array.from({ length: callers }, caller));
}

const hand = (queue, from, size) =>
  size === 1
    ? queue.enqueue(item(from))
    : queue.enqueueAll(Array.from({ length: size }, (_, i) => item(from + i)));

async function enqueue(queue) {
  const meter = new Meter();
  await each(count, bulk, async (from, size) => {
    await hand(queue, from, size);
    for (let i = 0; i < size; i++) meter.ended();
  });
  return { perSecond: await meter.rate };
}

async function fifo(queue) {
  const permits = new Permits(underWay);
  const meter = new Meter();
  const checker = new Checker();
  await queue.work(checker.handle, () => {
    permits.release();
    meter.ended();
  });
  await each(count, bulk, async (from, size) => {
    for (let i = 0; i < size; i++) await permits.acquire();
    await hand(queue, from, size);
  });
  return {
    perSecond: await meter.rate,
    violations: checker.violations,
    repeats: checker.repeats,
  };
}

async function latency(queue) {
  const started = new Map();
  const millis = [];
  let handled = () => {};
  let finish;
  const all = new Promise((resolve) => (finish = resolve));
  await queue.work((one) => {
    millis.push(now() - started.get(one.n));
    handled();
    if (millis.length === count) finish();
  }, () => {});
  const begin = now();
  for (let n = 0; n < count; n++) {
    if (perSecond) {
      const due = begin + (1000 * n) / perSecond;
      if (due > now()) await new Promise((resume) => setTimeout(resume, due - now()));
      started.set(n, now());
      void queue.enqueue(item(n));
    } else {
      const seen = new Promise((resolve) => (handled = resolve));
      started.set(n, now());
      await queue.enqueue(item(n));
      await seen;
    }
  }
  await all;
  millis.splice(0, Math.floor(count / 10)); // to warm up
  millis.sort((a, b) => a - b);
  return { p50: millis[millis.length >> 1], p99: millis[Math.floor(millis.length * 0.99)] };
}

async function drain(queue) {
  await each(waiting, bulk, (from, size) => hand(queue, from, size));
  const meter = new Meter();
  await queue.work(() => {}, meter.ended);
  return { perSecond: await meter.rate };
}

/** Prints what was accepted and what was handled, until it is killed. */
async function produce(queue) {
  await queue.work((one) => print(`handled ${one.n}`), () => {});
  await each(Number.MAX_SAFE_INTEGER, 1, async (n) => {
    await queue.enqueue(item(n));
    print(`accepted ${n}`);
  });
}

/** Prints what is handled of what was accepted before, until it is ended. */
async function resume(queue) {
  await queue.work((one) => print(`handled ${one.n}`), () => {});
  await new Promise(() => setInterval(() => {}, 1000));
}

const queue = await queues[name](target);
const result = await { enqueue, fifo, latency, drain, produce, resume }[work](queue);
print(JSON.stringify(result));
process.exit(0);
