import { expect, test } from "vitest";
import { choicesIn, headerOf, withChoice } from "#contract/text/sheet-columns.ts";
import { ImportFile } from "#web/features/csv/import-file.ts";
import { readCsv } from "#web/features/csv/read-csv.ts";

function tableOf(text: string) {
  const reading = readCsv(text);
  if ("trouble" in reading) throw new Error(reading.trouble.sentence);
  return reading.table;
}
const fileOf = (text: string) => new ImportFile(tableOf(text));

const header = "username,email,firstName,lastName";
const people = `${header}\nana, ana@example.com ,Ana,Silva\n\nbo,bo@example.com,Bo,Abel\n`;

// spec 243
test("rows are sent as objects keyed by field, with trimmed text", () => {
  expect(fileOf(people).chunk(0, 10)).toEqual({
    rows: [
      { username: "ana", email: "ana@example.com", firstName: "Ana", lastName: "Silva" },
      { username: "bo", email: "bo@example.com", firstName: "Bo", lastName: "Abel" },
    ],
    places: [
      { line: 2, resident: 1 },
      { line: 4, resident: 1 },
    ],
    next: 2,
  });
});

test("titles above the column names are skipped", () => {
  const titles = "Rent Roll - Maple Court\nAs of 11/22/2026\n\n";
  const rows = "Unit;Resident;Email\n4B;Ana Silva;ana@example.com\n5A;Bo Abel;";
  const file = fileOf(`${titles}${rows}`);
  expect(file.summary()).toMatchObject({ headerLine: 4, headerTrouble: null, sendable: 2, faults: [] });
  expect(file.chunk(0, 10).places.map(({ line }) => line)).toEqual([5, 6]);
  // Cells that could be column names are data below column names.
  const tenants = "Email,Phone,Kind\nTenant,Unit,Email\n";
  expect(fileOf(tenants).summary()).toMatchObject({ headerLine: 1, sendable: 1 });
});

test("several residents in a row are as many people in one home", () => {
  const file = fileOf(
    [
      "Property Name,Unit,Resident 1,Resident 1 Email,Resident 2,Resident 2 Email,Resident 3",
      'Maple Court,4B,"Silva, Ana",ana@example.com,"Abel, Bo",bo@example.com,Cy Abel',
      "Maple Court,5A,Dee Fox,dee@example.com,,,",
      "Maple Court,6,,,Eve Gray,,",
      "Maple Court,7,,,,,",
    ].join("\n"),
  );
  const home = { property: "Maple Court", propertyUnit: "4B" };
  const { rows, places } = file.chunk(0, 10);
  expect(rows.slice(0, 3)).toEqual([
    { ...home, fullName: "Silva, Ana", email: "ana@example.com" },
    { ...home, fullName: "Abel, Bo", email: "bo@example.com" },
    { ...home, fullName: "Cy Abel" },
  ]);
  expect(rows.slice(3).map(({ fullName, propertyUnit }) => [propertyUnit, fullName])).toEqual([
    ["5A", "Dee Fox"],
    ["6", "Eve Gray"],
    ["7", ""],
  ]);
  expect(places.map(({ line, resident }) => [line, resident])).toEqual([
    [2, 1],
    [2, 2],
    [2, 3],
    [3, 1],
    [4, 2],
    [5, 1],
  ]);
  const summary = file.summary();
  expect(summary).toMatchObject({ unit: "person", sendable: 6 });
  expect([1, 2, 3].map((resident) => headerOf(summary, "email", resident))).toEqual([
    "Resident 1 Email",
    "Resident 2 Email",
    "email",
  ]);
  expect(choicesIn(summary.mapping)).toContain("phone 3");
});

test("a large file is sent in parts, each of so many rows and not too many letters", () => {
  const file = fileOf(`${header}\n${Array.from({ length: 5 }, (_, n) => `user${n},,A,B`).join("\n")}`);
  expect(
    [file.chunk(0, 2), file.chunk(2, 2), file.chunk(4, 2), file.chunk(5, 2)].map(({ places }) =>
      places.map(({ line }) => line),
    ),
  ).toEqual([[2, 3], [4, 5], [6], []]);
  const long = "x".repeat(1_600_000);
  const heavy = fileOf(`notes,firstName,lastName\n${long},A,B\n${long},C,D\n${long},E,F`);
  expect(heavy.chunk(0, 2000).places).toHaveLength(1);
  expect(heavy.chunk(1, 2000).next).toBe(2);
});

test("a username that appears twice in the whole file is sent once, whatever its case", () => {
  const file = fileOf(`${header}\nana,,Ana,Silva\nbo,,Bo,Abel\nANA,,Ana,Silva\n,,No,Name\n,,No,Name\n`);
  expect(file.chunk(0, 10).places.map(({ line }) => line)).toEqual([2, 3, 5, 6]);
  expect(file.summary().faults).toEqual([
    {
      line: 4,
      field: "username",
      column: "username",
      value: "ANA",
      kind: "duplicate",
      reason: "Row 2 has the same username",
    },
  ]);
});

test("the summary says what is not imported, why nothing can be, and which roles become tenant", () => {
  const text =
    "First Name,Surname,Move-in,Role\nAna,Silva,2024,Owner\nBo\nCy,Abel,,STAFF\nDee,Fox,,owner\nEd,Fox,,\n";
  const summary = fileOf(text).summary();
  expect(summary).toMatchObject({
    mapping: ["firstName", "lastName", null, "role"],
    sendable: 4,
    headerTrouble: null,
    otherRoles: ["Owner", "owner"],
    examples: ["Ana", "Silva", "2024", "Owner"],
  });
  expect(summary.faults).toEqual([
    {
      line: 3,
      field: null,
      column: null,
      value: "",
      kind: "cells",
      reason: "This row has 1 cell, the header has 4",
    },
  ]);
  expect(fileOf("email\na@example.com\n").summary().headerTrouble).toMatch(
    /^The columns firstName and lastName are missing\./,
  );
});

test("the rows left out come back as a file that is safe to open and can be imported again", () => {
  const file = fileOf(`${header}\nana,nobody,Ana,Silva\nbo,'=x,Bo,\ncy\nok,,O,K\n`);
  const fault = { field: "email" as const, value: "", kind: "invalid" as const };
  const text = file.leftOut([
    ...file.summary().faults,
    { ...fault, line: 3, column: "lastName", reason: "Last name is required" },
    { ...fault, line: 3, column: "email", reason: "Invalid email address" },
    { ...fault, line: 2, column: "email", reason: "Invalid email address" },
  ]);
  expect(text.split("\r\n")).toEqual([
    "reason,username,email,firstName,lastName",
    "email: Invalid email address,ana,nobody,Ana,Silva",
    "lastName: Last name is required; email: Invalid email address,bo,'=x,Bo,",
    // Not filled up: it would look complete.
    '"This row has 1 cell, the header has 4",cy',
  ]);
  const back = fileOf(text);
  expect(back.summary()).toMatchObject({
    sendable: 2,
    headerTrouble: null,
    faults: [{ line: 4, kind: "cells" }],
  });
  // Handed back again, a row has the new reason only.
  expect(back.leftOut(back.summary().faults).split("\r\n")).toEqual([
    "reason,username,email,firstName,lastName",
    '"This row has 2 cells, the header has 5",cy',
  ]);
});

test("columns chosen by hand are sent as what they are, and recognized when the rest comes back", () => {
  const table = tableOf("Vorname,Nachname,Handy,Phone\nAna,Silva,0171,555\n");
  const untouched = new ImportFile(table).summary();
  expect(untouched.headerTrouble).toMatch(/^The columns firstName and lastName are missing/);
  const mapping = (["firstName", "lastName", "phone"] as const).reduce(
    (now, meaning, place) => withChoice(now, place, meaning),
    untouched.mapping,
  );
  const file = new ImportFile(table, { mapping });
  const summary = file.summary();
  expect(summary).toMatchObject({ headerTrouble: null, mapping: ["firstName", "lastName", "phone", null] });
  expect(file.chunk(0, 1).rows).toEqual([{ firstName: "Ana", lastName: "Silva", phone: "0171" }]);
  expect([headerOf(summary, "phone", 1), headerOf(summary, "property", 1)]).toEqual(["Handy", "property"]);
  const fault = {
    line: 2,
    field: "phone" as const,
    column: "Handy",
    value: "",
    kind: "invalid" as const,
    reason: "No",
  };
  const back = fileOf(file.leftOut([fault])).summary();
  expect(back.headers).toEqual(["reason", "firstName", "lastName", "phone", "Phone (not imported)"]);
  expect(back.mapping).toEqual([null, "firstName", "lastName", "phone", null]);
});

test("a file without a header loses no one, and what is left out of it gets one", () => {
  const table = tableOf("Ana;Silva;ana@example.com\nBo;Abel;bo@example.com\n");
  expect(table).toMatchObject({
    headers: ["Column 1", "Column 2", "Column 3"],
    rows: [
      { line: 1, cells: ["Ana", "Silva", "ana@example.com"] },
      { line: 2, cells: ["Bo", "Abel", "bo@example.com"] },
    ],
  });
  const file = new ImportFile(table, { mapping: ["firstName", "lastName", null] });
  const fault = {
    line: 1,
    field: "lastName" as const,
    column: "Column 2",
    value: "",
    kind: "invalid" as const,
    reason: "No",
  };
  expect(file.leftOut([fault]).split("\r\n")[0]).toBe("reason,firstName,lastName,Column 3");
});

test("columns named like a detail hold it, in a file that comes back, too", () => {
  const details = [{ id: 1, label: "Balance due", field: "balance_due", kind: "amount" as const }];
  const table = tableOf('Name,Owed,"Balance Due"\nAna Silva,9,"$1,250.50"\n');
  const file = new ImportFile(table, { details });
  const summary = file.summary();
  expect(summary.mapping).toEqual(["fullName", null, "detail:balance_due"]);
  expect(file.chunk(0, 1).rows).toEqual([{ fullName: "Ana Silva", balance_due: "$1,250.50" }]);
  expect(headerOf(summary, "balance_due", 1)).toBe("Balance Due");
  const fault = { line: 2, field: null, column: null, value: "", kind: "invalid" as const, reason: "No" };
  const chosen = new ImportFile(table, {
    details,
    mapping: withChoice(["fullName", null, null], 1, "detail:balance_due"),
  });
  const back = new ImportFile(tableOf(chosen.leftOut([fault])), { details }).summary();
  expect(back.headers).toEqual(["reason", "Name", "balance_due", "Balance Due (not imported)"]);
  expect(back.mapping).toEqual([null, "fullName", "detail:balance_due", null]);
});
