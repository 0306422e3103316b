import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { countRowsAtOnce, refreshStatistics } from "#server/db/refresh-statistics.ts";
import { until } from "#server/testing/until.ts";
import { cancelRun } from "./cancel-run.ts";
import { fanOutSome } from "./fan-out.ts";
import { statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { FakeTransport } from "../testing/fake-transport.ts";
import { addGroup, addPeople, addPerson, send } from "../testing/scene.ts";

/** While a run to thousands is being spread, no one waits for all of it. */

const engine = withEngines();

const spreadSoFar = async (runId: number) =>
  (await engine.db.selectFrom("runs").select("people").where("id", "=", runId).executeTakeFirstOrThrow())
    .people;

test("an emergency goes out while a chunk of another run is stuck", async () => {
  const { db } = engine;
  await addPeople(db, 20);
  const warden = await addPerson(db, { email: "warden@example.com" });
  const transport = new FakeTransport();
  const bulk = await send(db, {
    audience: [{ type: "group", id: await addGroup(db, "All", {}), name: "All" }],
  });
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  // The chunk waits for this row, which no one sees yet.
  const holding = db.transaction().execute(async (tx) => {
    await sql`INSERT INTO deliveries (id, run_id, user_id, channel, status, priority, expires_at, person_name)
      SELECT next_delivery_id(${bulk.runId}), ${bulk.runId}, min(id), 'email', 'skipped', 2, now(), '' FROM users`.execute(
      tx,
    );
    held.resolve();
    await release.promise;
    await sql`DELETE FROM deliveries WHERE run_id = ${bulk.runId} AND person_name = ''`.execute(tx);
  });
  await held.promise;
  await engine.start(transport);
  await send(db, {
    class: "emergency",
    audience: [{ type: "user", id: warden, name: "Warden" }],
  });
  await until(() => expect(transport.received.map(({ address }) => address)).toEqual(["warden@example.com"]));
  expect(await spreadSoFar(bulk.runId)).toBe(0);
  release.resolve();
  await holding;
  await until(async () => expect(await statuses(db, bulk.runId)).toEqual({ accepted: 21 }));
});

test("cancelling waits for one short chunk, not for the rest", async () => {
  const { db } = engine;
  await addPeople(db, 3000);
  // A slow disk.
  await sql`CREATE FUNCTION slow_down() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.001); RETURN NEW; END'`.execute(db);
  await sql`CREATE TRIGGER slow BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION slow_down()`.execute(
    db,
  );
  onTestFinished(async () => void (await sql`DROP FUNCTION slow_down CASCADE`.execute(db)));
  await engine.start(new FakeTransport());
  const { runId, notificationId } = await send(db);
  await until(async () => expect(await spreadSoFar(runId)).toBeGreaterThan(0));
  await cancelRun(db, notificationId);
  const people = await spreadSoFar(runId);
  expect(people).toBeLessThan(2000);
  await until(async () => {
    const { accepted = 0, cancelled = 0, ...others } = await statuses(db, runId);
    expect([accepted + cancelled, others]).toEqual([people, {}]);
  });
  expect(await spreadSoFar(runId)).toBe(people);
});

test("a slow chunk lets go of its run early, and continues with fewer people", async () => {
  const { db } = engine;
  await addPeople(db, 400);
  await sql`CREATE FUNCTION crawl() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(0.02); RETURN NEW; END'`.execute(db);
  await sql`CREATE TRIGGER slow BEFORE INSERT ON deliveries FOR EACH ROW EXECUTE FUNCTION crawl()`.execute(
    db,
  );
  onTestFinished(async () => void (await sql`DROP FUNCTION crawl CASCADE`.execute(db)));
  const { runId } = await send(db);
  let ended = false;
  // All of them would take eight seconds at least.
  const spreading = fanOutSome(db, 400).finally(() => (ended = true));
  await until(async () => {
    if (ended) return;
    const { rows } = await sql`SELECT FROM runs WHERE id = ${runId} FOR NO KEY UPDATE SKIP LOCKED`.execute(
      db,
    );
    expect(rows).toHaveLength(0);
  });
  await sql`SELECT FROM runs WHERE id = ${runId} FOR NO KEY UPDATE`.execute(db);
  expect(await spreadSoFar(runId)).toBeLessThan(100);
  const people = (await spreading)?.people ?? (await fanOutSome(db, 40))?.people;
  expect(people).toBeLessThan(100);
  expect(await spreadSoFar(runId)).toBe(people);
});

test("a table that has grown a lot is counted at once", async () => {
  const { db } = engine;
  const known = async () => {
    const { rows } = await sql<{ rows: number }>`
      SELECT reltuples::int AS rows FROM pg_class WHERE relname = 'users'`.execute(db);
    return rows[0]?.rows;
  };
  // Autovacuum that happens to be at the table would have it skipped.
  await sql`ALTER TABLE users SET (autovacuum_enabled = off)`.execute(db);
  await sql`ANALYZE users`.execute(db);
  const before = await known();
  await db.connection().execute(async (one) => {
    await addPeople(one, 100);
    await countRowsAtOnce(one);
    await refreshStatistics(one, ["users"]);
    expect(await known()).toBe(before);
    await addPeople(one, 3000);
    await countRowsAtOnce(one);
    await refreshStatistics(one, ["users"]);
  });
  expect(await known()).toBeGreaterThan(3000);
});

// Until then, recording each outcome reads the whole month.
test("what a large run adds is counted as soon as it is committed", async () => {
  const { db } = engine;
  await addPeople(db, 3500);
  const { runId } = await send(db);
  await fanOutSome(db);
  const { rows } = await sql<{ name: string }>`
    SELECT tableoid::regclass::text AS name FROM deliveries WHERE run_id = ${runId} LIMIT 1`.execute(db);
  const { name } = rows[0]!;
  // Autovacuum that happens to be at the table would have it skipped.
  await sql`ALTER TABLE ${sql.table(name)} SET (autovacuum_enabled = off)`.execute(db);
  // In a transaction of the caller's, which no slow machine cuts into smaller chunks.
  await db.transaction().execute((tx) => fanOutSome(tx));
  await refreshStatistics(db, ["deliveries"], { rough: true });
  const known = await sql<{ rows: number }>`
    SELECT reltuples::int AS rows FROM pg_class WHERE relname = ${name}`.execute(db);
  expect(known.rows[0]?.rows).toBeGreaterThan(3000);
});
