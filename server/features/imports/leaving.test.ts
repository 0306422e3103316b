import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { importResults, ImportResults, UndoProgress } from "#contract/calls/import-results.ts";
import type { imports } from "#contract/calls/imports.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { sheetsOf } from "#server/testing/sheets.ts";

/** A second file of the same source. */

let porchlight: TestApp;
let admin: Caller;
let sheets: ReturnType<typeof sheetsOf>;

beforeAll(async () => {
  porchlight = await testApp({ mostWrites: 10_000 });
});
beforeEach(async () => {
  await clear(porchlight.db);
  admin = await porchlight.signedIn("admin");
  sheets = sheetsOf(porchlight, admin);
});
afterAll(() => porchlight.close());

type Checked = ReplyOf<typeof imports.check>;
type People = ReplyOf<typeof importResults.people>;
type Leaving = ReplyOf<typeof importResults.leaving>;

const header = ["Unit", "Tenant", "Phone", "Email", "Property", "Status"];
const person = (n: number, property = "Elm", status = "Current") => [
  String(n),
  `Ann N${n}`,
  "",
  `n${n}@example.com`,
  property,
  status,
];
const some = (from: number, to: number, property?: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => person(from + index, property));

const LAST_DAY = "2026-03-31";

/** Uploads a file and checks all of it. */
async function checked(rows: readonly (readonly string[])[]) {
  const id = await sheets.upload([header, ...rows]);
  await checkAgain(id);
  return id;
}
async function checkAgain(id: number) {
  for (let body: { after?: number | null; since?: string } = {}; body.after !== null;) {
    const found: Checked = (await sheets.ask<Checked>("POST", `${id}/check`, body)).body;
    body = { after: found.after, since: found.startedAt };
  }
}
const leaving = async (id: number) => (await sheets.ask<Leaving>("GET", `${id}/leaving`)).body.properties;
const leave = (id: number, properties: readonly object[], lastDay = LAST_DAY) =>
  sheets.ask("PUT", `${id}/leaving`, { lastDay, properties });
const livingAt = async (property: string) => {
  const { rows } = await sql<{ name: string; last: string | null }>`
    SELECT u.last_name AS name, r.last_day::text AS last FROM residencies r JOIN users u ON u.id = r.person_id
    JOIN units h ON h.id = r.unit_id JOIN properties p ON p.id = h.property_id
    WHERE p.name = ${property} AND u.deleted_at IS NULL ORDER BY u.id, r.id`.execute(porchlight.db);
  return rows.map(({ name, last }) => (last ? `${name} until ${last}` : name));
};

test("who lives at a property of the file and isn't in it is listed, and moves out only if the file is complete", async () => {
  await sheets.imported([header, ...some(1, 20), person(30, "Oak")]);
  const id = await checked([...some(1, 19), person(21)]);
  const [elm, ...others] = await leaving(id);
  expect(others).toEqual([]);
  expect(elm).toMatchObject({
    name: "Elm",
    people: 20,
    leaving: 1,
    over: false,
    first: [{ name: "Ann N20", propertyUnit: "Elm / 20" }],
  });
  // No one said it, so no one leaves.
  await sheets.run(id);
  expect(await livingAt("Elm")).toHaveLength(21);
  expect(await livingAt("Elm")).toContain("N20");

  const next = await checked([...some(1, 19), person(21)]);
  const [again] = await leaving(next);
  expect((await leave(next, [{ id: again!.id, people: 1 }])).body).toEqual({ people: 1 });
  await sheets.run(next);
  expect(await livingAt("Elm")).toContain(`N20 until ${LAST_DAY}`);
  expect(await livingAt("Oak")).toEqual(["N30"]);
  const result = (await sheets.ask<ImportResults>("GET", `${next}/result`)).body;
  expect(result).toMatchObject({ counts: { new: 0, out: 1, changed: 0, same: 20 } });
  const out = (await sheets.ask<People>("GET", `${next}/people?kind=out`)).body.people;
  expect(out).toMatchObject([{ name: "Ann N20", left: "missing", lastDay: LAST_DAY }]);
  const { rows } = await sql`SELECT detail FROM audit WHERE action = 'residency.move-out'`.execute(
    porchlight.db,
  );
  expect(rows).toMatchObject([{ detail: { home: "Elm 20", day: LAST_DAY, file: "Roll.xlsx" } }]);

  // The same file again: who has moved out is not missing.
  const third = await checked([...some(1, 19), person(21)]);
  expect(await leaving(third)).toEqual([]);

  // It is undone like everything else.
  expect(await sheets.finish<UndoProgress>(`${next}/undo`)).toMatchObject({ movedBack: 1, kept: 0 });
  expect(await livingAt("Elm")).toContain("N20");
});

test("many who leave have to be confirmed twice, by a share that administrators set", async () => {
  await sheets.imported([header, ...some(1, 10)]);
  const id = await checked(some(1, 8));
  const [elm] = await leaving(id);
  expect(elm).toMatchObject({ people: 10, leaving: 2, over: true });
  const once = await leave(id, [{ id: elm!.id, people: 2 }]);
  expect([once.status, once.body.message]).toEqual([
    409,
    "2 of 10 people at Elm would move out. That is more than 10%, so it has to be confirmed once more.",
  ]);
  // The number that was shown is the one that counts.
  expect((await leave(id, [{ id: elm!.id, people: 1, again: true }])).status).toBe(409);
  await porchlight.call({ method: "PUT", url: "/api/settings", body: { importStop: 20 } }, admin);
  expect((await leaving(id))[0]).toMatchObject({ over: false });
  expect((await leave(id, [{ id: elm!.id, people: 2 }])).status).toBe(200);
  await porchlight.call({ method: "PUT", url: "/api/settings", body: { importStop: 10 } }, admin);
  expect((await leave(id, [{ id: elm!.id, people: 2, again: true }])).body).toEqual({ people: 2 });
  // What was said before is replaced.
  expect((await leave(id, [])).body).toEqual({ people: 0 });
  await sheets.run(id);
  expect(await livingAt("Elm")).toHaveLength(10);
  expect((await leave(id, [])).status).toBe(409);
});

test("who is in the file and isn't imported, isn't missing", async () => {
  await sheets.imported([header, ...some(1, 6)]);
  const id = await checked([
    person(1),
    // A cell to fix, a question, an eviction, someone whom a decision leaves out.
    ["2", "Ann N2", "555-0164", "n2@example.com", "Elm", "Current"],
    ["3", "Anna N3", "", "n3@example.com", "Elm", "Current"],
    person(4, "Elm", "Eviction"),
    person(5),
  ]);
  expect((await leaving(id))[0]).toMatchObject({ leaving: 1, first: [{ name: "Ann N6" }] });
  await sheets.ask("PATCH", String(id), { decisions: { "6:1": "out" } });
  await checkAgain(id);
  expect((await leaving(id))[0]).toMatchObject({ leaving: 1, first: [{ name: "Ann N6" }] });
});

test("whoever comes into the file after they were said to leave, stays; who moves to another property isn't missing", async () => {
  await sheets.imported([header, ...some(1, 30)]);
  const id = await checked([...some(1, 27), person(28, "Oak"), ["29", "Nobody Else", "", "", "Elm", ""]]);
  const [elm] = await leaving(id);
  expect(elm!.first.map(({ name }) => name)).toEqual(["Ann N29", "Ann N30"]);
  await leave(id, [{ id: elm!.id, people: 2 }]);
  await sheets.ask("POST", `${id}/cells`, {
    cells: [
      { line: 30, column: 1, text: "Ann N29" },
      { line: 30, column: 3, text: "n29@example.com" },
    ],
  });
  await sheets.run(id);
  const living = await livingAt("Elm");
  expect(living).toContain("N29");
  expect(living).toContain(`N30 until ${LAST_DAY}`);
  expect(living.find((one) => one.startsWith("N28"))).toMatch(/^N28 until/);
  expect(await livingAt("Oak")).toEqual(["N28"]);
});

test("an import that is interrupted while people move out goes on where it was", async () => {
  await sheets.imported([header, ...some(1, 700)]);
  const id = await checked(some(1, 10));
  const [elm] = await leaving(id);
  expect(elm).toMatchObject({ leaving: 690, over: true });
  await leave(id, [{ id: elm!.id, people: 690, again: true }]);
  await sql`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$`.execute(
    porchlight.db,
  );
  const first = await sheets.ask<{ done: boolean }>("POST", `${id}/run`);
  expect(first.body).toMatchObject({ done: false, unchanged: 10 });
  await sql`CREATE TRIGGER die BEFORE INSERT ON home_changes FOR EACH ROW EXECUTE FUNCTION die()`.execute(
    porchlight.db,
  );
  expect((await sheets.ask("POST", `${id}/run`)).status).toBe(500);
  await sql`DROP TRIGGER die ON home_changes`.execute(porchlight.db);
  await sql`DROP FUNCTION die`.execute(porchlight.db);
  expect((await livingAt("Elm")).filter((one) => one.includes("until"))).toHaveLength(500);
  expect(await sheets.run(id)).toMatchObject({ done: true, created: 0, unchanged: 10, lines: 10 });
  const { rows } = await sql`SELECT FROM home_changes`.execute(porchlight.db);
  expect(rows).toHaveLength(690);
  expect((await livingAt("Elm")).filter((one) => one.includes("until"))).toHaveLength(690);
});

test("only who uploaded a file says who leaves, on a real day", async () => {
  const id = await checked(some(1, 2));
  const staff = await porchlight.signedIn("staff");
  const tenant = await porchlight.signedIn("tenant");
  const body = { lastDay: LAST_DAY, properties: [] };
  expect((await sheets.ask("GET", `${id}/leaving`, undefined, staff)).status).toBe(404);
  expect((await sheets.ask("PUT", `${id}/leaving`, body, staff)).status).toBe(404);
  expect((await sheets.ask("PUT", `${id}/leaving`, body, tenant)).status).toBe(403);
  expect((await leave(id, [], "0206-03-31")).status).toBe(400);
});
