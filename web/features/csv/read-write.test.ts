import * as fc from "fast-check";
import Papa from "papaparse";
import { expect, test } from "vitest";
import { unguardFormula } from "#contract/text/csv-cells.ts";
import { csvSentences } from "#contract/text/csv-header.ts";
import { decode } from "#contract/text/guess-encoding.ts";
import { readCsv } from "#web/features/csv/read-csv.ts";
import { writeCsv, writeExport } from "#web/features/csv/write-csv.ts";

function tableOf(text: string) {
  const reading = readCsv(text);
  if ("trouble" in reading) throw new Error(JSON.stringify(reading.trouble));
  return reading.table;
}
const troubleOf = (text: string) => {
  const reading = readCsv(text);
  return "trouble" in reading ? reading.trouble : undefined;
};

test("any table of strings survives being written and read", () => {
  const nasty = fc.string({
    unit: fc.constantFrom(",", ";", "\t", "|", '"', "'", "\n", "\r", "=", "+", "-", "@", " ", "a", "\ufeff"),
  });
  const cell = fc.oneof(nasty, fc.string({ unit: "grapheme" }), fc.string({ unit: "binary" }));
  const table = fc
    .integer({ min: 1, max: 7 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
    );
  fc.assert(
    fc.property(table, (rows) => {
      const headers =
        rows[0]?.map((_, n) => ["email", "firstName", "lastName", "x", "y", "z", "w"][n] ?? "") ?? [];
      const filled = rows.filter((row) => row.some((value) => value.trim() !== ""));
      fc.pre(filled.length > 0);
      const bytes = new TextEncoder().encode(
        writeCsv(
          headers,
          rows.map((row) => row.map((value) => value.toWellFormed())),
        ),
      );
      const read = tableOf(decode(bytes).text);
      expect(read.headers).toEqual(headers);
      expect(read.ragged).toEqual([]);
      expect(read.rows.map((row) => row.cells.map(unguardFormula))).toEqual(
        filled.map((row) => row.map((value) => value.toWellFormed())),
      );
    }),
    { numRuns: 500 },
  );
});

test("a zero byte in a cell makes no UTF-16 of a file", () => {
  const { text, encoding } = decode(new TextEncoder().encode("name,x\r\n\u0000,b\r\n"));
  expect([encoding, text]).toEqual(["utf-8", "name,x\r\n\u0000,b\r\n"]);
});

test("no cell that is written begins a formula", () => {
  const cell = fc.string({ unit: fc.constantFrom(",", "\t", '"', "'", "\n", "=", "+", "-", "@", " ", "a") });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1 }), (row) => {
      const written = Papa.parse<string[]>(writeCsv(["a"], [row]), { delimiter: ",", newline: "\r\n" }).data;
      for (const value of written.flat()) expect(value).not.toMatch(/^\s*[=+\-@]/);
    }),
  );
});

test.each([
  ["spaces before quotes", 'firstName, "lastName", unit\n"Ann", "Lee", "Maple Court, 5"\n'],
  [
    "spaces around quotes and semicolons",
    'firstName ;"lastName"; unit\r\n "Ann" ; "Lee";"Maple Court, 5" \r\n',
  ],
  ["bars and spaces", 'firstName| lastName| unit\n "Ann"| "Lee"| "Maple Court, 5"\n'],
  ["tabs and spaces", 'firstName\tlastName\tunit\n "Ann"\t "Lee"\t "Maple Court, 5"\n'],
])("a space before a quotation mark is no part of the cell: %s", (_what, text) => {
  const { headers, rows, ragged } = tableOf(text);
  expect([headers.map((one) => one.trim()), ragged]).toEqual([["firstName", "lastName", "unit"], []]);
  expect(rows.map(({ cells }) => cells)).toEqual([["Ann", "Lee", "Maple Court, 5"]]);
});

test("what looks like it inside a quoted cell stays, and so do lines inside one", () => {
  const text = 'firstName, lastName, unit\nAnn, "Lee", "a, ""b"", \n ""c"" d"\nBo,Ray, 6" pipe\n';
  expect(tableOf(text).rows).toEqual([
    { line: 2, cells: ["Ann", "Lee", 'a, "b", \n "c" d'] },
    { line: 3, cells: ["Bo", "Ray", ' 6" pipe'] },
  ]);
});

test.each([
  ["commas", "firstName,lastName\nAna,Silva\n"],
  ["semicolons", "firstName;lastName\nAna;Silva\n"],
  ["tabs", "firstName\tlastName\nAna\tSilva\n"],
  ["bars", "firstName|lastName|unit\nAna|Silva|4, rear\n"],
  ["commas, with bars in the cells", "firstName,lastName,unit\nAna,Silva,Elm | 4\n"],
  ["Excel's hint of bars", "sep=|\nfirstName|lastName\nAna|Silva"],
  ["semicolons, with commas in the cells", "lastName;firstName,\nSilva;Ana,\n"],
  ["Excel's hint", "sep=;\r\nfirstName;lastName\r\nAna;Silva"],
  ["CRLF", "firstName,lastName\r\nAna,Silva\r\n"],
  ["CR", "firstName,lastName\rAna,Silva\r"],
  ["a header in CRLF and rows in LF", "firstName,lastName\r\nAna,Silva\nBo,Abel\r\n"],
])("%s are read", (_what, text) => {
  const { headers, rows, ragged } = tableOf(text);
  expect(ragged).toEqual([]);
  expect(headers.toSorted()).toEqual(expect.arrayContaining(["lastName"]));
  expect(rows[0]?.cells.join(" ")).toMatch(/Ana|Silva/);
});

test("quotes hold commas, quotes and line breaks; empty rows and cells at the end do not count", () => {
  const text =
    'firstName,lastName,unit,,\r\n\r\n"Ana ""Nina""","Silva, MD","4\r\nB",,\r\n,,,,\r\nBo,Abel,5,\r\n';
  const { headers, rows } = tableOf(text);
  expect(headers).toEqual(["firstName", "lastName", "unit"]);
  expect(rows).toEqual([
    { line: 3, cells: ['Ana "Nina"', "Silva, MD", "4\r\nB"] },
    { line: 5, cells: ["Bo", "Abel", "5"] },
  ]);
});

// spec 211
test("rows with more or fewer cells than the header stand apart, by the spreadsheet's numbers", () => {
  const { rows, ragged } = tableOf("sep=,\nfirstName,lastName\nAna,Silva\nBo\n\nCy,Doe,extra\n");
  expect(rows.map((row) => row.line)).toEqual([3]);
  expect(ragged).toEqual([
    { line: 4, cells: ["Bo"] },
    { line: 6, cells: ["Cy", "Doe", "extra"] },
  ]);
});

test("what is no table is told in the form's sentences", () => {
  expect(troubleOf("  \n ")).toEqual({ sentence: csvSentences.required });
  expect(troubleOf("firstName,lastName\n\n,\n")).toMatchObject({ sentence: csvSentences.format });
  expect(troubleOf('firstName,lastName\nAna,Silva\nBo,"Abel\n')).toEqual({
    sentence: csvSentences.format,
    detail: "Row 3 has a misplaced quotation mark.",
  });
});

test.each([
  ["utf-8", [0xc3, 0xa9]],
  ["utf-8", [0xef, 0xbb, 0xbf, 0xc3, 0xa9]],
  ["utf-16le", [0xff, 0xfe, 0xe9, 0x00]],
  ["utf-16be", [0xfe, 0xff, 0x00, 0xe9]],
  ["windows-1252", [0xe9]],
])("a file in %s is recognized", (encoding, bytes) => {
  expect(decode(new Uint8Array(bytes))).toEqual({ text: "é", encoding });
});

// spec 246
test("an export's header is the keys of its first object, and objects in cells are JSON", () => {
  expect(
    writeExport([
      { username: "ana", more: { a: 1 } },
      { username: "+1555", more: null },
    ]),
  ).toBe('username,more\r\nana,"{""a"":1}"\r\n\'+1555,');
  expect(writeExport([])).toBe("");
});
