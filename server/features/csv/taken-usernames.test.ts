import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importCsv, personOf, row } from "#server/testing/csv.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

const send = (rows: unknown) => importCsv(porchlight, admin, rows);

/** Imports while someone takes the username: the import has looked for it, and then waits to insert it. */
function sendWhileTaken(username: string, rows: unknown) {
  return porchlight.db.transaction().execute(async (tx) => {
    await insertPerson(tx, { username, firstName: "Ann", lastName: "Zeller" });
    const sending = send(rows);
    await until(async () => {
      const { rows: waiting } = await sql`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`.execute(porchlight.db);
      expect(waiting).toHaveLength(1);
    });
    return { sending };
  });
}

test("a username that someone else takes meanwhile is a bad cell, and the other rows go in", async () => {
  const { sending } = await sendWhileTaken("Just.Taken", [
    { "User Name": "just.taken", firstName: "Bo", lastName: "Chen" },
    { "User Name": "free", firstName: "Cem", lastName: "Demir" },
  ]);
  const { status, result } = await sending;
  expect(status).toBe(200);
  expect(result).toMatchObject({ created: 1, rejected: 1 });
  expect(result.badCells).toEqual([
    {
      row: 1,
      column: "User Name",
      value: "just.taken",
      kind: "invalid",
      reason: "This username is taken by Ann Zeller",
    },
  ]);
  expect(await personOf(porchlight, "free")).toMatchObject({ first_name: "Cem" });
});

test("so is one that an earlier row has in other letters", async () => {
  const { result } = await send([
    row({ username: "İnci.x", firstName: "İnci", lastName: "Ak", email: "a@example.com", phone: "" }),
    row({ username: "inci.x", firstName: "Other", lastName: "Ak", email: "b@example.com", phone: "" }),
  ]);
  expect(result).toMatchObject({ created: 1, rejected: 1 });
  expect(result.badCells).toMatchObject([
    { row: 2, column: "username", value: "inci.x", reason: "This username is taken by İnci Ak" },
  ]);
});

test("one that was made up for a row is no fault of the row: trying again makes up another", async () => {
  const rows = [{ firstName: "Dan", lastName: "Ito", email: "dan@example.com" }];
  const { sending } = await sendWhileTaken("dan.ito", rows);
  expect(await sending).toMatchObject({
    status: 409,
    message: "Someone has just taken a username in these rows. Try again.",
  });
  expect((await send(rows)).result).toMatchObject({ created: 1, rejected: 0 });
  expect(await personOf(porchlight, "dan.ito2")).toBeDefined();
});
