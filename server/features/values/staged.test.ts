import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ValuesOverview } from "#contract/calls/values.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { addLee, askSheet, csv, rowsOfSheet, uploadSheet } from "#server/testing/value-sheets.ts";

/** Who has a file with values, and for how long. */

let porchlight: TestApp;
let staff: Caller;

beforeAll(async () => {
  porchlight = await testApp();
});
beforeEach(async () => {
  await porchlight.db.transaction().execute(clear);
  staff = await porchlight.signedIn("staff");
});
afterAll(() => porchlight.close());

const upload = (as = staff, ...lines: string[]) =>
  uploadSheet(porchlight, as, csv("Email,Amount", ...lines), { fields: "amount" });
const keep = (valuesId: number) =>
  porchlight.call(
    {
      method: "POST",
      url: "/api/notifications",
      body: { title: "Rent", status: "Draft", content: "{{amount}}", channels: ["email"], valuesId },
    },
    staff,
  );

test("only who uploaded a file works with it; once a message has it, whoever reads messages reads it", async () => {
  await addLee(porchlight, "Ana");
  const { id } = (await upload(staff, "ana@example.com,$1.00", "x@example.com,$2.00")).body;
  const [other, tenant] = [await porchlight.signedIn("staff"), await porchlight.signedIn("tenant")];
  const calls = [
    ["GET", `${id}`],
    ["GET", `${id}/rows`],
    ["GET", `${id}/to-fix.csv`],
    ["PATCH", `${id}`, {}],
    ["POST", `${id}/cells`, { cells: [{ line: 2, column: 1, text: "$3.00" }] }],
  ] as const;
  const answers = async (as: Caller) => {
    const statuses: number[] = [];
    for (const [method, path, body] of calls) {
      const request = { method, url: `/api/values/${path}`, ...(body && { body }) };
      statuses.push((await porchlight.call(request, as)).statusCode);
    }
    return statuses;
  };
  expect(await answers(other)).toEqual([404, 404, 404, 404, 404]);
  expect(await answers(tenant)).toEqual([403, 403, 403, 403, 403]);
  expect(await answers(staff)).toEqual([200, 200, 200, 200, 200]);
  await keep(id);
  expect(await answers(other)).toEqual([200, 200, 200, 409, 409]);
  const blank = { method: "POST", url: "/api/values/blank.csv", body: { fields: [] } } as const;
  expect((await porchlight.call(blank, tenant)).statusCode).toBe(403);
  const { rows } = await sql<{
    action: string;
  }>`SELECT action FROM audit WHERE action LIKE 'values.%'`.execute(porchlight.db);
  expect(rows.map(({ action }) => action)).toEqual(["values.export", "values.export"]);
});

test("a file whose rows went with the archive isn’t here anymore", async () => {
  const { id } = (await upload(staff, "a@b.com,$1.00")).body;
  await keep(id);
  await sql`UPDATE imports SET emptied_at = now() WHERE id = ${id}`.execute(porchlight.db);
  expect((await askSheet(porchlight, staff, "GET", String(id))).status).toBe(404);
});

test("files with values are none of the imports of people; someone keeps twenty, beside those that messages have", async () => {
  const first = (await upload(staff, "a@b.com,$1.00")).body;
  await keep(first.id);
  const ids: number[] = [];
  for (let n = 0; n < 21; n++) ids.push((await upload(staff, `a@b.com,$${n}.00`)).body.id);
  const read = async (id: number) => (await askSheet(porchlight, staff, "GET", String(id))).status;
  expect([await read(first.id), await read(ids[0]!), await read(ids[1]!)]).toEqual([200, 404, 200]);
  expect((await porchlight.call({ method: "GET", url: "/api/imports" }, staff)).json()).toEqual([]);
  const asImport = await porchlight.call({ method: "GET", url: `/api/imports/${ids[1]}` }, staff);
  expect(asImport.statusCode).toBe(404);
});

test("what two tabs do to a file at once is done one after the other", async () => {
  for (const name of ["Ana", "Ben", "Cy"]) await addLee(porchlight, name);
  const { id } = (
    await upload(
      staff,
      ...Array.from({ length: 12 }, (_, n) => `${["ana", "ben", "cy"][n % 3]}@example.com,`),
    )
  ).body;
  const lines = Array.from({ length: 12 }, (_, n) => n + 2);
  const replies = await Promise.all(
    lines.flatMap((line) => [
      askSheet(porchlight, staff, "POST", `${id}/cells`, {
        cells: [{ line, column: 1, text: `$${line}.00` }],
      }),
      askSheet(porchlight, staff, "PATCH", String(id), line > 4 ? { decisions: { [line]: "out" } } : {}),
    ]),
  );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  const { body } = await askSheet<ValuesOverview>(porchlight, staff, "GET", String(id));
  expect(body).toMatchObject({ ready: 3, toFix: 0, leftOut: 9, people: 3 });
  const ready = await rowsOfSheet(porchlight, staff, id, "only=ready");
  expect(ready.map(({ values }) => values["amount"])).toEqual(["$2.00", "$3.00", "$4.00"]);
});

test("a server that ends while it reads a file leaves nothing behind", async () => {
  await addLee(porchlight, "Ana");
  await sql`
    CREATE FUNCTION end_here() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$`.execute(porchlight.db);
  await sql`CREATE TRIGGER end_here BEFORE INSERT ON person_values EXECUTE FUNCTION end_here()`.execute(
    porchlight.db,
  );
  expect((await upload(staff, "ana@example.com,$1.00")).status).toBeGreaterThanOrEqual(500);
  await sql`DROP TRIGGER end_here ON person_values`.execute(porchlight.db);
  const { rows } = await sql`SELECT FROM imports UNION ALL SELECT FROM import_rows`.execute(porchlight.db);
  expect(rows).toEqual([]);
  expect((await upload(staff, "ana@example.com,$1.00")).body).toMatchObject({ ready: 1 });
});

test("someone who is deleted has no row", async () => {
  const [ana, ben] = [await addLee(porchlight, "Ana"), await addLee(porchlight, "Ben")];
  const { id } = (
    await upload(staff, "ana@example.com,$1.00", "ben@example.com,$2.00", "x@example.com,$2.00")
  ).body;
  await askSheet(porchlight, staff, "PATCH", String(id), { decisions: { "4": String(ben) } });
  await sql`UPDATE users SET deleted_at = now() WHERE id = ANY(${[ana, ben]}::bigint[])`.execute(
    porchlight.db,
  );
  const after = await askSheet<ValuesOverview>(porchlight, staff, "PATCH", String(id), { property: "" });
  expect(after.body).toMatchObject({ ready: 0, toFix: 3, people: 0 });
});
