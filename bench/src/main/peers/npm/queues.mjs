// Each queue with the same three verbs, in the fastest way that its own documentation shows:
//   enqueue(item), enqueueAll(items)   come back when the queue says that it has them
//   work(handle, ended)                gives items to handle, which throws to fail; calls ended when the queue knows of an end
// An item is { n, key, seq, text }: number n, the seq-th of its key.

async function plainjob(target) {
  const [{ default: Database }, { better, defineQueue, defineWorker }] = await Promise.all([
    import('better-sqlite3'),
    import('plainjob'),
  ]);
  const connection = better(new Database(target));
  const logger = { error() {}, warn() {}, info() {}, debug() {} };
  const queue = defineQueue({ connection, logger });
  connection.pragma('synchronous = FULL'); // its own default, NORMAL, does not wait for the disk
  let worker;
  return {
    enqueue: async (item) => void queue.add('send', item),
    enqueueAll: async (items) => void queue.addMany('send', items),
    work(handle, ended) {
      worker = defineWorker(
        'send',
        async (job) => {
          const item = JSON.parse(job.data);
          try {
            handle(item);
          } catch (error) {
            queue.add('send', item); // it has no retries of its own
            return;
          }
          ended();
        },
        { queue, logger, pollIntervall: 1 },
      );
      worker.start();
    },
  };
}

async function bunqueue(target) {
  const { Queue, Worker } = await import('bunqueue/client');
  const options = { embedded: true, dataPath: target };
  const queue = new Queue('send', options);
  const job = (item) => ({
    name: 'send',
    data: item,
    opts: {
      durable: true,
      removeOnComplete: true,
      attempts: 5,
      backoff: 1,
      group: { id: item.key },
    },
  });
  let worker;
  return {
    async enqueue(item) {
      const { name, data, opts } = job(item);
      await queue.add(name, data, opts);
    },
    enqueueAll: (items) => queue.addBulk(items.map(job)),
    work(handle, ended) {
      worker = new Worker('send', async ({ data }) => handle(data), {
        ...options,
        concurrency: 100,
        batchSize: 100,
        group: { concurrency: 1 },
      });
      worker.on('completed', () => ended());
    },
  };
}

async function groupmq(target) {
  const [{ default: Redis }, { Queue, Worker }] = await Promise.all([
    import('ioredis'),
    import('groupmq'),
  ]);
  const redis = new Redis(target, { maxRetriesPerRequest: null });
  const queue = new Queue({ redis, namespace: 'bench', maxAttempts: 5, keepCompleted: 0 });
  const add = (item) => queue.add({ groupId: item.key, data: item });
  let worker;
  return {
    enqueue: add,
    enqueueAll: (items) => Promise.all(items.map(add)), // it has no bulk call; ioredis pipelines
    work(handle, ended) {
      worker = new Worker({
        queue,
        concurrency: 64,
        backoff: () => 1,
        handler: async ({ data }) => handle(data),
      });
      worker.on('completed', () => ended());
      worker.run();
    },
  };
}

async function bullmq(target) {
  const { Queue, Worker } = await import('bullmq');
  const { hostname: host, port } = new URL(target);
  const connection = { host, port: Number(port), maxRetriesPerRequest: null };
  const queue = new Queue('send', { connection });
  const opts = {
    attempts: 5,
    backoff: { type: 'fixed', delay: 1 },
    removeOnComplete: true,
    removeOnFail: true,
  };
  let worker;
  return {
    enqueue: (item) => queue.add('send', item, opts),
    enqueueAll: (items) => queue.addBulk(items.map((data) => ({ name: 'send', data, opts }))),
    work(handle, ended) {
      worker = new Worker('send', async ({ data }) => handle(data), {
        connection,
        concurrency: 100,
      });
      worker.on('completed', () => ended());
    },
  };
}

async function pgboss(target) {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ connectionString: target, max: 20 });
  boss.on('error', () => {});
  await boss.start();
  await boss.createQueue('send', {
    policy: 'key_strict_fifo',
    retryLimit: 5,
    retryDelay: 0,
  });
  let on = true;
  const workers = [];
  return {
    enqueue: (item) => boss.send('send', item, { singletonKey: item.key }),
    enqueueAll: (items) =>
      boss.insert(
        'send',
        items.map((data) => ({ data, singletonKey: data.key })),
      ),
    work(handle, ended) {
      const loop = async () => {
        while (on) {
          const jobs = await boss.fetch('send', { batchSize: 100 });
          if (!jobs?.length) {
            await new Promise((resume) => setTimeout(resume, 5));
            continue;
          }
          const done = [];
          const failed = [];
          for (const job of jobs) {
            try {
              handle(job.data);
              done.push(job);
            } catch {
              failed.push(job);
            }
          }
          if (done.length) await boss.complete('send', done.map((job) => job.id));
          if (failed.length) await boss.fail('send', failed.map((job) => job.id));
          done.forEach(() => ended());
        }
      };
      for (let i = 0; i < 4; i++) workers.push(loop());
    },
  };
}

async function graphile(target) {
  const { Logger, makeWorkerUtils, run } = await import('graphile-worker');
  const logger = new Logger(() => () => {});
  const { default: pg } = await import('pg');
  const pgPool = new pg.Pool({ connectionString: target, max: 32 });
  pgPool.on('error', () => {});
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  const spec = (item) => ({ queueName: item.key, maxAttempts: 25 });
  let runner;
  return {
    enqueue: (item) => utils.addJob('send', item, spec(item)),
    enqueueAll: (items) =>
      utils.addJobs(items.map((item) => ({ identifier: 'send', payload: item, ...spec(item) }))),
    async work(handle, ended) {
      runner = await run({
        pgPool,
        logger,
        concurrency: 24,
        pollInterval: 100,
        noHandleSignals: true,
        taskList: { send: async (item) => handle(item) },
      });
      runner.events.on('job:success', () => ended());
    },
  };
}

export const queues = { plainjob, bunqueue, groupmq, bullmq, 'pg-boss': pgboss, graphile };
