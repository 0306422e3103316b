import { createQueryId, sql, type KyselyPlugin, type PluginTransformQueryArgs, type RawNode } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deliveriesOf, deliveriesTo } from "#server/activity/deliveries.ts";
import { timelineOf } from "#server/activity/timeline.ts";
import type { Db } from "#server/db/database.ts";
import { warningOfFewLocks } from "#server/db/months.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { accountFor } from "./testing/quick-worker.ts";
import { FakeTransport } from "./testing/fake-transport.ts";
import { addPeople, claimSome, clear, fanOutAll, send } from "./testing/scene.ts";
import { readState } from "#server/telemetry/read-state.ts";
import { recordAccounts } from "./accounts/accounts.ts";
import { openTransports } from "./accounts/open-transports.ts";
import { runMaintenance } from "./maintenance.ts";
import { matchReceipts } from "./receipts/match.ts";
import { closeCancellations, openMonths } from "./open-months.ts";
import { whatIsDue, type Claimed } from "./worker/claim.ts";
import { clampFutureTimes } from "./worker/clock-set-back.ts";
import { takeLease } from "./worker/worker-session.ts";
import { reapDeadWorkers } from "./worker/reap.ts";
import { holdRefused } from "./worker/refusals.ts";
import { record, type Change } from "./worker/record.ts";
import { decideUnconfirmed } from "./worker/unconfirmed.ts";

const partition = /\b(?:deliveries|attempts|delivery_events|run_people)_(\d{6})/g;
const partitioned = ["deliveries", "attempts", "delivery_events", "run_people"] as const;

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
  await sql`SELECT create_month(month_of(now() - make_interval(months => n))) FROM generate_series(1, 13) n`.execute(
    database.db,
  );
});
beforeEach(() => clear(database.db));
afterAll(() => database.close());

/** The partitions that hold rows of each table. */
async function filled(db: Db): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of partitioned) {
    const { rows } = await sql<{ name: string }>`
      SELECT DISTINCT tableoid::regclass::text AS name FROM ${sql.table(table)} ORDER BY 1`.execute(db);
    found[table] = rows.map(({ name }) => name);
  }
  return found;
}

const exists = async (table: string) => {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`.execute(
    database.db,
  );
  return rows[0]!.found;
};

const account = async (db: Db) => {
  await recordAccounts(db, [accountFor(new FakeTransport())]);
  await sql`UPDATE accounts SET state = 'ok' WHERE channel = 'email' AND NOT simulated`.execute(db);
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM accounts WHERE channel = 'email' AND NOT simulated AND enabled`.execute(db);
  return { id: rows[0]!.id, channel: "email" as const, simulated: false, ratePerSecond: null };
};

const accepted = ({ id, claim }: Claimed, token: number, accountId: number): Change => ({
  id,
  token,
  claim,
  was: "sending",
  begun: false,
  status: "accepted",
  reason: null,
  detail: null,
  delayMs: null,
  event: "answered-late",
  attempt: { accountId, outcome: "accepted", code: null, words: null },
});

test("what belongs to a run is in the partitions of its month, created if no one did", async () => {
  const { db } = database;
  await addPeople(db, 2);
  const email = await account(db);
  const { runId } = await send(db);
  // The clock is far off, or the scheduler was off for months.
  const [{ id: wrong }] = (
    await sql<{ id: number }>`UPDATE runs SET id = 209901000000000 + id % 1000000000 RETURNING id`.execute(db)
  ).rows as [{ id: number }];
  expect(await exists("deliveries_209901")).toBe(false);
  await fanOutAll(db);
  const token = await takeLease(db, "test", 60);
  const claimed = await claimSome(db, { token, account: email, limit: 10, which: "any" });
  expect(claimed.map((one) => Math.floor(one.id / 1e9))).toEqual([209901, 209901]);
  expect(claimed.map((one) => one.runId)).toEqual([wrong, wrong]);
  const looksThere = async (state: string) => {
    await sql`UPDATE runs SET state = ${state}`.execute(db);
    await closeCancellations(db);
    return (await openMonths(db)).includes(209901e9);
  };
  // Cancelling was interrupted.
  expect(await looksThere("cancelled")).toBe(true);
  expect(await looksThere("sending")).toBe(true);
  const moved = await record(
    db,
    claimed.map((one) => accepted(one, token, email.id)),
  );
  expect(moved).toHaveLength(2);
  const { rows: keys } = await sql<{
    key: string;
  }>`SELECT compiled ->> 'key' AS key FROM content_versions`.execute(db);
  const reference = `${keys[0]!.key}-${claimed[0]!.id}`;
  const receipt = { what: "delivered", eventId: "1", at: new Date(), reference } as const;
  expect([...(await matchReceipts(db, [{ id: 1, accountId: email.id, receipt }])).values()]).toEqual([
    { deliveryId: claimed[0]!.id, runId: wrong, round: 0 },
  ]);
  expect(await looksThere("cancelled")).toBe(false);
  expect(await looksThere("finished")).toBe(false);
  expect(await filled(db)).toEqual(
    Object.fromEntries(partitioned.map((table) => [table, [`${table}_209901`]])),
  );
  expect(runId).not.toBe(wrong);
});

test("maintenance creates the next month, and analyzes the months together", async () => {
  const { db } = database;
  const { rows } = await sql<{ month: number }>`SELECT month_of(now() + interval '1 month') AS month`.execute(
    db,
  );
  const { month } = rows[0]!;
  for (const table of partitioned) await sql.raw(`DROP TABLE ${table}_${month}`).execute(db);
  await runMaintenance(db);
  for (const table of partitioned) expect(await exists(`${table}_${month}`)).toBe(true);
  const analyzed = await sql<{ name: string }>`
    SELECT relname AS name FROM pg_stat_user_tables WHERE last_analyze IS NOT NULL AND relname = ANY(${partitioned})`.execute(
    db,
  );
  expect(analyzed.rows.map(({ name }) => name).toSorted()).toEqual(partitioned.toSorted());
});

test("a server with too few locks for so many months is named at the start", async () => {
  const few = (locks: number) => {
    const told = database.db.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: ({ result }) =>
        Promise.resolve({ ...result, rows: result.rows.map((row) => ({ ...row, locks })) }),
    });
    return warningOfFewLocks(told);
  };
  expect(await warningOfFewLocks(database.db)).toBeNull();
  expect(await few(32)).toMatch(
    / messages of 1[56] months, and its max_locks_per_transaction is 32\. Set it to 128 /,
  );
});

/** Keeps the statements that pass through. */
class Recording implements KyselyPlugin {
  readonly statements: RawNode[] = [];
  transformQuery({ node }: PluginTransformQueryArgs) {
    if (node.kind === "RawNode") this.statements.push(node);
    return node;
  }
  transformResult({ result }: Parameters<KyselyPlugin["transformResult"]>[0]) {
    return Promise.resolve(result);
  }
}

async function planOf(db: Db, { sqlFragments: [first, ...others], ...node }: RawNode): Promise<string> {
  const explained = { ...node, sqlFragments: [`EXPLAIN (VERBOSE) ${first}`, ...others] };
  const query = db.getExecutor().compileQuery(explained, createQueryId());
  const { rows } = await db.transaction().execute(async (tx) => {
    // Whatever the planner thinks of tables with three rows.
    for (const method of ["seqscan", "bitmapscan", "sort"])
      await sql.raw(`SET LOCAL enable_${method} = off`).execute(tx);
    return tx.executeQuery(query);
  });
  return rows.map((row) => Object.values(row as object)[0] as string).join("\n");
}

/** How the statements about partitioned tables are planned: the months that they look in, and the plan. */
async function plansOf({ statements }: Recording): Promise<{ months: number; plan: string }[]> {
  const executor = database.db.getExecutor();
  const reading = statements.filter((node) =>
    /\b(FROM|UPDATE|JOIN) (deliveries|attempts|delivery_events|run_people)\b/.test(
      executor.compileQuery(node, createQueryId()).sql,
    ),
  );
  return Promise.all(
    reading.map(async (statement) => {
      const plan = await planOf(database.db, statement);
      return { months: new Set([...plan.matchAll(partition)].map(([, month]) => month)).size, plan };
    }),
  );
}

test("of many months, a statement that knows its run or delivery is planned for one", async () => {
  const { db } = database;
  await addPeople(db, 3);
  const email = await account(db);
  const recording = new Recording();
  const watched = db.withPlugin(recording);
  const { runId } = await send(db);
  await fanOutAll(watched);
  const token = await takeLease(db, "test", 60);
  const claimed = await claimSome(db, { token, account: email, limit: 10, which: "any" });
  await record(
    watched,
    claimed.slice(1).map((one) => accepted(one, token, email.id)),
    { token, after: 0, upTo: 0, open: [{ ...claimed[0]!, at: new Date() }] },
  );
  const { rows: page } = await deliveriesOf(watched, runId, { show: "all", page: 1, pageSize: 25 });
  expect(page).toHaveLength(3);
  await timelineOf(watched, page[0]!.id);
  const plans = await plansOf(recording);
  expect(plans.length).toBeGreaterThan(6);
  for (const plan of plans) expect(plan).toMatchObject({ months: 1 });
  expect(await deliveriesTo(db, page[0]!.userId, { page: 1, pageSize: 25 })).toMatchObject({ total: 1 });
});

test("what processes ask again and again is planned for the months of open runs, this one and the next", async () => {
  const { db } = database;
  await addPeople(db, 3);
  const email = await account(db);
  await send(db);
  await fanOutAll(db);
  const token = await takeLease(db, "test", 60);
  const recording = new Recording();
  const watched = db.withPlugin(recording);
  await claimSome(watched, { token, account: email, limit: 1, which: "any" });
  const asked = { account: email, months: await openMonths(db) };
  await whatIsDue(watched, { ...asked, more: false });
  await whatIsDue(watched, { ...asked, more: true });
  await clampFutureTimes(watched);
  await reapDeadWorkers(watched, openTransports([], []), () => 0);
  await decideUnconfirmed(watched, openTransports([], []));
  await readState(watched);
  const plans = await plansOf(recording);
  expect(plans).toHaveLength(8);
  for (const plan of plans) expect(plan).toMatchObject({ months: 2 });
  // Every five seconds for an hour after a refusal.
  await sql`INSERT INTO refusals (delivery_id, account_id, channel, address, code, of_content, bounced)
    SELECT id, ${email.id}, channel, address, '554', true, false FROM deliveries`.execute(db);
  const refused = new Recording();
  await holdRefused(db.withPlugin(refused));
  const judged = await plansOf(refused);
  expect(judged.length).toBeGreaterThan(4);
  for (const plan of judged) expect(plan).toMatchObject({ months: 1 });
  const queue = plans[0]!.plan.match(
    /Index Scan using deliveries_\d+_channel_simulated_priority_due_at_id_idx/g,
  );
  expect(queue).toHaveLength(2);
});
