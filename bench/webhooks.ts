import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Account } from "#contract/integrations.ts";
import { connect } from "#server/db/database.ts";
import { startEmbedded } from "#server/db/embedded/embedded.ts";
import { migrate } from "#server/db/migrate.ts";
import { startEmulator } from "#server/delivery/transports/http/emulator.ts";
import type { EmulatedCall } from "#server/delivery/transports/http/emulator.ts";
import {
  EMULATED_KEY,
  EMULATED_VERIFICATION_KEY,
  sendgridCall,
  sendgridEmulator,
  sendgridEvent,
} from "#server/delivery/transports/sendgrid/emulator.ts";
import { startWorker } from "#server/delivery/worker.ts";
import { fanOutAnew } from "./people/fan-out.ts";
import type { FanOutTimes } from "./people/fan-out.ts";
import { openHouse } from "./people/house.ts";

/**
 * Delivery reports through the front door: signed calls of a hundred events over HTTP, a few at a time, while a worker
 * applies them. Events a second as a ratio to inserting as many bare rows one by one, in the same run. Then what the
 * indexes on deliveries by which receipts and replies find theirs cost a fan-out. `node bench/webhooks.ts [events]
 * [people]`.
 */

const EVENTS = Number(process.argv[2] ?? 10_000);
const PEOPLE = Number(process.argv[3] ?? 100_000);
const BATCH = 100;
const AT_ONCE = 4;
const ROUNDS = 2;

const dataDir = await mkdtemp(join(tmpdir(), "porchlight-bench-"));
const quiet = { info: () => undefined, warn: console.warn, error: console.error };
const server = await startEmbedded({ dataDir, log: quiet });
const db = connect(server.url, { answerWithin: 0 });
try {
  await migrate(db);
  await timeReports();
  await timeIndexes();
} finally {
  await db.destroy();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}

async function timeReports(): Promise<void> {
  const emulator = await startEmulator(sendgridEmulator);
  const { call, app, transports, close } = await openHouse(db, server.url, {
    SENDGRID_API_URL: emulator.url,
  });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const settings = { apiKey: EMULATED_KEY, verificationKey: EMULATED_VERIFICATION_KEY };
  const account = (await call("POST", "/api/integrations", {
    channel: "email",
    kind: "sendgrid",
    settings: { ...settings, fromEmail: "notices@maple.example", fromName: "Maple" },
  })) as Account;
  const worker = startWorker({
    db,
    listenUrl: server.url,
    transports,
    linksFor: (token) => ({
      unsubscribe: `https://x.example/u/${token}`,
      preferences: `https://x.example/p/${token}`,
    }),
    log: quiet,
  });
  await sql`INSERT INTO users (username, email, first_name, last_name, role)
    SELECT 'p' || n, 'p' || n || '@example.com', 'Pat', 'Lee', 'tenant' FROM generate_series(1, ${EVENTS}::int) n`.execute(
    db,
  );
  await call("POST", "/api/send-notification", {
    title: "Water off",
    message: "No water on Tuesday.",
    recipients: "Everyone",
    channels: ["email"],
  });
  const accepted = sql`SELECT FROM deliveries WHERE status = 'accepted' HAVING count(*) = ${EVENTS}`;
  await until(accepted);

  const url = `${address}${new URL(account.webhook?.url ?? "").pathname}`;
  const events = emulator.received.map((message, n) =>
    sendgridEvent({ message, what: "delivered", eventId: `event-${n}`, at: new Date() }),
  );
  const calls = Array.from({ length: Math.ceil(EVENTS / BATCH) }, (_, n) =>
    sendgridCall(url, events.slice(n * BATCH, (n + 1) * BATCH)),
  );
  const bare = await timeBareInserts(events);
  const began = performance.now();
  const answers = (await timeCalls(calls)).toSorted((a, b) => a - b);
  const seconds = (performance.now() - began) / 1000;
  await until(sql`SELECT WHERE NOT EXISTS (SELECT FROM receipts WHERE processed_at IS NULL)`);
  const applied = (performance.now() - began) / 1000;
  await until(sql`SELECT FROM deliveries WHERE status = 'delivered' HAVING count(*) = ${EVENTS}`);

  const at = (share: number) => `${answers[Math.floor(share * (answers.length - 1))]?.toFixed(1)} ms`;
  console.log(`${EVENTS} events in calls of ${BATCH}, ${AT_ONCE} at a time:`);
  console.log(`  answered within ${at(0.5)} (p50), ${at(0.99)} (p99)`);
  console.log(
    `  ${Math.round(EVENTS / seconds)} events/s answered, ${Math.round(EVENTS / applied)} events/s applied, ` +
      `${Math.round(EVENTS / bare)} bare inserts/s`,
  );
  console.log(
    `  ${(bare / seconds).toFixed(2)} times as fast as bare inserts (aim: 0.5), ${(bare / applied).toFixed(2)} until applied`,
  );
  await worker.stop();
  await close();
  await emulator.close();
}

async function timeCalls(calls: readonly EmulatedCall[]): Promise<number[]> {
  const waiting = calls.values();
  const answers: number[] = [];
  const one = async () => {
    for (const { url, headers, body } of waiting) {
      const started = performance.now();
      const { status } = await fetch(url, { method: "POST", headers, body });
      if (status !== 200) throw new Error(`A call was answered with status ${status}`);
      answers.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return answers;
}

/** Seconds that it takes to insert one row per event over one connection, each in its own transaction. */
async function timeBareInserts(events: readonly object[]): Promise<number> {
  await sql`CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event jsonb NOT NULL)`.execute(
    db,
  );
  const rows = events.map((event) => JSON.stringify(event));
  const began = performance.now();
  await db.connection().execute(async (connection) => {
    for (const row of rows) await sql`INSERT INTO bare (event) VALUES (${row})`.execute(connection);
  });
  return (performance.now() - began) / 1000;
}

/** With and without in turn, so that a machine that slows down does so for both; the best round of each counts. */
async function timeIndexes(): Promise<void> {
  const times = { with: [] as FanOutTimes[], without: [] as FanOutTimes[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const how of round % 2 === 0 ? (["with", "without"] as const) : (["without", "with"] as const)) {
      const taken = await fanOutAnew(db, {
        serverUrl: server.url,
        name: `fan_out_${how}_${round}`,
        people: PEOPLE,
        channels: ["email", "sms"],
        prepare: async (copy) => {
          await sql`VACUUM (ANALYZE)`.execute(copy);
          if (how === "without")
            await sql`DROP INDEX deliveries_provider_message, deliveries_texted`.execute(copy);
        },
      });
      times[how].push(taken);
    }
  }
  const best = (what: keyof FanOutTimes, how: keyof typeof times) =>
    Math.min(...times[how].map((taken) => taken[what]));
  const ratio = (what: keyof FanOutTimes) => (best(what, "with") / best(what, "without")).toFixed(2);
  console.log(`Fan-out to ${PEOPLE} people by email and text message:`);
  console.log(
    `  with the indexes for receipts and replies ÷ without: ${ratio("all")} of the time, ${ratio("written")} of the bytes ` +
      `written (${(best("all", "with") / 1000).toFixed(1)} and ${(best("all", "without") / 1000).toFixed(1)} s)`,
  );
}

async function until(question: ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const { rows } = await question.execute(db);
    if (rows.length > 0) return;
    await sleep(20);
  }
}
