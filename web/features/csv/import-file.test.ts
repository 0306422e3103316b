import { expect, test } from "vitest";
import { withChoice } from "#web/features/csv/column-choices.ts";
import { headerIn, ImportFile, meaningIn } from "#web/features/csv/import-file.ts";
import { readCsv } from "#web/features/csv/read-csv.ts";

function fileOf(text: string): ImportFile {
  const reading = readCsv(text);
  if ("trouble" in reading) throw new Error(reading.trouble.sentence);
  return new ImportFile(reading.table);
}

const header = "username,email,firstName,lastName";
const people = `${header}\nana, ana@example.com ,Ana,Silva\n\nbo,bo@example.com,Bo,Abel\n`;

test("rows are sent as objects keyed by the header's names, with trimmed text", () => {
  expect(fileOf(people).chunk(0, 10)).toEqual({
    rows: [
      { username: "ana", email: "ana@example.com", firstName: "Ana", lastName: "Silva" },
      { username: "bo", email: "bo@example.com", firstName: "Bo", lastName: "Abel" },
    ],
    lines: [2, 4],
    next: 2,
  });
});

test("a large file is sent in parts, each of so many rows and not too many letters", () => {
  const file = fileOf(`${header}\n${Array.from({ length: 5 }, (_, n) => `user${n},,A,B`).join("\n")}`);
  expect(
    [file.chunk(0, 2), file.chunk(2, 2), file.chunk(4, 2), file.chunk(5, 2)].map((part) => part.lines),
  ).toEqual([[2, 3], [4, 5], [6], []]);
  const long = "x".repeat(1_600_000);
  const heavy = fileOf(`notes,firstName,lastName\n${long},A,B\n${long},C,D\n${long},E,F`);
  expect(heavy.chunk(0, 2000).lines).toEqual([2]);
  expect(heavy.chunk(1, 2000).next).toBe(2);
});

test("a user name that stands twice in the whole file is sent once, whatever its case", () => {
  const file = fileOf(`${header}\nana,,Ana,Silva\nbo,,Bo,Abel\nANA,,Ana,Silva\n,,No,Name\n,,No,Name\n`);
  expect(file.chunk(0, 10).lines).toEqual([2, 3, 5, 6]);
  expect(file.summary().faults).toEqual([
    {
      line: 4,
      column: "username",
      value: "ANA",
      kind: "duplicate",
      reason: "The same user name as in row 2",
    },
  ]);
});

test("the summary tells what is not imported, and why nothing can be", () => {
  const summary = fileOf("First Name,Surname,Move-in,reason\nAna,Silva,2024,\nBo\n").summary();
  expect(summary).toMatchObject({ rowCount: 2, sendable: 1, ignored: ["Move-in"], headerTrouble: null });
  expect(summary.faults).toEqual([
    { line: 3, column: null, value: "", kind: "cells", reason: "This row has 1 cell, the header has 4" },
  ]);
  expect(fileOf("email\na@example.com\n").summary().headerTrouble).toMatch(
    /^The headers firstName and lastName are missing\./,
  );
});

test("the rows left out come back as a file that is safe to open and can be imported again", () => {
  const file = fileOf(`${header}\nana,nobody,Ana,Silva\nbo,'=x,Bo,\ncy\nok,,O,K\n`);
  const fault = { value: "", kind: "invalid" as const };
  const text = file.leftOut([
    ...file.summary().faults,
    { ...fault, line: 3, column: "lastName", reason: "Last name is required" },
    { ...fault, line: 3, column: "email", reason: "Invalid email address" },
    { ...fault, line: 2, column: "email", reason: "Invalid email address" },
  ]);
  expect(text.split("\r\n")).toEqual([
    "username,email,firstName,lastName,reason",
    "ana,nobody,Ana,Silva,email: Invalid email address",
    "bo,'=x,Bo,,lastName: Last name is required; email: Invalid email address",
    'cy,,,,"This row has 1 cell, the header has 4. Clear this cell once the row is right."',
  ]);
  expect(fileOf(text).summary()).toMatchObject({ rowCount: 3, ignored: [], headerTrouble: null });
});

const HELD = "Clear this cell once the row is right.";

test("a row that was filled up, or stands alone without its twin, waits until its reason is taken away", () => {
  const file = fileOf(`${header}\nana,,Ana,Silva\nAna,,Bo,Abel\nAbel,+14155550123\na,b,c,d,e\n`);
  const text = file.leftOut(file.summary().faults);
  expect(text.split("\r\n")).toEqual([
    `${header},reason`,
    `Ana,,Bo,Abel,username: The same user name as in row 2. ${HELD}`,
    `Abel,+14155550123,,,"This row has 2 cells, the header has 4. ${HELD}"`,
    `a,b,c,d,e,"This row has 5 cells, the header has 4. ${HELD}"`,
  ]);
  const back = fileOf(text);
  expect(back.summary().sendable).toBe(0);
  expect(back.summary().faults.map(({ line, kind, reason }) => [line, kind, reason])).toEqual([
    [2, "held", `username: The same user name as in row 2. ${HELD}`],
    [3, "held", `This row has 2 cells, the header has 4. ${HELD}`],
    [4, "cells", "This row has 6 cells, the header has 5"],
  ]);
  // Handed back once more they say the same, in one column of reasons.
  expect(back.leftOut(back.summary().faults).split("\r\n").slice(0, 3)).toEqual(
    text.split("\r\n").slice(0, 3),
  );
  const mended = `${header},reason\nana2,,Bo,Abel,\nabel,,Cy,Abel,"This row has 2 cells, fixed"\n`;
  expect(fileOf(mended).summary()).toMatchObject({ sendable: 2, faults: [] });
});

test("a row with a cell to fix goes in once that is fixed, whatever its reason still says", () => {
  const file = fileOf(`${header}\nana,nobody,Ana,Silva\n`);
  const fault = {
    line: 2,
    column: "email",
    value: "nobody",
    kind: "invalid" as const,
    reason: "Invalid email address",
  };
  expect(fileOf(file.leftOut([fault])).summary()).toMatchObject({ sendable: 1, faults: [] });
});

test("columns chosen by hand are sent as what they are, and their faults come back under the file's names", () => {
  const text = "Vorname,Nachname,Handy,Phone\nAna,Silva,0171,555\n";
  const reading = readCsv(text);
  if ("trouble" in reading) throw new Error(reading.trouble.sentence);
  const { table } = reading;
  const untouched = new ImportFile(table).summary();
  expect(untouched.headerTrouble).toMatch(/^The headers firstName and lastName are missing/);
  const mapping = (["firstName", "lastName", "phone"] as const).reduce(
    (now, meaning, place) => withChoice(now, place, meaning),
    untouched.mapping,
  );
  const file = new ImportFile(table, mapping);
  const summary = file.summary();
  expect(summary).toMatchObject({ headerTrouble: null, ignored: ["Phone"] });
  expect(file.chunk(0, 1).rows).toEqual([{ firstName: "Ana", lastName: "Silva", phone: "0171" }]);
  expect(["phone", "property"].map(headerIn(summary))).toEqual(["Handy", "property"]);
  expect(["Handy", "Phone"].map(meaningIn(summary))).toEqual(["phone", undefined]);
});

test("a file without a header loses nobody, and what is left out of it gets one", () => {
  const reading = readCsv("Ana;Silva;ana@example.com\nBo;Abel;bo@example.com\n");
  if ("trouble" in reading) throw new Error(reading.trouble.sentence);
  expect(reading.table).toMatchObject({
    headers: ["Column 1", "Column 2", "Column 3"],
    rows: [
      { line: 1, cells: ["Ana", "Silva", "ana@example.com"] },
      { line: 2, cells: ["Bo", "Abel", "bo@example.com"] },
    ],
  });
  const file = new ImportFile(reading.table, ["firstName", "lastName", null]);
  const fault = { line: 1, column: "Column 2", value: "", kind: "invalid" as const, reason: "No" };
  expect(file.leftOut([fault]).split("\r\n")[0]).toBe("firstName,lastName,Column 3,reason");
});
