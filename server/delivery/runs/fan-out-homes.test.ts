import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { noticesToHome, readHomeNotices } from "#server/activity/home-notices.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { addPerson, clear, send } from "../testing/scene.ts";
import { fanOutSome } from "./fan-out.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => clear(database.db));
afterAll(() => database.close());

const spans = {
  always: sql`NULL`,
  untilNow: sql`tstzrange(NULL, now())`,
  fromNow: sql`tstzrange(now(), NULL)`,
  later: sql`tstzrange(now() + interval '1 day', NULL)`,
};

test("whoever moves while a run to homes is spread gets it or not by the moment of their chunk, and the record says which", async () => {
  const { db } = database;
  const people: number[] = [];
  for (const name of ["Ann", "Bo", "Cy", "Di"]) people.push(await addPerson(db, { first_name: name }));
  const [ann = 0, bo = 0, cy = 0, di = 0] = people;
  const { rows } = await sql<{ property: number; unit: number }>`
    WITH p AS (INSERT INTO properties (name) VALUES ('Maple Court') RETURNING id)
    INSERT INTO units (property_id, key, written) SELECT id, '4b', '4B' FROM p
    RETURNING property_id AS property, id AS unit`.execute(db);
  const { property, unit } = rows[0]!;
  const live = async (person: number, span: keyof typeof spans) => {
    await sql`DELETE FROM residencies WHERE person_id = ${person}`.execute(db);
    await sql`INSERT INTO residencies (person_id, unit_id, during)
      VALUES (${person}, ${unit}, ${spans[span]}::tstzrange)`.execute(db);
  };
  await live(ann, "always");
  await live(bo, "always");
  await live(cy, "later");
  await live(di, "later");

  const { runId } = await send(db, { audience: [{ type: "homes", id: property, name: "Maple Court" }] });
  await fanOutSome(db, 1);
  // Ann's chunk is over; those of the others are still to come.
  await live(ann, "untilNow");
  await live(bo, "untilNow");
  await live(cy, "fromNow");
  while (await fanOutSome(db, 1));

  const sent = await sql`
    SELECT person_name AS name, status FROM deliveries WHERE run_id = ${runId} ORDER BY user_id`.execute(db);
  expect(sent.rows).toEqual([
    { name: "Ann Lee", status: "queued" },
    { name: "Cy Lee", status: "queued" },
  ]);
  const run = await db.selectFrom("runs").select("people").where("id", "=", runId).executeTakeFirstOrThrow();
  expect(run.people).toBe(2);
  const [notice] = await readHomeNotices(db, await noticesToHome(db, unit, null));
  expect(notice?.people.map(({ name, outcome }) => [name, outcome])).toEqual([
    ["Ann Lee", "waiting"],
    ["Cy Lee", "waiting"],
  ]);
});
