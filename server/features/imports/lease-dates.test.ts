import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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
    [4, 5, "Enter the day on which they move in, or choose that they live there"],
    [5, 6, "Enter a date like 2026-11-25"],
  ]);
  // Someone may already be there, whatever the status says.
  await ask("PATCH", String(id), { statuses: { "Future Resident": "lives" } });
  expect((await check(id)).faults.map(({ line }) => line)).toEqual([2, 3, 5]);
});
