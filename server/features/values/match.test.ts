import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { ValueRow } from "#contract/calls/values.ts";
import { clear } from "#server/delivery/testing/scene.ts";
import { type Caller, type NewPerson, type TestApp, testApp } from "#server/testing/app.ts";
import {
  addHome,
  addLee,
  addResidency,
  askSheet,
  changeSheet,
  csv,
  rowsOfSheet,
  uploadSheet,
} from "#server/testing/value-sheets.ts";

/** Whom the rows of a file with values are for. */

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

const person = (firstName: string, more?: Partial<NewPerson>) => addLee(porchlight, firstName, more);
const rows = (id: number) => rowsOfSheet(porchlight, staff, id, "pageSize=100");
const fix = (id: number, ...cells: [line: number, column: number, text: string][]) =>
  askSheet(porchlight, staff, "POST", `${id}/cells`, {
    cells: cells.map(([line, column, text]) => ({ line, column, text })),
  });

async function read(...lines: string[]): Promise<{ id: number; found: ValueRow[] }> {
  const { body } = await uploadSheet(porchlight, staff, csv(...lines), { fields: "amount" });
  return { id: body.id, found: await rows(body.id) };
}

/** A row's people, or what is wrong with it. */
const outcome = ({ people, troubles }: ValueRow) =>
  troubles.length > 0 ? troubles.map(({ kind }) => kind).join(" ") : people.map(({ userId }) => userId);

test("a stranger who registered as someone else gets nothing of theirs", async () => {
  const [ana, ben] = [await person("Ana"), await person("Ben")];
  const stranger = await person("Zed", { email: "victim@example.com", username: "victim" });
  await sql`UPDATE users SET address_confirmed_at = NULL, self_registered = true WHERE id = ${stranger}`.execute(
    porchlight.db,
  );
  await addResidency(porchlight, stranger, await addHome(porchlight, "Riverbend", "2D"));
  // What people enter for themselves is theirs once they have confirmed it.
  await sql`UPDATE users SET email = 'other@example.com', email_unconfirmed = true WHERE id = ${ana}`.execute(
    porchlight.db,
  );
  await sql`UPDATE users SET phone = '+14155550123', phone_unconfirmed = true WHERE id = ${ben}`.execute(
    porchlight.db,
  );
  const { found } = await read(
    "Username,Email,Phone,Unit,Amount",
    "victim,,,,$1.00",
    ",victim@example.com,,,$1.00",
    ",,,Riverbend 2D,$1.00",
    ",other@example.com,,,$1.00",
    ",,(415) 555-0123,,$1.00",
  );
  expect(found.map(outcome)).toEqual([
    "not-on-file",
    "not-on-file",
    "no-one-there",
    "not-on-file",
    "not-on-file",
  ]);
});

test("an email beside a home where its person doesn’t live is asked about, unless a username says who is meant", async () => {
  const [ana, ben, cy, dee] = [
    await person("Ana"),
    await person("Ben"),
    await person("Cy"),
    await person("Dee"),
  ];
  const [shared, other] = [
    await addHome(porchlight, "Riverbend", "2D"),
    await addHome(porchlight, "Riverbend", "3A"),
  ];
  await addResidency(porchlight, ben, shared);
  await addResidency(porchlight, ana, other);
  await addResidency(porchlight, cy, shared, "owner");
  const { id, found } = await read(
    "Username,Email,Unit,Amount",
    ",ana@example.com,Riverbend 2D,$1.00",
    "ana.lee,,Riverbend 2D,$1.00",
    ",cy@example.com,Riverbend 2D,$1.00",
    ",dee@example.com,Riverbend 2D,$1.00",
    ",ben@example.com,Riverbend 9Z,$1.00",
  );
  expect(found.map(outcome)).toEqual(["disagree", [ana], [cy], [dee], [ben]]);
  expect(found[0]?.troubles).toMatchObject([{ column: 2, candidates: [{ id: ana }, { id: ben }] }]);
  await fix(id, [3, 0, "dee.lee"], [5, 1, ""], [5, 2, ""]);
  await changeSheet(porchlight, staff, id, { decisions: { "2": String(ana) } });
  expect((await rows(id)).map(outcome)).toEqual([[ana], [dee], [cy], "no-one-named", [ben]]);
});

test("a name tells those apart who share an address, and neither finds nor refuses anyone", async () => {
  const fam = { email: "fam@example.com" };
  const [ana, ben] = [await person("Ana", fam), await person("Ben-Eli", { ...fam, username: "ben.lee" })];
  const { found } = await read(
    "Tenant,Email,Amount",
    '"Lee, ANA",fam@example.com,$1.00',
    "Ben Lee,fam@example.com,$2.00",
    "Ana & Ben Lee,fam@example.com,$3.00",
    "Zoe,fam@example.com,$3.00",
    "Ana Lee,,$4.00",
    "Hilltop",
  );
  expect(found.map(outcome)).toEqual([[ana], [ben], "several-match", "several-match", "no-one-named"]);
});

test("a home’s row is for all who lease it, but where each has a row, for the one it names", async () => {
  const [ana, ben, cy] = [await person("Ana"), await person("Ben"), await person("Cy")];
  const unit = await addHome(porchlight, "Riverbend", "2D");
  await addResidency(porchlight, ana, unit);
  await addResidency(porchlight, ben, unit);
  await addResidency(porchlight, cy, unit, "occupant");
  const names = "Unit,Tenant,Amount";
  const one = await read(names, "Riverbend 2D,Ana Lee,$1.00");
  expect(one.found.map(outcome)).toEqual([[ana, ben]]);
  const each = await read(
    names,
    ...["Ana Lee,$1.00", "Ben Lee,$2.00", "Cy,$3.00"].map((row) => `riverbend 2d,${row}`),
  );
  expect(each.found.map(outcome)).toEqual([[ana], [ben], [cy]]);
  const other = await read(names, "Riverbend 2D,Ana Lee,$1.00", "Riverbend 2D,Zoe,$2.00");
  expect(other.found.map(outcome)).toEqual([[ana], "twice"]);
});

test("an unknown address says who else the row may mean; a placeholder says nothing", async () => {
  const [ana, ben] = [await person("Ana", { phone: "+14155550124" }), await person("Ben")];
  await addResidency(porchlight, ben, await addHome(porchlight, "Riverbend", "2D"));
  const { found } = await read(
    "Email,Phone,Unit,Amount",
    "anna@example.com,415-555-0124,,$1.00",
    "bem@example.com,,Riverbend 2D,$1.00",
    "N/A,-,Riverbend 2D,$1.00",
    '"old@example.com; ana@example.com",,,$1.00',
  );
  expect(found.map(outcome)).toEqual(["not-on-file", "not-on-file", [ben], [ana]]);
  expect(found.slice(0, 2).map(({ troubles }) => troubles[0]?.candidates)).toMatchObject([
    [{ id: ana, name: "Ana Lee" }],
    [{ id: ben }],
  ]);
});

test("a sum below the rows is no row, but an amount for no one among them is one", async () => {
  const [ana, ben] = [await person("Ana"), await person("Ben")];
  const { found } = await read(
    "Email,Amount",
    "ana@example.com,$1.00",
    ",$1.00",
    "ben@example.com,$1.00",
    ",$3.00",
    "Total,$3.00",
  );
  expect(found.map(outcome)).toEqual([[ana], "no-one-named", [ben]]);
});

test("a row that waits for its amount is still the person’s row, and names them", async () => {
  const ana = await person("Ana");
  const { id, found } = await read("Email,Amount", "ana@example.com,", "ANA@example.com,$2.00");
  expect(found.map(outcome)).toEqual(["missing", "twice"]);
  expect(found[0]?.people).toMatchObject([{ userId: ana }]);
  await changeSheet(porchlight, staff, id, { decisions: { "2": "out" } });
  expect((await rows(id)).map(outcome)).toEqual([[], [ana]]);
});

test("after any corrections and decisions, the rows are what a new reading finds", async () => {
  const names = ["Ana", "Ben", "Cy", "Dee", "Eve"];
  const people: number[] = [];
  for (const name of names) people.push(await person(name));
  const homes = ["2D", "3A"];
  for (const [n, unit] of homes.entries()) {
    const unitId = await addHome(porchlight, "Riverbend", unit);
    for (const id of people.slice(n * 2, n * 2 + 2)) await addResidency(porchlight, id, unitId);
  }
  const whom = [...names.map((name) => `${name}@example.com,`), ...homes.map((unit) => `,Riverbend ${unit}`)];
  const { id } = await read(
    "Email,Unit,Amount",
    ...Array.from({ length: 14 }, (_, n) => `${whom[n % whom.length]},$${n}.00`),
  );
  let seed = 7;
  const pick = <T>(list: readonly T[]): T => {
    seed = (seed * 48_271) % 2_147_483_647;
    return list[seed % list.length]!;
  };
  for (let round = 0; round < 40; round++) {
    const line = pick([...Array(14).keys()]) + 2;
    const [email = "", unit = ""] = pick([...whom, "nobody@example.com,", ","]).split(",");
    const change = pick([
      () => fix(id, [line, 0, email], [line, 1, unit]),
      () => fix(id, [line, 2, pick(["", "$7.00", "TBD"])]),
      () =>
        changeSheet(porchlight, staff, id, {
          decisions: { [line]: pick(["out", "", String(pick(people))]), [pick([2, 5, 9])]: "" },
        }),
    ]);
    await change();
    const corrected = await rows(id);
    await changeSheet(porchlight, staff, id, { property: "" });
    expect(corrected).toEqual(await rows(id));
  }
});
