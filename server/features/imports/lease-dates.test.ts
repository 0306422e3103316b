import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { imports, ImportOverview, ImportProgress } from "#contract/calls/imports.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/** Who lives where and since when, as a rent roll says it. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp({ mostWrites: 10_000 });
});
beforeEach(async () => {
  await porchlight.db.transaction().execute(clear);
  await porchlight.db.deleteFrom("import_layouts").execute();
  admin = await porchlight.signedIn("admin");
});
afterAll(() => porchlight.close());

async function upload(...lines: string[]): Promise<ImportOverview> {
  const reply = await porchlight.app.inject({
    method: "POST",
    url: "/api/imports?name=roll.csv",
    headers: { cookie: admin.cookie, "content-type": "application/octet-stream" },
    payload: lines.join("\r\n"),
  });
  return reply.json<ImportOverview>();
}
const ask = async <T>(method: "PATCH" | "POST", path: string, body?: object) =>
  (await porchlight.call({ method, url: `/api/imports/${path}`, ...(body && { body }) }, admin)).json<T>();
const check = (id: number) => ask<ReplyOf<typeof imports.check>>("POST", `${id}/check`, {});
const run = (id: number) => ask<ImportProgress>("POST", `${id}/run`);
async function homes() {
  const { rows } = await sql<object>`
    SELECT u.first_name AS name, r.first_day::text AS "firstDay", r.last_day::text AS "lastDay", r.lease_ends::text AS "leaseEnds",
      r.shown FROM residencies r JOIN users u ON u.id = r.person_id ORDER BY u.id, r.id`.execute(
    porchlight.db,
  );
  return rows;
}

const header = "Unit,Property,Name,Email,Status,Move-in,Move Out,Lease Expiration";

test("move-in, move-out and lease end become the days of the home, and the same file changes nothing", async () => {
  const lines = [
    header,
    "1A,Riverbend,Ana Silva,ana@example.com,Current,1/5/2024,,12/31/2099",
    "1B,Riverbend,Ben Day,ben@example.com,Notice,2024-02-01,3/31/2098,3/31/2098",
    "1C,Riverbend,Cy Low,cy@example.com,Future,6/1/2097,,",
    "1D,Riverbend,Dee Ray,dee@example.com,Current,,,",
  ];
  const first = await upload(...lines);
  expect(first.mapping.slice(4)).toEqual(["status", "moveIn", "moveOut", "leaseEnd"]);
  expect(first.statuses.find(({ text }) => text === "Future")?.meaning).toBe("moving-in");
  expect(await check(first.id)).toMatchObject({ created: 4, rejected: 0 });
  await run(first.id);
  const open = { firstDay: null, lastDay: null, leaseEnds: null, shown: true };
  expect(await homes()).toEqual([
    { ...open, name: "Ana", firstDay: "2024-01-05", leaseEnds: "2099-12-31" },
    { ...open, name: "Ben", firstDay: "2024-02-01", lastDay: "2098-03-31", leaseEnds: "2098-03-31" },
    { ...open, name: "Cy", firstDay: "2097-06-01" },
    { ...open, name: "Dee" },
  ]);
  // Whoever is still to move in is in no group of residents.
  const rule = { roles: ["tenant"], property: "Riverbend" };
  const matched = await porchlight.call(
    { method: "POST", url: "/api/usergroups/try-rule", body: rule },
    admin,
  );
  expect(matched.json()).toMatchObject({ userCount: 3 });

  expect(await run((await upload(...lines)).id)).toMatchObject({ created: 0, updated: 0, unchanged: 4 });
  const renewed = lines.with(1, lines[1]!.replace("12/31/2099", "12/31/2100"));
  expect(await run((await upload(...renewed)).id)).toMatchObject({ updated: 1, unchanged: 3 });
  expect((await homes())[0]).toMatchObject({ firstDay: "2024-01-05", leaseEnds: "2100-12-31" });
});

test("the days of an earlier home end with it, and another home has its own", async () => {
  await run((await upload(header, "1A,Riverbend,Ana Silva,ana@example.com,Current,1/5/2024,,12/31/2099")).id);
  await run((await upload(header, "2A,Riverbend,Ana Silva,ana@example.com,Current,,,6/30/2098")).id);
  const [before, now] = await homes();
  expect(before).toMatchObject({ firstDay: "2024-01-05", shown: false, lastDay: expect.any(String) });
  expect(now).toMatchObject({ lastDay: null, leaseEnds: "2098-06-30", shown: true });
});

test("days that can't be are asked about, in their cells", async () => {
  const { id } = await upload(
    header,
    "1A,Riverbend,Ana Silva,ana@example.com,Current,soon,,",
    "1B,Riverbend,Ben Day,ben@example.com,Current,2/1/2024,1/1/2024,",
    "1C,Riverbend,Cy Low,cy@example.com,Future Resident,,,",
    "1D,Riverbend,Dee Ray,dee@example.com,Current,,13/13/2024,",
  );
  const { faults } = await check(id);
  expect(faults.map(({ line, column, reason }) => [line, column, reason])).toEqual([
    [2, 5, "Enter a date like 2026-11-25"],
    [3, 6, "They can’t move out before they move in"],
    [4, 5, "Enter the day they move in, or choose “Lives here” for their status in the first step"],
    [5, 6, "Enter a date like 2026-11-25"],
  ]);
  // Someone may already be there, whatever the status says.
  await ask("PATCH", String(id), { statuses: { "Future Resident": "lives" } });
  expect((await check(id)).faults.map(({ line }) => line)).toEqual([2, 3, 5]);
});

const days = (name: string, firstDay: string | null, lastDay: string | null, shown: boolean) =>
  expect.objectContaining({ name, firstDay, lastDay, shown });
/** A day from today on, as the organization's country writes it, and as it is stored. */
const today = Temporal.Now.plainDateISO("America/New_York");
const written = (day: Temporal.PlainDate) => `${day.month}/${day.day}/${day.year}`;

test("who moved to another home on an earlier day left the one before then", async () => {
  await run((await upload(header, "1A,Riverbend,Ana Silva,ana@example.com,Current,1/5/2024,,")).id);
  await run((await upload(header, "2A,Riverbend,Ana Silva,ana@example.com,Current,3/1/2025,,")).id);
  expect(await homes()).toEqual([
    days("Ana", "2024-01-05", "2025-02-28", false),
    days("Ana", "2025-03-01", null, true),
  ]);
});

test("who moves to another home on a day to come lives where they are until then", async () => {
  await run((await upload(header, "1A,Riverbend,Ana Silva,ana@example.com,Current,1/5/2024,,")).id);
  const day = today.add({ months: 1 });
  const rows = [
    header,
    "1A,Riverbend,Ana Silva,ana@example.com,Notice,1/5/2024,,",
    `2A,Riverbend,Ana Silva,ana@example.com,Future,${written(day)},,`,
  ];
  const { id } = await upload(...rows);
  // One person, although they have two rows.
  expect(await check(id)).toMatchObject({ created: 0, updated: 1, unchanged: 0, movingIn: 1, faults: [] });
  await run(id);
  expect(await homes()).toEqual([
    days("Ana", "2024-01-05", day.subtract({ days: 1 }).toString(), true),
    days("Ana", day.toString(), null, false),
  ]);
  const { unit } = await porchlight.db
    .selectFrom("users")
    .select("unit")
    .where("first_name", "=", "Ana")
    .executeTakeFirstOrThrow();
  expect(unit).toBe("1A");
  expect(await check((await upload(...rows)).id)).toMatchObject({ updated: 0, unchanged: 1 });
  // The day changes, and with it the one on which they leave.
  const other = day.add({ days: 3 });
  await run((await upload(rows[0]!, rows[2]!.replace(written(day), written(other)))).id);
  expect(await homes()).toEqual([
    days("Ana", "2024-01-05", other.subtract({ days: 1 }).toString(), true),
    days("Ana", other.toString(), null, false),
  ]);
});

test("days are read as programs write them, and a lease without an end has none", async () => {
  const { id } = await upload(
    header,
    "1A,Riverbend,Ana Silva,ana@example.com,Current,05-Jan-24,,MTM",
    "1B,Riverbend,Ben Day,ben@example.com,Current,2024-02-01 00:00:00,,Month-to-Month",
    '1C,Riverbend,Cy Low,cy@example.com,Current,"March 3, 2024",N/A,12/31/9999',
    "1D,Riverbend,Dee Ray,dee@example.com,Current,4/5/24,--,1/0/1900",
  );
  expect(await check(id)).toMatchObject({ created: 4, faults: [] });
  await run(id);
  expect(await homes()).toMatchObject([
    { firstDay: "2024-01-05", leaseEnds: null },
    { firstDay: "2024-02-01", leaseEnds: null },
    { firstDay: "2024-03-03", lastDay: null, leaseEnds: null },
    { firstDay: "2024-04-05", lastDay: null, leaseEnds: null },
  ]);
  // A lease that goes on by the month doesn't end anymore.
  await run((await upload(header, "1A,Riverbend,Ana Silva,ana@example.com,Current,,,6/30/2098")).id);
  expect((await homes())[0]).toMatchObject({ firstDay: "2024-01-05", leaseEnds: "2098-06-30" });
  await run((await upload(header, "1A,Riverbend,Ana Silva,ana@example.com,Current,,,MTM")).id);
  expect((await homes())[0]).toMatchObject({ firstDay: "2024-01-05", leaseEnds: null });
  // It was all that was known of that home.
  const last = "1E,Riverbend,Eve Fox,eve@example.com,Current,,,";
  await run((await upload(header, `${last}6/30/2098`)).id);
  expect((await homes())[4]).toMatchObject({ leaseEnds: "2098-06-30" });
  await run((await upload(header, `${last}MTM`)).id);
  expect((await homes())[4]).toMatchObject({ leaseEnds: null });
});

test("a day that contradicts the status or what is on file is asked about", async () => {
  await run((await upload(header, "1A,Riverbend,Ana Silva,ana@example.com,Current,,,")).id);
  const { id } = await upload(
    header,
    `1A,Riverbend,Ana Silva,ana@example.com,Current,${written(today.add({ days: 9 }))},,`,
    "1B,Riverbend,Ben Day,ben@example.com,Current,,1/1/2024,",
  );
  expect((await check(id)).faults.map(({ line, column, reason }) => [line, column, reason])).toEqual([
    [2, 5, "By what is on file, Ana Silva lives there already. Correct this day or clear it"],
    [3, 6, "Ben Day has left by this day, but lives there by this row. Correct or clear it"],
  ]);
});

test("a lease's start says when someone comes, but not since when someone lives there", async () => {
  const start = today.add({ months: 2 });
  const { id, mapping } = await upload(
    "Property,Unit,Tenant,Status,Lease From,Lease To",
    "Riverbend,1A,Ana Silva,Current,1/1/2026,12/31/2098",
    `Riverbend,1B,Cy Low,Future,${written(start)},12/31/2098`,
  );
  expect(mapping.slice(4)).toEqual(["leaseStart", "leaseEnd"]);
  expect(await check(id)).toMatchObject({ created: 2, movingIn: 1, faults: [] });
  expect(await run(id)).toMatchObject({ created: 2, movingIn: 1 });
  expect(await homes()).toEqual([days("Ana", null, null, true), days("Cy", start.toString(), null, true)]);
});

test("each resident of a row can have days of their own; a column without a number is everyone's", async () => {
  const { id, mapping } = await upload(
    "Unit,Property,Tenant,Tenant 2,Tenant 3,Move In,Tenant 2 Move In,Lease To",
    "1A,Riverbend,Ana Silva,Ben Day,Cy Low,1/5/2024,2/6/2025,12/31/2098",
    "1B,Riverbend,Dee Ray,,,3/5/2024,4/4/2024,",
  );
  expect(mapping.slice(5)).toEqual(["moveIn", "moveIn 2", "leaseEnd"]);
  expect(await check(id)).toMatchObject({ created: 4, faults: [] });
  await run(id);
  expect(await homes()).toMatchObject([
    { name: "Ana", firstDay: "2024-01-05", leaseEnds: "2098-12-31" },
    { name: "Ben", firstDay: "2025-02-06", leaseEnds: "2098-12-31" },
    { name: "Cy", firstDay: "2024-01-05", leaseEnds: "2098-12-31" },
    { name: "Dee", firstDay: "2024-03-05", leaseEnds: null },
  ]);
});

test("a detail that is called like a day of a home stays a detail", async () => {
  const body = { label: "Lease to", kind: "date" };
  const made = await porchlight.call({ method: "POST", url: "/api/details", body }, admin);
  expect(made.json()).toMatchObject({ field: "lease_to" });
  const { mapping } = await upload("Name,Lease To,Move In", "Ana Silva,12/31/2098,1/5/2024");
  expect(mapping).toEqual(["fullName", "detail:lease_to", "moveIn"]);
});

describe("past tenants", () => {
  const roll = (...rows: string[]) => upload(header, ...rows);
  const ana = "1A,Riverbend,Ana Silva,ana@example.com,Current,1/5/2024,,";
  const past = ana.replace("Current", "Past");
  const yesterday = () => today.subtract({ days: 1 }).toString();

  test("who is on file is moved out on the day of the file, or the day before, and no one is deleted", async () => {
    await run((await roll(ana, "1B,Riverbend,Ben Day,ben@example.com,Current,,,")).id);
    const rows = [
      "1A,Riverbend,Ana Silva,ana@example.com,Past,1/5/2024,3/31/2026,",
      "1B,Riverbend,Ben Day,ben@example.com,Former,,,",
      "1C,Riverbend,Cy Low,cy@example.com,Past,,,",
    ];
    const { id } = await roll(...rows);
    expect(await check(id)).toMatchObject({
      created: 0,
      updated: 0,
      rejected: 0,
      movedOut: 2,
      absent: { "moved-out": 1 },
      homes: [],
      faults: [],
    });
    expect(await run(id)).toMatchObject({ movedOut: 2, absent: { "moved-out": 1 } });
    expect(await homes()).toEqual([
      days("Ana", "2024-01-05", "2026-03-31", true),
      days("Ben", null, yesterday(), true),
    ]);
    // They can be moved back, and who did it is on record.
    const { rows: moves } = await sql<{ count: number }>`SELECT count(*) AS count FROM home_changes`.execute(
      porchlight.db,
    );
    expect(moves).toEqual([{ count: 2 }]);
    const audits = await porchlight.db
      .selectFrom("audit")
      .select("detail")
      .where("action", "=", "residency.move-out")
      .orderBy("id")
      .execute();
    expect(audits[0]?.detail).toMatchObject({ by: "import", home: "Riverbend 1A", day: "2026-03-31" });
    expect(await check((await roll(...rows)).id)).toMatchObject({
      movedOut: 0,
      absent: { "moved-out": 3 },
    });
  });

  test("only a row of their home moves them out, and no row that another one contradicts", async () => {
    await run((await roll(ana)).id);
    for (const rows of [
      // Of an earlier home, and of one before they came.
      [past.replace("1A", "9Z")],
      ["1A,Riverbend,Ana Silva,ana@example.com,Past,,12/31/2023,"],
      // A lease that has ended beside the one that goes on, in any order, and a move.
      [past, ana],
      [ana, past],
    ]) {
      const { id } = await roll(...rows);
      expect(await check(id)).toMatchObject({ movedOut: 0, absent: { "moved-out": 1 } });
      await run(id);
      expect(await homes()).toEqual([days("Ana", "2024-01-05", null, true)]);
    }
    const moved = await roll(
      past.replace(",,", ",10/31/2026,"),
      "2A,Riverbend,Ana Silva,ana@example.com,Current,11/1/2026,,",
    );
    expect(await run(moved.id)).toMatchObject({ updated: 1, movedOut: 0 });
    expect(await homes()).toEqual([
      days("Ana", "2024-01-05", "2026-10-31", false),
      days("Ana", "2026-11-01", null, true),
    ]);
  });

  test("a row far below says that they live there after all", async () => {
    await run((await roll(ana)).id);
    const others = Array.from(
      { length: 1000 },
      (_, n) => `${n},Elm,Bo N${n},bo${n}@example.com,Applicant,,,`,
    );
    const { id } = await roll(past, ...others, ana);
    expect(await run(id)).toMatchObject({ done: false, movedOut: 0 });
    expect(await homes()).toEqual([days("Ana", "2024-01-05", null, true)]);
    expect(await run(id)).toMatchObject({ done: true, unchanged: 1, movedOut: 0 });
    expect(await homes()).toEqual([days("Ana", "2024-01-05", null, true)]);
  });

  test("who is on file is left alone if someone chose that", async () => {
    await run((await roll(ana)).id);
    const { id } = await roll(past);
    await ask("PATCH", String(id), { options: { existing: "skip" } });
    expect(await run(id)).toMatchObject({ movedOut: 0, absent: { "moved-out": 1 } });
    expect(await homes()).toEqual([days("Ana", "2024-01-05", null, true)]);
  });

  test("undoing the import brings them back", async () => {
    await run((await roll(ana)).id);
    const { id } = await roll(past);
    expect(await run(id)).toMatchObject({ movedOut: 1 });
    await ask("POST", `${id}/undo`);
    expect(await homes()).toEqual([days("Ana", "2024-01-05", null, true)]);
  });
});

test("a column can say what each is to the home, and who doesn't live there gets nothing sent to it", async () => {
  const rows = [
    "Unit,Property,Name,Email,Relationship",
    "1A,Riverbend,Ana Silva,ana@example.com,Head of Household",
    "1A,Riverbend,Ben Silva,ben@example.com,Son",
    "1A,Riverbend,Cy Low,cy@example.com,Co-signer",
    "1A,Riverbend,Dee Ray,dee@example.com,Penfriend",
  ];
  const { id, mapping } = await upload(...rows);
  expect(mapping[4]).toBe("homeRole");
  expect((await check(id)).faults.map(({ line, column, reason }) => [line, column, reason])).toEqual([
    [5, 4, "Enter leaseholder, occupant, owner, guarantor or contact"],
  ]);
  await run(id);
  const roles = async () =>
    (
      await sql<{ role: string }>`
        SELECT r.role FROM residencies r JOIN users u ON u.id = r.person_id ORDER BY u.id`.execute(
        porchlight.db,
      )
    ).rows.map(({ role }) => role);
  expect(await roles()).toEqual(["leaseholder", "occupant", "guarantor"]);
  const rule = { roles: ["tenant"], property: "Riverbend" };
  const matched = await porchlight.call(
    { method: "POST", url: "/api/usergroups/try-rule", body: rule },
    admin,
  );
  expect(matched.json()).toMatchObject({ userCount: 2 });
  expect(await run((await upload(...rows)).id)).toMatchObject({ updated: 0, unchanged: 3 });
  await run((await upload(rows[0]!, rows[2]!.replace("Son", "Tenant"))).id);
  expect(await roles()).toEqual(["leaseholder", "leaseholder", "guarantor"]);
  // Who moves is to the new home what they were to the one before.
  await run((await upload(...rows.slice(0, 3))).id);
  await run(
    (await upload("Unit,Property,Name,Email,Move In", "2A,Riverbend,Ben Silva,ben@example.com,5/1/2026")).id,
  );
  expect(await roles()).toEqual(["leaseholder", "occupant", "occupant", "guarantor"]);
});

test("who moves in later needs a property, or they would be a resident of no home until then", async () => {
  const { id } = await upload(
    "Unit,Name,Move In,Status",
    `1A,Ana Silva,${written(today.add({ days: 9 }))},Future`,
  );
  expect((await check(id)).faults).toMatchObject([
    { line: 2, column: 0, reason: "Name the property and unit, so that we know where Ana Silva moves in" },
  ]);
  await ask("PATCH", String(id), { property: "Riverbend" });
  expect(await check(id)).toMatchObject({ created: 1, movingIn: 1, faults: [] });
});
