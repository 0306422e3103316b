import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import nodemailer from "nodemailer";
import { renderEmail } from "#server/delivery/content/render.ts";
import { compiledEmail, person, sender } from "./message.ts";
import { startPostgres } from "./postgres.ts";
import { delivered, importPeople, send, Worlds } from "./product.ts";
import { now, startSink } from "./sink-process.ts";
import { printTable, count, type Row } from "./table.ts";

/**
 * Porchlight beside general job queues: one job a message, whose handler renders the mail and gives it to nodemailer's
 * pool, with as many connections and the same sink. From the first job until the last mail is in the sink. The queues
 * are no part of Porchlight: `npm install --prefix FOLDER pg-boss graphile-worker bullmq ioredis`, then
 * `node bench/queues.ts FOLDER [redis://…]`. Without a Redis, BullMQ is left out.
 */

const [folder, redisUrl] = process.argv.slice(2);
if (folder === undefined) {
  console.error("Name the folder where the queues are installed: node bench/queues.ts FOLDER [redis://…]");
  process.exit(1);
}
const installed = createRequire(join(resolve(folder), "queues.js"));
const messages = Number(process.env["BENCH_MESSAGES"] ?? 10_000);
const CONNECTIONS = 20;
/** Jobs in hand, so that no connection waits for the next. */
const AT_ONCE = CONNECTIONS * 2;
/** Jobs fetched at once, where that can be chosen. */
const BATCH = 500;

type Job = { n: number };
type Queue = (databaseUrl: string, handle: (job: Job) => Promise<unknown>) => Promise<() => Promise<unknown>>;
const jobs: Job[] = Array.from({ length: messages }, (_, n) => ({ n: n + 1 }));

const pgBoss: Queue = async (databaseUrl, handle) => {
  const { PgBoss } = installed("pg-boss") as { PgBoss: new (url: string) => PgBossLike };
  const boss = new PgBoss(databaseUrl);
  boss.on("error", console.error);
  await boss.start();
  await boss.createQueue("mail");
  await boss.insert(
    "mail",
    jobs.map((data) => ({ data })),
  );
  const options = { batchSize: BATCH, pollingIntervalSeconds: 0.5 };
  await boss.work("mail", options, (batch) => Promise.all(batch.map(({ data }) => handle(data))));
  return () => boss.stop({ graceful: true });
};
type PgBossLike = {
  on(event: "error", listener: (error: unknown) => void): void;
  start(): Promise<unknown>;
  createQueue(name: string): Promise<unknown>;
  insert(name: string, jobs: { data: Job }[]): Promise<unknown>;
  work(
    name: string,
    options: object,
    handler: (batch: { data: Job }[]) => Promise<unknown>,
  ): Promise<unknown>;
  stop(options: object): Promise<unknown>;
};

const graphileWorker: Queue = async (databaseUrl, handle) => {
  const { run, makeWorkerUtils, Logger } = installed("graphile-worker") as {
    Logger: new (of: () => () => void) => object;
    run: (options: object) => Promise<{ stop: () => Promise<unknown> }>;
    makeWorkerUtils: (options: object) => Promise<{
      migrate: () => Promise<unknown>;
      addJobs: (specs: object[]) => Promise<unknown>;
      release: () => Promise<unknown>;
    }>;
  };
  const connectionString = databaseUrl;
  const utils = await makeWorkerUtils({ connectionString });
  await utils.migrate();
  await utils.addJobs(jobs.map((payload) => ({ identifier: "mail", payload })));
  await utils.release();
  const runner = await run({
    preset: {
      worker: {
        connectionString,
        // It would print a line for each job.
        logger: new Logger(() => () => undefined),
        concurrentJobs: AT_ONCE,
        maxPoolSize: 10,
        localQueue: { size: BATCH },
        completeJobBatchDelay: 0,
      },
    },
    taskList: { mail: (job: Job) => handle(job).then(() => undefined) },
    noHandleSignals: true,
  });
  return () => runner.stop();
};

const bullMq: Queue = async (_, handle) => {
  const { Queue, Worker } = installed("bullmq") as {
    Queue: new (
      name: string,
      options: object,
    ) => { addBulk(jobs: object[]): Promise<unknown>; close(): Promise<unknown> };
    Worker: new (
      name: string,
      handler: (job: { data: Job }) => Promise<unknown>,
      options: object,
    ) => { close(): Promise<unknown> };
  };
  const connection = { url: redisUrl, maxRetriesPerRequest: null };
  const queue = new Queue(`mail-${process.pid}`, { connection });
  await queue.addBulk(jobs.map((data) => ({ name: "mail", data })));
  const worker = new Worker(`mail-${process.pid}`, ({ data }) => handle(data).then(() => undefined), {
    connection,
    concurrency: AT_ONCE,
  });
  return async () => {
    await worker.close();
    await queue.close();
  };
};

const postgres = await startPostgres();
const worlds = new Worlds(postgres.url);
const sink = await startSink();
try {
  const ours = await throughPorchlight();
  const queues = Object.entries({
    "pg-boss": pgBoss,
    "graphile-worker": graphileWorker,
    ...(redisUrl !== undefined && { BullMQ: bullMq }),
  });
  const rows: Row[] = [];
  for (const [name, queue] of queues) {
    const theirs = await throughQueue(queue);
    rows.push({
      what: `Porchlight ÷ ${name}`,
      figure: `${count(ours)} and ${count(theirs)} emails/s`,
      value: ours / theirs,
      unit: "x",
    });
  }
  printTable(rows);
} finally {
  sink.stop();
  await worlds.close();
  await postgres.stop();
}

function throughPorchlight(): Promise<number> {
  const environment = { SMTP_URL: `smtp://127.0.0.1:${sink.port}`, SMTP_FROM: "office@maple.example" };
  return worlds.with(environment, async (world) => {
    await importPeople(world, messages, person);
    const arrived = sink.expect(messages);
    const started = now();
    const id = await send(world, "All Tenants", { channels: ["email"] });
    const ms = (await arrived) - started;
    await delivered(world, id);
    return (messages * 1000) / ms;
  });
}

async function throughQueue(queue: Queue): Promise<number> {
  const pool = nodemailer.createTransport({
    host: "127.0.0.1",
    port: sink.port,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Infinity,
  });
  const arrived = sink.expect(messages);
  const started = performance.now();
  const stop = await queue(postgres.url, ({ n }) => {
    const { firstName, propertyUnit, email } = person(n);
    const links = {
      unsubscribe: `https://maple.example/u/${n}`,
      preferences: `https://maple.example/p/${n}`,
    };
    return pool.sendMail({
      from: { name: sender.siteName, address: "office@maple.example" },
      to: { name: firstName, address: email },
      ...renderEmail(compiledEmail, { first_name: firstName, property_unit: propertyUnit }, links),
    });
  });
  await arrived;
  const ms = performance.now() - started;
  await stop();
  pool.close();
  return (messages * 1000) / ms;
}
