import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { occurrencesBetween, type Rule } from "#contract/recurrence.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { addPerson, addSchedule, clear } from "../testing/scene.ts";

let database: TestDatabase;
const children = new Set<ChildProcess>();
beforeAll(async () => {
  database = await testDatabase();
  await clear(database.db);
});
afterAll(async () => {
  for (const child of children) child.kill("SIGKILL");
  await database.close();
});

const zone = "America/New_York";
const rules: Omit<Rule, "zone">[] = [
  { recurrence: "daily", time: "09:00" },
  { recurrence: "daily", time: "02:30", endTime: "04:30" },
  { recurrence: "weekly", dayOfWeek: 1, time: "08:00", endTime: "10:00" },
  { recurrence: "monthly", dayOfMonth: 31, time: "09:00" },
  { recurrence: "once", date: "2025-03-20", time: "17:00" },
];
const from = new Date("2025-03-01T05:00:00Z");
const until = new Date("2025-04-01T04:00:00Z");

function startScheduler(fastMs: number): ChildProcess {
  const script = join(import.meta.dirname, "../testing/doomed-scheduler.ts");
  const child = fork(script, [database.url, String(fastMs)]);
  children.add(child);
  child.on("exit", () => children.delete(child));
  return child;
}

async function setClock(now: Date): Promise<void> {
  await sql`UPDATE simulated_clock SET now = ${now}`.execute(database.db);
}

async function untilSettled(now: Date): Promise<void> {
  for (;;) {
    const { rows } = await sql`SELECT FROM schedules
      WHERE planned_zone IS NULL OR next_run_at <= ${now} LIMIT 1`.execute(database.db);
    if (rows.length === 0) return;
    await sleep(5);
  }
}

/** Some minutes after the next run is planned. */
async function nextDue(): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`SELECT min(next_run_at) AS at FROM schedules`.execute(database.db);
  return new Date(rows[0]!.at.getTime() + Math.floor(Math.random() * 40) * 60_000);
}

test(
  "two schedulers, one fast, one killed again and again, run a month: each occurrence exactly once",
  { timeout: 120_000 },
  async () => {
    const { db } = database;
    await addPerson(db);
    await sql`CREATE TABLE simulated_clock (now timestamptz NOT NULL)`.execute(db);
    await sql`INSERT INTO simulated_clock VALUES (${from})`.execute(db);
    const ids: number[] = [];
    for (const { dayOfWeek, dayOfMonth, endTime, ...rule } of rules) {
      ids.push(
        await addSchedule(db, {
          ...rule,
          day_of_week: dayOfWeek,
          day_of_month: dayOfMonth,
          end_time: endTime,
        }),
      );
    }
    startScheduler(90_000);
    let doomed = startScheduler(0);
    let killed = 0;
    await untilSettled(from);
    for (let step = 1, now = await nextDue(); now <= until; step += 1, now = await nextDue()) {
      await setClock(now);
      if (step % 7 === 0) {
        // At any instruction: while it settles what has just become due, or before it noticed.
        await sleep(Math.random() * 15);
        doomed.kill("SIGKILL");
        await once(doomed, "exit");
        killed += 1;
        doomed = startScheduler(0);
      }
      await untilSettled(now);
    }
    expect(killed).toBeGreaterThan(7);

    const { rows } = await sql<{ id: number; day: string; state: string; at: Date; runs: number }>`
      SELECT o.schedule_id AS id, o.occurrence AS day, o.state, o.planned_for AS at, count(r.id) AS runs
      FROM schedule_occurrences o LEFT JOIN runs r ON r.notification_id = o.notification_id
      GROUP BY o.schedule_id, o.occurrence ORDER BY o.schedule_id, o.occurrence`.execute(db);
    const expected = rules.flatMap((rule, n) =>
      occurrencesBetween({ ...rule, zone }, new Date(from.getTime() - 1), until).map(({ date, start }) => ({
        id: ids[n],
        day: date,
        state: "started",
        at: start,
        runs: 1,
      })),
    );
    expect(rows).toEqual(expected);
    const runs = await sql<{ count: number }>`SELECT count(*) FROM runs`.execute(db);
    expect(runs.rows[0]?.count).toBe(expected.length);
  },
);
