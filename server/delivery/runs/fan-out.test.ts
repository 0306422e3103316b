import {
  sql,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type RootOperationNode,
} from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { channelSet } from "#server/audience/person.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { cancelRun } from "./cancel-run.ts";
import { fanOutSome, nextChunk } from "./fan-out.ts";
import { progressOf } from "#server/activity/progress.ts";
import { imbalance, statuses } from "../testing/run-totals.ts";
import { until } from "#server/testing/until.ts";
import { addPeople, addPerson, clear, send } from "../testing/scene.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => clear(database.db));
afterEach(async () => {
  const wrong = await imbalance(database.db);
  if (wrong.length > 0) throw new Error(`The counters differ from a recount: ${JSON.stringify(wrong)}`);
});
afterAll(() => database.close());

async function spreadAll(chunk: number): Promise<number> {
  for (let steps = 1; ; steps += 1) if ((await fanOutSome(database.db, chunk))?.done) return steps;
}

async function lines(runId: number): Promise<Record<string, unknown>[]> {
  const { rows } = await sql<Record<string, unknown>>`
    SELECT person_name AS name, channel, address, status, reason, detail FROM deliveries
    WHERE run_id = ${runId} ORDER BY user_id, channel`.execute(database.db);
  return rows;
}

test("spreads everyone in chunks, each person and channel once", async () => {
  const { db } = database;
  await addPeople(db, 25);
  const { runId, notificationId } = await send(db, { channels: ["email", "sms"] });
  expect(await spreadAll(10)).toBe(3);
  expect(await statuses(db, runId)).toEqual({ queued: 50 });
  expect((await progressOf(db, [notificationId])).get(notificationId)).toMatchObject({
    state: "sending",
    people: 25,
    total: 50,
    byChannel: { email: { queued: 25 }, sms: { queued: 25 } },
  });
  expect(await fanOutSome(db)).toBeNull();
});

test("goes on where another stopped, and a chunk done twice adds nothing", async () => {
  const { db } = database;
  await addPeople(db, 20);
  const { runId } = await send(db);
  await fanOutSome(db, 10);
  // As after a restore to a moment before the cursor moved.
  await sql`UPDATE runs SET fanout_cursor = 0, people = 0`.execute(db);
  await spreadAll(10);
  expect(await statuses(db, runId)).toEqual({ queued: 20 });
});

test("two workers that fan out at the same time do not do it twice", async () => {
  const { db } = database;
  await addPeople(db, 200);
  const { runId } = await send(db);
  const work = async () => {
    for (let idle = 0; idle < 3;) idle += (await fanOutSome(db, 20)) ? 0 : 1;
  };
  await Promise.all([work(), work(), work()]);
  expect(await statuses(db, runId)).toEqual({ queued: 200 });
  const run = await db.selectFrom("runs").select("people").where("id", "=", runId).executeTakeFirstOrThrow();
  expect(run.people).toBe(200);
});

test.each([1, 100])("an address that several share gets one message, in chunks of %i", async (chunk) => {
  const { db } = database;
  await addPerson(db, { first_name: "Ann", email: "Home@example.com" });
  await addPerson(db, { first_name: "Bob", email: "home@example.com" });
  await addPerson(db, { first_name: "Cas", email: "HOME@EXAMPLE.COM" });
  const { runId } = await send(db);
  await spreadAll(chunk);
  expect(await lines(runId)).toEqual([
    {
      name: "Ann Lee",
      channel: "email",
      address: "home@example.com",
      status: "queued",
      reason: null,
      detail: null,
    },
    ...["Bob Lee", "Cas Lee"].map((name) => ({
      name,
      channel: "email",
      address: "home@example.com",
      status: "skipped",
      reason: "same-address",
      detail: "Ann Lee",
    })),
  ]);
});

test("a person who cannot be reached has a row that says why", async () => {
  const { db } = database;
  await addPerson(db, { first_name: "None", email: null });
  await addPerson(db, { first_name: "Out", channels: channelSet(["sms"]) });
  await addPerson(db, { first_name: "Odd", email: "odd" });
  await addPerson(db, { first_name: "Barred", email: "barred@example.com" });
  await addPerson(db, { first_name: "Homeless", property_unit: null });
  await db
    .insertInto("suppressions")
    .values({
      channel: "email",
      address: "barred@example.com",
      reason: "No such user",
      source: "smtp",
      delivery_id: null,
    })
    .execute();
  const { runId } = await send(db, { content: "For {{property_unit}}" });
  await spreadAll(100);
  expect(
    (await lines(runId)).map(({ name, status, reason, detail }) => [name, status, reason, detail]),
  ).toEqual([
    ["None Lee", "skipped", "no-email", null],
    ["Out Lee", "skipped", "opted-out", null],
    ["Odd Lee", "skipped", "invalid-email", null],
    ["Barred Lee", "skipped", "suppressed", "No such user"],
    ["Homeless Lee", "skipped", "missing-field", "property_unit"],
  ]);
});

test("keeps of a person only what the message uses", async () => {
  const { db } = database;
  await addPerson(db, { first_name: "Ann", property_unit: "4B" });
  const { runId } = await send(db, { content: "Hello {{first_name}}" });
  await spreadAll(100);
  const row = await db
    .selectFrom("deliveries")
    .selectAll()
    .where("run_id", "=", runId)
    .executeTakeFirstOrThrow();
  expect(row.field_values).toEqual({ first_name: "Ann" });
  expect(row.person_unit).toBe("4B");
});

test("emergencies are spread before what was started earlier, and are short-lived", async () => {
  const { db } = database;
  await addPeople(db, 3);
  await send(db);
  const { runId } = await send(db, { class: "emergency" });
  expect((await fanOutSome(db))?.runId).toBe(runId);
  const { rows } = await sql<{ priority: number; minutes: number }>`
    SELECT priority, (extract(epoch FROM expires_at - created_at) / 60)::int AS minutes FROM deliveries LIMIT 1`.execute(
    db,
  );
  expect(rows[0]).toEqual({ priority: 0, minutes: 30 });
});

test("a run that was cancelled while it was spread is spread no further", async () => {
  const { db } = database;
  await addPeople(db, 30);
  const { runId, notificationId } = await send(db);
  await fanOutSome(db, 10);
  await cancelRun(db, notificationId);
  expect(await fanOutSome(db, 10)).toBeNull();
  expect(await statuses(db, runId)).toEqual({ cancelled: 10 });
});

test("cancelling during the first chunk waits for it, without a deadlock", async () => {
  const { db } = database;
  await addPeople(db, 20);
  const { runId, notificationId } = await send(db);
  // Holds the spreading where it has written to the run, until anyone who cancels waits for that row.
  await sql`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END'`.execute(db);
  await sql`CREATE TRIGGER hold AFTER UPDATE ON runs FOR EACH ROW EXECUTE FUNCTION hold()`.execute(db);
  const waiting = async (kind: string) => {
    const { rows } = await sql`SELECT FROM pg_locks l JOIN pg_stat_activity a USING (pid)
      WHERE a.datname = current_database() AND NOT l.granted AND l.locktype = ${kind}`.execute(db);
    expect(rows).toHaveLength(1);
  };
  try {
    const both = await db.transaction().execute(async (tx) => {
      await sql`SELECT pg_advisory_xact_lock(1)`.execute(tx);
      const spreading = fanOutSome(db);
      await until(() => waiting("advisory"));
      const cancelling = cancelRun(db, notificationId);
      await until(() => waiting("transactionid"));
      return [spreading, cancelling];
    });
    await Promise.all(both);
  } finally {
    await sql`DROP FUNCTION hold() CASCADE`.execute(db);
  }
  expect(await statuses(db, runId)).toEqual({ cancelled: 20 });
});

/** Runs the statement that spreads a chunk under EXPLAIN ANALYZE, which does it anyway, and keeps the plans. */
class Explaining implements KyselyPlugin {
  readonly plans: PlanNode[] = [];
  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    if (node.kind !== "RawNode" || !node.sqlFragments[0]?.includes("lines AS MATERIALIZED")) return node;
    const [first, ...others] = node.sqlFragments;
    return { ...node, sqlFragments: [`EXPLAIN (ANALYZE, FORMAT JSON) ${first}`, ...others] };
  }
  async transformResult({ result }: PluginTransformResultArgs) {
    for (const row of result.rows) {
      if ("QUERY PLAN" in row)
        this.plans.push(...(row["QUERY PLAN"] as { Plan: PlanNode }[]).map(({ Plan }) => Plan));
    }
    return result;
  }
}

type PlanNode = {
  "Node Type": string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Join Filter"?: number;
  Plans?: PlanNode[];
};

/** The most rows that one step of the plan looked at. */
function mostRead(node: PlanNode): number {
  const looked =
    node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0);
  return Math.max(looked * node["Actual Loops"], ...(node.Plans ?? []).map((plan) => mostRead(plan)));
}

test.each(["without statistics", "with statistics"])(
  "a chunk reads each line a few times, %s",
  async (statistics) => {
    const { db } = database;
    await addPeople(db, 900);
    // Every third shares the home's address, some with people of another chunk.
    await sql`UPDATE users u SET email = h.email, phone = h.phone FROM users h
    WHERE u.id % 3 = 0 AND h.username = 'person' || (SELECT min(substr(username, 7)::int) + u.id % 450 FROM users)`.execute(
      db,
    );
    if (statistics === "with statistics") await sql`ANALYZE`.execute(db);
    const { runId } = await send(db, { channels: ["email", "sms"] });
    const explaining = new Explaining();
    const explained = db.withPlugin(explaining);
    // In a transaction of its own a slow machine may take its time for a chunk.
    await explained.transaction().execute(async (tx) => {
      while (!(await fanOutSome(tx, 450))?.done);
    });
    expect(explaining.plans).toHaveLength(2);
    for (const plan of explaining.plans) expect(mostRead(plan)).toBeLessThan(10 * 450 * 2);
    const shared = (await lines(runId)).filter(({ reason }) => reason === "same-address");
    expect(shared.length).toBeGreaterThan(400);
  },
);

test("a chunk is as large as goes into a third of a second", () => {
  expect(nextChunk(500, 100)).toBe(1000);
  expect(nextChunk(500, 3000)).toBe(50);
  expect(nextChunk(2000, 600)).toBe(1000);
  expect(nextChunk(5000, 1)).toBe(5000);
});

test("the next chunk follows what the last one took the database, not how busy this process was", async () => {
  const { db } = database;
  await addPeople(db, 60);
  await send(db);
  const BUSY_MS = 300;
  const busy = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: ({ result }) => {
      const until = performance.now() + BUSY_MS;
      while (performance.now() < until);
      return Promise.resolve(result);
    },
  });
  const began = performance.now();
  const spread = await fanOutSome(busy, 60);
  const took = performance.now() - began;
  expect(spread!.people).toBeGreaterThan(0);
  expect(spread!.ms).toBeGreaterThan(0);
  expect(spread!.ms).toBeLessThan(took - 2 * BUSY_MS);
});
