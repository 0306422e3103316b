import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ImportResults, importResults, UndoProgress } from "#contract/calls/import-results.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { clear, fanOutAll } from "#server/delivery/testing/scene.ts";
import { optOut } from "#server/audience/opt-outs.ts";
import { runMaintenance } from "#server/delivery/maintenance.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { sheetsOf } from "#server/testing/sheets.ts";

let porchlight: TestApp;
let admin: Caller;
let staff: Caller;
let tenant: Caller;
let sheets: ReturnType<typeof sheetsOf>;

beforeAll(async () => {
  porchlight = await testApp({ mostWrites: 10_000 });
});
beforeEach(async () => {
  await clear(porchlight.db);
  admin = await porchlight.signedIn("admin");
  staff = await porchlight.signedIn("staff");
  tenant = await porchlight.signedIn("tenant");
  sheets = sheetsOf(porchlight, admin);
});
const callers = () => [admin, staff, tenant].map(({ userId }) => userId);
afterAll(() => porchlight.close());

type People = ReplyOf<typeof importResults.people>;
type UndoCheck = ReplyOf<typeof importResults.checkUndo>;

const header = ["Unit", "Tenant", "Phone", "Email", "Property", "Status"];
const ann = ["1A", "Ann Lee", "(415) 555-0101", "ann@example.com", "Elm", "Current"];
const bo = ["1B", "Bo Diaz", "(415) 555-0102", "bo@example.com", "Elm", "Current"];
const cy = ["2A", "Cy Ito", "", "cy@example.com", "Elm", "Current"];

const result = async (id: number, as = admin) =>
  (await sheets.ask<ImportResults>("GET", `${id}/result`, undefined, as)).body;
const did = async (id: number, kind: string) =>
  (await sheets.ask<People>("GET", `${id}/people?kind=${kind}`)).body.people;
const checkUndo = async (id: number) => (await sheets.ask<UndoCheck>("GET", `${id}/undo`)).body;
const undo = (id: number) => sheets.finish<UndoProgress>(`${id}/undo`);
const personNamed = (lastName: string) =>
  porchlight.db.selectFrom("users").selectAll().where("last_name", "=", lastName).executeTakeFirstOrThrow();
const onFile = async () => {
  const found = await porchlight.db
    .selectFrom("users")
    .select(["first_name", "email", "phone", "property_unit", "property", "unit", "home_by_hand"])
    .where("id", "not in", callers())
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  const { rows: homes } = await sql`
    SELECT u.first_name, h.written, r.first_day::text, r.last_day::text, r.lease_ends::text, r.shown FROM residencies r
    JOIN users u ON u.id = r.person_id JOIN units h ON h.id = r.unit_id WHERE u.deleted_at IS NULL
    ORDER BY u.id, r.id`.execute(porchlight.db);
  return { found, homes };
};

test("a result says who is new, what changed from what to what, who was unchanged, and which rows need someone", async () => {
  await sheets.imported([header, ann, bo]);
  const id = await sheets.imported(
    [
      header,
      ["1A", "Ann Lee", "(415) 555-0199", "ann@example.com", "Elm", "Current"],
      bo,
      cy,
      ["3", "Dee Oh", "", "dee@example,com", "Elm", "Current"],
      ["4", "Old Tenant", "", "", "Elm", "Past"],
    ],
    "November.xlsx",
  );
  expect(await result(id)).toMatchObject({
    name: "November.xlsx",
    homes: 3,
    counts: { new: 1, out: 0, changed: 1, same: 1 },
    changed: { phone: 1 },
    left: { rows: 1, first: [{ line: 5, reasons: [{ column: 3, reason: expect.any(String) }] }] },
    absent: { "moved-out": 1 },
    unreachable: 0,
    undo: { until: expect.any(String), progress: null },
  });
  expect(await did(id, "new")).toMatchObject([{ name: "Cy Ito", propertyUnit: "Elm / 2A", changes: [] }]);
  expect(await did(id, "same")).toMatchObject([{ name: "Bo Diaz" }]);
  const [changed] = await did(id, "changed");
  expect(changed).toMatchObject({
    name: "Ann Lee",
    changes: [{ field: "phone", label: null, kind: null, before: "+14155550101", after: "+14155550199" }],
  });

  // Whoever may change people finds it later, too, and gets the rows as a file.
  expect((await result(id, staff)).counts).toMatchObject({ new: 1 });
  const list = await porchlight.call({ method: "GET", url: "/api/imports/results" }, staff);
  expect(list.json()).toMatchObject([
    { id, name: "November.xlsx", counts: { new: 1 } },
    { name: "Roll.xlsx" },
  ]);
  const read = await porchlight.call({ method: "GET", url: `/api/imports/${id}` }, staff);
  expect(read.json()).toMatchObject({ progress: { done: true } });
  const file = await porchlight.call({ method: "GET", url: `/api/imports/${id}/left-out.csv` }, admin);
  expect(file.body.replace("\uFEFF", "").split("\r\n")).toEqual([
    "To fix,Unit,Tenant,Phone,Email,Property,Status",
    expect.stringMatching(/^"?Row 5: Email: .*,3,Dee Oh,,"dee@example,com",Elm,Current$/),
    "",
  ]);
  for (const path of ["result", "people?kind=new", "undo", "left-out.csv"])
    expect((await sheets.ask("GET", `${id}/${path}`, undefined, tenant)).status).toBe(403);
});

test("a result is kept for a week, however many files someone uploads, and an import that hasn't ended has none", async () => {
  const id = await sheets.imported([header, ann]);
  for (let n = 0; n < 6; n++) await sheets.upload([header, bo]);
  const open = await sheets.upload([header, bo]);
  expect((await sheets.ask("GET", `${open}/result`)).status).toBe(404);
  await sql`UPDATE imports SET created_at = now() - interval '6 days', finished_at = finished_at - interval '6 days'`.execute(
    porchlight.db,
  );
  await runMaintenance(porchlight.db);
  expect(await result(id)).toMatchObject({ counts: { new: 1 }, undo: { until: null } });
  await sql`UPDATE imports SET finished_at = now() - interval '8 days'`.execute(porchlight.db);
  expect((await sheets.ask("GET", `${id}/result`)).status).toBe(404);
  await runMaintenance(porchlight.db);
  expect(await porchlight.db.selectFrom("imports").selectAll().execute()).toEqual([]);
});

test("undoing an import removes who was added and restores what was changed, homes and groups included", async () => {
  await sheets.imported([header, ann, bo, ["", "Flo Wu", "", "flo@example.com", "", ""]]);
  const before = await onFile();
  const board = await porchlight.call(
    { method: "POST", url: "/api/usergroups", body: { name: "Board" } },
    admin,
  );
  const group = board.json<{ id: number }>().id;
  const id = await sheets.upload([
    header,
    // Another home, another number, a first home, and someone new.
    ["7C", "Ann Lee", "(415) 555-0199", "ann@example.com", "Elm", "Current"],
    bo,
    ["9", "Flo Wu", "", "flo@example.com", "Elm", "Current"],
    cy,
  ]);
  await sheets.ask("PATCH", String(id), { options: { groupIds: [group] } });
  await sheets.run(id);
  expect(await checkUndo(id)).toMatchObject({ removed: 1, restored: 3, movedBack: 0, kept: 0, people: 4 });
  expect(await undo(id)).toEqual({ removed: 1, restored: 3, movedBack: 0, kept: 0, people: 4, done: true });
  expect(await onFile()).toEqual(before);
  expect(await porchlight.db.selectFrom("group_members").selectAll().execute()).toEqual([]);
  expect(await result(id)).toMatchObject({ undo: { until: null, progress: { removed: 1, done: true } } });
  expect(await did(id, "new")).toMatchObject([{ name: "Cy Ito", deleted: true, undone: "done" }]);
  // Repeated, it does nothing.
  expect(await undo(id)).toMatchObject({ removed: 1, done: true });
  const { rows } = await sql<{ action: string }>`
    SELECT action FROM audit WHERE detail ->> 'by' = 'undo-import' OR action = 'user.undo-import' ORDER BY id`.execute(
    porchlight.db,
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "user.delete",
    "user.update",
    "user.update",
    "user.undo-import",
  ]);
});

test("who was changed, written to or given access since stays as they are, and is named before with the reason", async () => {
  await sheets.imported([header, ann]);
  const people = [
    bo,
    cy,
    ["3", "Dee Oh", "", "dee@example.com", "Elm", ""],
    ["4", "Eve Po", "", "eve@example.com", "Elm", ""],
    ["5", "Gil Ra", "", "gil@example.com", "Elm", ""],
  ];
  const id = await sheets.imported([
    header,
    ["1A", "Ann Lee", "(415) 555-0199", "ann@example.com", "Elm", "Current"],
    ...people,
  ]);
  const [annId, boId, deeId, eveId] = await Promise.all(
    ["Lee", "Diaz", "Oh", "Po"].map(async (name) => (await personNamed(name)).id),
  );
  // Ann's number is corrected once more, Bo is written to, Dee is planned for, Eve has a password.
  await sql`UPDATE users SET phone = '+14155550142', updated_at = clock_timestamp() WHERE id = ${annId}`.execute(
    porchlight.db,
  );
  const message = {
    title: "Water is off",
    message: "Until noon.",
    channels: ["email"],
    recipients: [{ type: "user", id: boId }],
  };
  const sent = await porchlight.call({ method: "POST", url: "/api/send-notification", body: message }, admin);
  expect(sent.statusCode).toBe(200);
  await fanOutAll(porchlight.db);
  const planned = await porchlight.call(
    {
      method: "POST",
      url: "/api/notifications",
      body: {
        title: "Water is off",
        content: "Until noon.",
        channels: ["email"],
        recipients: [{ type: "user", id: deeId }],
        status: "Scheduled",
        scheduled_time: "2098-11-27T10:00:00Z",
      },
    },
    admin,
  );
  expect([planned.statusCode, planned.body]).toEqual([201, expect.anything()]);
  await sql`UPDATE users SET password_hash = 'x' WHERE id = ${eveId}`.execute(porchlight.db);
  const check = await checkUndo(id);
  expect(check.staying.map(({ name, reason }) => [name, reason])).toEqual([
    ["Ann Lee", "changed"],
    ["Bo Diaz", "sent"],
    ["Dee Oh", "planned"],
    ["Eve Po", "signed-in"],
  ]);
  expect(check).toMatchObject({ removed: 2, restored: 0, kept: 4, people: 6 });
  expect(await undo(id)).toMatchObject({ removed: 2, restored: 0, kept: 4, done: true });
  expect((await onFile()).found.map(({ first_name }) => first_name)).toEqual(["Ann", "Bo", "Dee", "Eve"]);
  expect((await personNamed("Lee")).phone).toBe("+14155550142");
  expect(await did(id, "changed")).toMatchObject([{ name: "Ann Lee", undone: "changed" }]);
});

test("an undo that was interrupted goes on where it was, and a chunk happens whole or not at all", async () => {
  const rows = Array.from({ length: 700 }, (_, n) => [
    String(n),
    `Ann N${n}`,
    "",
    `n${n}@example.com`,
    "Elm",
    "",
  ]);
  const id = await sheets.imported([header, ...rows]);
  // The server dies in the middle of the second chunk.
  await sql`CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'killed'; END $$`.execute(
    porchlight.db,
  );
  await sql`CREATE TRIGGER die BEFORE UPDATE ON users FOR EACH ROW WHEN (NEW.last_name = 'N600') EXECUTE FUNCTION die()`.execute(
    porchlight.db,
  );
  expect((await sheets.ask<UndoProgress>("POST", `${id}/undo`)).body).toMatchObject({
    removed: 500,
    done: false,
  });
  expect((await sheets.ask("POST", `${id}/undo`)).status).toBe(500);
  expect(await result(id)).toMatchObject({ undo: { progress: { removed: 500, done: false } } });
  expect((await onFile()).found).toHaveLength(200);
  await sql`DROP TRIGGER die ON users`.execute(porchlight.db);
  await sql`DROP FUNCTION die`.execute(porchlight.db);
  // What has begun can end later.
  await sql`UPDATE imports SET finished_at = finished_at - interval '25 hours'`.execute(porchlight.db);
  expect(await undo(id)).toMatchObject({ removed: 700, kept: 0, done: true });
  expect((await onFile()).found).toEqual([]);
});

test("an import can be undone for a day", async () => {
  const id = await sheets.imported([header, ann]);
  await sql`UPDATE imports SET finished_at = now() - interval '25 hours'`.execute(porchlight.db);
  const { status, body } = await sheets.ask("POST", `${id}/undo`);
  expect([status, body.message]).toEqual([409, "An import can be undone for 24 hours. That time is over."]);
});

/** Ann is on file, and an import gave her another address, after someone said that it is her. */
async function newEmail() {
  await sheets.imported([header, ann]);
  const { id: annId } = await personNamed("Lee");
  const id = await sheets.upload([header, ["1A", "Ann Lee", "(415) 555-0101", "ann@example.org", "Elm", ""]]);
  await sheets.ask("PATCH", String(id), { decisions: { "2:1": String(annId) } });
  await sheets.run(id);
  return { id, annId };
}

test("an opt-out since then stays, and one that came with an address comes along", async () => {
  const { id, annId } = await newEmail();
  await optOut(
    porchlight.db,
    { channel: "email", address: "ann@example.org" },
    { source: "preferences-page", own: annId },
  );
  expect((await checkUndo(id)).staying).toMatchObject([{ id: annId, reason: "changed" }]);
  expect(await undo(id)).toMatchObject({ restored: 0, kept: 1 });
  const { email } = await personNamed("Lee");
  const { rows } = await sql`SELECT FROM suppressions WHERE address = ${email}`.execute(porchlight.db);
  expect([email, rows.length]).toEqual(["ann@example.org", 1]);
});

test("who may not change colleagues doesn't take back what an import did to them", async () => {
  const cells = ["Username", "First name", "Last name", "Email", "Role"];
  const id = await sheets.imported([cells, ["kim", "Kim", "Roe", "kim@example.com", "staff"]]);
  const check = await sheets.ask<UndoCheck>("GET", `${id}/undo`, undefined, staff);
  expect(check.body.staying).toMatchObject([{ name: "Kim Roe", reason: "not-allowed" }]);
  expect((await sheets.ask<UndoProgress>("POST", `${id}/undo`, undefined, staff)).body).toMatchObject({
    removed: 0,
    kept: 1,
  });
  expect((await personNamed("Roe")).deleted_at).toBeNull();
});

test("restoring someone's address asks for the password, as the import that changed it did", async () => {
  const { id } = await newEmail();
  await sql`UPDATE sessions SET confirmed_at = now() - interval '1 hour'`.execute(porchlight.db);
  const { status, body } = await sheets.ask("POST", `${id}/undo`);
  expect([status, body.code]).toEqual([403, "password-required"]);
  expect((await personNamed("Lee")).email).toBe("ann@example.org");
  await sql`UPDATE sessions SET confirmed_at = now()`.execute(porchlight.db);
  expect(await undo(id)).toMatchObject({ restored: 1, done: true });
  expect((await personNamed("Lee")).email).toBe("ann@example.com");
});

test("days of a home that an import changed are restored, with a move and without one", async () => {
  const cells = ["Unit", "Tenant", "Email", "Property", "Move in", "Lease end"];
  await sheets.imported([
    cells,
    ["1A", "Ann Lee", "ann@example.com", "Elm", "2024-03-01", "2026-02-28"],
    ["1B", "Bo Diaz", "bo@example.com", "Elm", "2025-01-01", ""],
  ]);
  const before = await onFile();
  const id = await sheets.imported([
    cells,
    ["1A", "Ann Lee", "ann@example.com", "Elm", "2024-03-01", "2027-02-28"],
    ["5", "Bo Diaz", "bo@example.com", "Elm", "2026-01-01", "2027-01-01"],
  ]);
  expect((await did(id, "changed"))[0]?.changes).toEqual([
    { field: "days", label: "Lease end", kind: "date", before: "2026-02-28", after: "2027-02-28" },
  ]);
  expect(await undo(id)).toMatchObject({ restored: 2, kept: 0 });
  expect(await onFile()).toEqual(before);
});
