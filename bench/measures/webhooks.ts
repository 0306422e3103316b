import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Account } from "#contract/calls/integrations.ts";
import type { Db } from "#server/db/database.ts";
import { startEmulator, type EmulatedCall } from "#emulators/emulator.ts";
import {
  EMULATED_KEY,
  EMULATED_VERIFICATION_KEY,
  sendgridCall,
  sendgridEmulator,
  sendgridEvent,
} from "#emulators/sendgrid.ts";
import { person } from "../message.ts";
import { importPeople, send } from "../product.ts";
import { count, percentile, type Row } from "../table.ts";
import type { Bench } from "./measure.ts";

const BATCH = 100;
const AT_ONCE = 4;

/**
 * Delivery reports: signed calls of a hundred events, a few at a time, while the worker applies them, beside inserting
 * as many bare rows one by one.
 */
export async function webhooks({ worlds, messages }: Pick<Bench, "worlds" | "messages">): Promise<Row[]> {
  const emulator = await startEmulator(sendgridEmulator);
  try {
    return await worlds.with({ SENDGRID_API_URL: emulator.url }, async (world) => {
      const { db } = world;
      const account = await world.call<Account>("POST", "/api/integrations", {
        channel: "email",
        kind: "sendgrid",
        settings: {
          apiKey: EMULATED_KEY,
          verificationKey: EMULATED_VERIFICATION_KEY,
          fromEmail: "notices@maple.example",
          fromName: "Maple",
        },
      });
      await importPeople(world, messages, person);
      await send(world, "All Tenants", { channels: ["email"] });
      await until(db, sql`SELECT FROM deliveries WHERE status = 'accepted' HAVING count(*) = ${messages}`);

      const url = world.url + new URL(account.webhook?.url ?? "").pathname;
      const events = emulator.received.map((message, n) =>
        sendgridEvent({ message, what: "delivered", eventId: `event-${n}`, at: new Date() }),
      );
      const calls = Array.from({ length: Math.ceil(messages / BATCH) }, (_, n) =>
        sendgridCall(url, events.slice(n * BATCH, (n + 1) * BATCH)),
      );
      const bare = await timeBareInserts(db, events);
      const began = performance.now();
      const answers = await timeCalls(calls);
      const answered = performance.now() - began;
      await until(db, sql`SELECT FROM deliveries WHERE status = 'delivered' HAVING count(*) = ${messages}`);
      const applied = performance.now() - began;

      const rate = (ms: number) => count((messages * 1000) / ms);
      const ms = (share: number) => `${percentile(answers, share).toFixed(0)} ms`;
      return [
        {
          what: "Webhook events answered ÷ bare inserts one by one",
          figure: `${rate(answered)} and ${rate(bare)} events/s; p50 ${ms(0.5)}, p99 ${ms(0.99)}`,
          value: bare / answered,
          unit: "x",
          aim: { atLeast: 0.5 },
        },
        {
          what: "Webhook events applied ÷ bare inserts one by one",
          figure: `${rate(applied)} and ${rate(bare)} events/s`,
          value: bare / applied,
          unit: "x",
          aim: { atLeast: 0.5 },
        },
      ];
    });
  } finally {
    await emulator.close();
  }
}

/** Milliseconds until the answer, of each call. */
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

/** Milliseconds for one row per event over one connection, each in its own transaction. */
async function timeBareInserts(db: Db, events: readonly object[]): Promise<number> {
  await sql`CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event jsonb NOT NULL)`.execute(
    db,
  );
  const rows = events.map((event) => JSON.stringify(event));
  const began = performance.now();
  await db.connection().execute(async (connection) => {
    for (const row of rows) await sql`INSERT INTO bare (event) VALUES (${row})`.execute(connection);
  });
  return performance.now() - began;
}

async function until(db: Db, question: ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const { rows } = await question.execute(db);
    if (rows.length > 0) return;
    await sleep(20);
  }
}
