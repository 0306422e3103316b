import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { runMaintenance } from "#server/delivery/maintenance.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

/** How long uploaded files are kept, and for whom. */

let porchlight: TestApp;
let admin: Caller;

beforeAll(async () => {
  porchlight = await testApp({ mostWrites: 10_000 });
  admin = await porchlight.signedIn("admin");
});
beforeEach(() => porchlight.db.deleteFrom("imports").execute());
afterAll(() => porchlight.close());

async function upload(text = "Unit,Tenant\n1,Ann Lee\n", as: Caller | null = admin) {
  const reply = await porchlight.app.inject({
    method: "POST",
    url: "/api/imports?name=roll.csv",
    headers: { ...(as && { cookie: as.cookie }), "content-type": "text/csv" },
    payload: Buffer.from(text),
  });
  return { status: reply.statusCode, id: reply.json<{ id: number }>().id };
}
const ask = (method: "GET" | "PATCH" | "POST" | "DELETE", path: string, as: Caller, body?: unknown) =>
  porchlight.call({ method, url: `/api/imports${path}`, ...(body !== undefined && { body }) }, as);

async function expectNothingKept(): Promise<void> {
  for (const table of ["imports", "import_rows"] as const)
    expect(await porchlight.db.selectFrom(table).selectAll().execute()).toEqual([]);
}

test("only who uploaded a file reads or changes it", async () => {
  const { id } = await upload();
  const other = await porchlight.signedIn("staff");
  const tenant = await porchlight.signedIn("tenant");
  for (const [method, path, body] of [
    ["GET", ""],
    ["PATCH", "", { property: "Elm" }],
    ["POST", "/cells", { cells: [{ line: 2, column: 0, text: "x" }] }],
    ["POST", "/check", {}],
    ["POST", "/run"],
    ["DELETE", ""],
  ] as const) {
    expect((await ask(method, `/${id}${path}`, other, body)).statusCode).toBe(404);
    expect((await ask(method, `/${id}${path}`, tenant, body)).statusCode).toBe(403);
  }
  expect((await ask("GET", "", other)).json()).toEqual([]);
  expect((await ask("GET", "", tenant)).statusCode).toBe(403);
  expect((await ask("GET", "", admin)).json()).toMatchObject([{ id }]);
  expect((await upload("", tenant)).status).toBe(403);
  expect((await upload("", null)).status).toBe(401);
});

test("a file is kept for a day, and five of each person", async () => {
  const { id } = await upload();
  for (let n = 0; n < 5; n++) await upload();
  expect((await ask("GET", `/${id}`, admin)).statusCode).toBe(404);
  await sql`UPDATE imports SET created_at = now() - interval '25 hours'`.execute(porchlight.db);
  const [old] = await porchlight.db.selectFrom("imports").select("id").execute();
  expect((await ask("GET", `/${old?.id}`, admin)).statusCode).toBe(404);
  await runMaintenance(porchlight.db);
  await expectNothingKept();
});

test("a file whose reading is cut off leaves nothing behind, and the next one is read", async () => {
  const rows = Array.from({ length: 80_000 }, (_, n) => `${n},Ann N${n},n${n}@example.com`);
  const cut = upload(["Unit,Tenant,Email", ...rows].join("\n"));
  // As when the server or its database is killed while the rows come in.
  await until(async () => {
    const { rows: ended } = await sql`
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid()
        AND query LIKE '%INSERT INTO import_rows%'`.execute(porchlight.db);
    expect(ended).toHaveLength(1);
  });
  expect((await cut).status).toBeGreaterThanOrEqual(500);
  await expectNothingKept();
  expect((await upload()).status).toBe(201);
});
