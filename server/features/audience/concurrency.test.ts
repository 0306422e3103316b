import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, type Db } from "#server/db/database.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let staff: Caller;
let address: string;
let beside: Db;

beforeAll(async () => {
  porchlight = await testApp();
  staff = await porchlight.signedIn("staff");
  address = await porchlight.app.listen({ port: 0, host: "127.0.0.1" });
  beside = connect(porchlight.url, { max: 2 });
});
afterAll(async () => {
  await beside.destroy();
  await porchlight.close();
});

const post = (path: string, body: object, signal?: AbortSignal) =>
  fetch(address + path, {
    method: "POST",
    headers: { cookie: staff.cookie, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
const question = () => ({ recipients: [{ type: "user", id: staff.userId }], channels: ["email"] });
const ask = (signal?: AbortSignal, path = "reach") => post(`/api/audience/${path}`, question(), signal);

type Waiting = { pid: number; query: string };

/** Anyone who counts reach stands still while `during` runs. */
async function whileStandingStill(during: () => Promise<void>): Promise<void> {
  await beside.transaction().execute(async (lock) => {
    await sql`LOCK TABLE suppressions IN ACCESS EXCLUSIVE MODE`.execute(lock);
    await during();
  });
}

async function waiting(): Promise<Waiting[]> {
  const found = await sql<Waiting>`
    SELECT l.pid, a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.relation = 'suppressions'::regclass AND NOT l.granted`.execute(beside);
  return found.rows;
}

test("many who count at once, wherever they do, leave the connections to the others", async () => {
  const asked: Promise<Response>[] = [];
  await whileStandingStill(async () => {
    for (let n = 0; n < 10; n += 1) {
      asked.push(ask());
      asked.push(post("/api/schedules/preview", { ...question(), name: "Rent", time: "09:00" }));
      asked.push(post("/api/usergroups/try-rule", { channel: "email" }));
    }
    await until(async () => expect(await waiting()).toHaveLength(3));
    for (let n = 0; n < 5; n += 1) {
      const other = await fetch(`${address}/api/auth/me`, { headers: { cookie: staff.cookie } });
      expect(other.status).toBe(200);
    }
    expect(await waiting()).toHaveLength(3);
  });
  expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([200]));
});

test("nothing is counted for callers who have left, and no error is logged", async () => {
  const asked: Promise<Response>[] = [];
  await whileStandingStill(async () => {
    for (let n = 0; n < 3; n += 1) asked.push(ask());
    await until(async () => expect(await waiting()).toHaveLength(3));
    const leaving = new AbortController();
    const left = Array.from({ length: 3 }, () => ask(leaving.signal).catch(() => "left"));
    // A call that is answered came after them.
    await fetch(`${address}/api/auth/me`, { headers: { cookie: staff.cookie } });
    leaving.abort();
    expect(await Promise.all(left)).toEqual(["left", "left", "left"]);
    asked.push(ask(undefined, "reach/list"));
    const [first] = await waiting();
    await sql`SELECT pg_cancel_backend(${first?.pid})`.execute(beside);
    // The one place that is free again goes to the list: the others wait in the count.
    await until(async () =>
      expect((await waiting()).filter(({ query }) => query.includes("WITH lines"))).toHaveLength(1),
    );
  });
  const statuses = (await Promise.all(asked)).map(({ status }) => status);
  // Whose statement was cancelled may try again, and that alone is in the log.
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 200, 200, 503]);
  expect(porchlight.logged.filter(({ level }) => Number(level) >= 50)).toHaveLength(1);
});
