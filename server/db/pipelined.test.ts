import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { connect, type Db } from "./database.ts";
import { PIPELINED } from "./pipelined.ts";

let db: Db;
beforeAll(async () => {
  // One connection, so that a transaction would notice what an earlier one left behind.
  db = connect(inject("postgresServer"), { max: 1 });
  await sql`CREATE TEMPORARY TABLE pipelined (n int PRIMARY KEY)`.execute(db);
});
afterAll(() => db.destroy());

const insert = (tx: Db, n: number) => sql`${PIPELINED}INSERT INTO pipelined VALUES (${n})`.execute(tx);
const select = async (on: Db) =>
  (await sql<{ n: number }>`SELECT n FROM pipelined ORDER BY n`.execute(on)).rows.map(({ n }) => n);

test("a pipelined statement of a transaction is run in its place, and no one waits for it", async () => {
  const holder = connect(inject("postgresServer"), { max: 1 });
  await sql`SELECT pg_advisory_lock(77002)`.execute(holder);
  await db.transaction().execute(async (tx) => {
    await sql`${PIPELINED}SELECT pg_advisory_xact_lock(77002)`.execute(tx);
    await insert(tx, 1);
    await holder.destroy();
    expect(await select(tx)).toEqual([1]);
  });
  expect(await select(db)).toEqual([1]);
});

test("if it fails, the next statement fails with its error, and nothing of the transaction stays", async () => {
  const failing = db.transaction().execute(async (tx) => {
    await insert(tx, 2);
    await insert(tx, 2);
    await insert(tx, 3);
    await sql`SELECT 1`.execute(tx);
  });
  await expect(failing).rejects.toMatchObject({ code: "23505" });
  expect(await select(db)).toEqual([1]);
});

test("if it is the last one, the commit fails with its error", async () => {
  const failing = db.transaction().execute(async (tx) => {
    await insert(tx, 4);
    await insert(tx, 4);
  });
  await expect(failing).rejects.toMatchObject({ code: "23505" });
  expect(await select(db)).toEqual([1]);
});

test("it fails no later transaction", async () => {
  const mine = new Error("the caller's own failure");
  const failing = db.transaction().execute(async (tx) => {
    await insert(tx, 1);
    throw mine;
  });
  await expect(failing).rejects.toBe(mine);
  await db.transaction().execute((tx) => insert(tx, 5));
  expect(await select(db)).toEqual([1, 5]);
});

test("where it has been rolled back to a savepoint, its transaction goes on", async () => {
  await db.transaction().execute(async (tx) => {
    await sql`SAVEPOINT before`.execute(tx);
    await insert(tx, 5);
    await expect(sql`SELECT 1`.execute(tx)).rejects.toMatchObject({ code: "23505" });
    await sql`ROLLBACK TO SAVEPOINT before`.execute(tx);
    await insert(tx, 6);
  });
  expect(await select(db)).toEqual([1, 5, 6]);
});

test("outside a transaction it is waited for", async () => {
  await expect(insert(db, 1)).rejects.toMatchObject({ code: "23505" });
  await insert(db, 7);
  expect(await select(db)).toEqual([1, 5, 6, 7]);
});
