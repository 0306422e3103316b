import { afterEach, describe, expect, test } from "vitest";
import { setHomeDates } from "#contract/text/home-dates.ts";
import { setHomeNumbers } from "#contract/text/home-numbers.ts";
import { odsOf, type TestCell, xlsxOf, xlsxParts, zipOf } from "#server/testing/workbooks.ts";
import { readInThread } from "./read-in-thread.ts";
import { readWorkbook } from "./read-workbook.ts";
import type { Part } from "./workbook.ts";

afterEach(() => {
  setHomeDates();
  setHomeNumbers();
});

/** Each sheet's rows by their lines. */
async function read(parts: AsyncIterable<Part>) {
  const sheets: { name: string; rows: Record<number, string[]>; end?: Part }[] = [];
  for await (const part of parts) {
    if (part.kind === "sheet") sheets.push({ name: part.name, rows: {} });
    else if (part.kind === "rows") for (const { line, cells } of part.rows) sheets.at(-1)!.rows[line] = cells;
    else sheets.at(-1)!.end = part;
  }
  return sheets;
}
const rowsOf = async (bytes: Buffer) => (await read(readWorkbook(bytes)))[0]?.rows;
const cellsOf = async (cells: TestCell[], options?: { date1904: boolean }) =>
  (await rowsOf(xlsxOf({ Sheet: { rows: [cells] } }, options)))?.[1];
const troubleOf = async (bytes: Buffer) =>
  read(readWorkbook(bytes)).then(
    () => "read",
    (error: { trouble?: string }) => error.trouble,
  );

describe("an Excel workbook", () => {
  test("texts, numbers and dates come as they look in the sheet", async () => {
    expect(
      await cellsOf([
        "00123",
        { value: 123, format: "00000" },
        14155550101,
        447911123456,
        0.1 + 0.2,
        { value: 46353, format: "14" },
        { value: 46353, format: "d mmm yyyy" },
        { value: 1653, format: '"$"#,##0.00' },
        { value: 0.25, format: "0%" },
        { value: 46353.5, format: "[broken" },
      ]),
    ).toEqual([
      "00123",
      "00123",
      "14155550101",
      "447911123456",
      "0.3",
      "11/27/2026",
      "27 Nov 2026",
      "$1,653.00",
      "25%",
      "46353.5",
    ]);
  });

  test("a day without an order of its own is written as in the home country, in either of Excel's calendars", async () => {
    setHomeDates({ order: "dmy", separator: "." });
    const day = { value: 46353, format: "14" };
    expect(await cellsOf([day])).toEqual(["27.11.2026"]);
    expect(await cellsOf([{ ...day, value: 46353 - 1462 }], { date1904: true })).toEqual(["27.11.2026"]);
    expect(await cellsOf([{ xml: '<c t="d"><v>2026-11-05T00:00:00</v></c>' }])).toEqual(["5.11.2026"]);
  });

  test("numbers are written as in the home country, so that they are read as what they are", async () => {
    setHomeNumbers({ digits: 2, before: "", after: " €", group: ".", point: ",", lakhs: false });
    const cells = [12.345, 0.125, { value: 1234, format: "#,##0" }, { value: 1234.5, format: "#,##0.00" }];
    expect(await cellsOf(cells)).toEqual(["12,345", "0,125", "1.234", "1.234,50"]);
    expect((await read(readInThread(xlsxOf({ Sheet: { rows: [cells] } }))))[0]?.rows[1]).toEqual([
      "12,345",
      "0,125",
      "1.234",
      "1.234,50",
    ]);
  });

  test("a day in another order than the home country's is written in that one; words and years first stay", async () => {
    const day = (format: string) => ({ value: 45385, format });
    const cells = ["dd/mm/yyyy", "mm/dd/yyyy", "yyyy-mm-dd", "d-mmm-yy", "dd/mm/yyyy hh:mm"].map(day);
    expect(await cellsOf(cells)).toEqual([
      "4/3/2024",
      "04/03/2024",
      "2024-04-03",
      "3-Apr-24",
      "4/3/2024 00:00",
    ]);
    setHomeDates({ order: "dmy", separator: "." });
    expect(await cellsOf(cells)).toEqual([
      "03/04/2024",
      "3.4.2024",
      "2024-04-03",
      "3-Apr-24",
      "03/04/2024 00:00",
    ]);
  });

  test("Accounting's dash is zero, and its brackets stay", async () => {
    const accounting = (value: number) => ({ value, format: "44" });
    expect(
      (await cellsOf([0, -12.5, 1234.5].map(accounting)))?.map((text) => text.replaceAll(" ", "")),
    ).toEqual(["0", "$(12.50)", "$1,234.50"]);
  });

  test("a row that Excel doesn't have is refused, and keeps no other sheet from being read", async () => {
    const parts = xlsxParts({ Odd: { rows: [] }, Fine: { rows: [["b"]] } });
    const odd =
      '<worksheet><sheetData><row r="3000000000"><c t="str"><v>a</v></c></row></sheetData></worksheet>';
    const sheets = await read(readWorkbook(zipOf({ ...parts, "xl/worksheets/sheet1.xml": odd })));
    expect(sheets).toMatchObject([{ rows: {}, end: { trouble: "too-many-rows" } }, { rows: { 1: ["b"] } }]);
  });

  test("what other programs write differently is read the same: prefixes, runs of text, how names are read aloud", async () => {
    const strict = "http://purl.oclc.org/ooxml/officeDocument/relationships";
    const relations = (list: string) => `<x:Relationships>${list}</x:Relationships>`;
    const relation = (id: string, kind: string, target: string) =>
      `<x:Relationship Target="${target}" Type="${strict}/${kind}" Id="${id}"/>`;
    const bytes = zipOf({
      "[Content_Types].xml": "<Types/>",
      "_rels/.rels": relations(relation("R1", "officeDocument", "/book/contents.xml")),
      "book/contents.xml": `<?xml version="1.0"?><x:workbook xmlns:x="urn:main" xmlns:r="urn:r"><x:bookViews/><x:sheets><x:sheet name="Roll" sheetId="7" r:id="Ra"/></x:sheets></x:workbook>`,
      "book/_rels/contents.xml.rels": relations(
        relation("Ra", "worksheet", "../sheets/a.xml") + relation("Rb", "sharedStrings", "texts.xml"),
      ),
      "book/texts.xml": `<x:sst><x:si><x:r><x:rPr><x:b/></x:rPr><x:t>Morris, </x:t></x:r><x:r><x:t xml:space="preserve">Ann </x:t></x:r></x:si><x:si><x:t>山田</x:t><x:rPh sb="0" eb="2"><x:t>ヤマダ</x:t></x:rPh><x:phoneticPr/></x:si></x:sst>`,
      "sheets/a.xml": `<x:worksheet><x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c><x:c t="inlineStr"><x:is><x:t>00123</x:t></x:is></x:c><x:c t="d"><x:v>2026-11-05</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
    });
    expect(await read(readWorkbook(bytes))).toMatchObject([
      { name: "Roll", rows: { 1: ["Morris, Ann ", "山田", "00123", "11/5/2026"] } },
    ]);
  });

  test("a formula is its last result, an error is empty and counted", async () => {
    const [sheet] = await read(
      readWorkbook(
        xlsxOf({
          Sheet: {
            rows: [
              [
                { xml: '<c t="str"><f>A1&amp;"x"</f><v>Elm &amp; Oak</v></c>' },
                { xml: "<c><f>1+1</f><v>2</v></c>" },
                { xml: '<c t="e"><f>VLOOKUP(1)</f><v>#N/A</v></c>' },
                { xml: '<c t="b"><v>1</v></c>' },
                {
                  xml: '<c t="inlineStr"><is><r><t>Mei </t></r><r><t>Tanaka</t></r><rPh><t>x</t></rPh></is></c>',
                },
              ],
            ],
          },
        }),
      ),
    );
    expect(sheet?.rows).toEqual({ 1: ["Elm & Oak", "2", "", "TRUE", "Mei Tanaka"] });
    expect(sheet?.end).toMatchObject({ errors: 1 });
  });

  test("has its visible sheets by name, with their own line numbers and merged cells", async () => {
    const bytes = xlsxOf({
      "Rent & Roll": {
        rows: [["Rent Roll"], [], [null, "A-1"], [null, null, "Bo"]],
        merged: ["B3:B4", "A1:F1"],
      },
      Secret: { rows: [["x"]], hidden: true },
      Notes: { rows: [["n"]] },
    });
    expect(await read(readInThread(bytes))).toEqual([
      {
        name: "Rent & Roll",
        rows: { 1: ["Rent Roll"], 3: ["", "A-1"], 4: ["", "", "Bo"] },
        end: { kind: "end", merged: [{ column: 1, first: 3, last: 4 }], errors: 0, trouble: null },
      },
      { name: "Notes", rows: { 1: ["n"] }, end: { kind: "end", merged: [], errors: 0, trouble: null } },
    ]);
  });

  test("100,000 people fit, with the titles and names around them", async () => {
    const row = '<row><c t="str"><v>x</v></c></row>';
    const sheet = `<worksheet><sheetData>${row.repeat(100_004)}</sheetData></worksheet>`;
    const parts = xlsxParts({ Long: { rows: [] } });
    const [long] = await read(readInThread(zipOf({ ...parts, "xl/worksheets/sheet1.xml": sheet })));
    expect(long?.end).toMatchObject({ trouble: null });
    expect(Object.keys(long?.rows ?? {})).toHaveLength(100_004);
  });

  test("one sheet that is too wide or too long doesn't keep the others from being read", async () => {
    const long = `<worksheet><sheetData>${"<row><c><v>1</v></c></row>".repeat(100_101)}</sheetData></worksheet>`;
    const wide = `<worksheet><sheetData><row>${'<c t="str"><v>x</v></c>'.repeat(16_384)}</row></sheetData></worksheet>`;
    const parts = xlsxParts({ Long: { rows: [] }, Wide: { rows: [] }, Good: { rows: [["x"]] } });
    const sheets = await read(
      readInThread(zipOf({ ...parts, "xl/worksheets/sheet1.xml": long, "xl/worksheets/sheet2.xml": wide })),
    );
    expect(sheets.map(({ name, end }) => [name, end?.kind === "end" && end.trouble])).toEqual([
      ["Long", "too-many-rows"],
      ["Wide", "too-many-columns"],
      ["Good", null],
    ]);
  });
});

test("an OpenDocument sheet has its cells as they look, repeated ones, and no comments", async () => {
  const [sheet] = await read(
    readWorkbook(
      odsOf(`<table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>
        <table:table-row><table:table-cell office:value-type="string" table:number-rows-spanned="2"><text:p>A<text:s text:c="2"/>1</text:p><text:p>b</text:p><office:annotation><text:p>no</text:p></office:annotation></table:table-cell>
          <table:table-cell office:value-type="date" office:date-value="2026-11-27"><text:p>27/11/26</text:p></table:table-cell>
          <table:table-cell office:value-type="float" office:value="7"/><table:table-cell calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell></table:table-row>
        <table:table-row><table:covered-table-cell/><table:table-cell table:number-columns-repeated="2"><text:p>z</text:p></table:table-cell></table:table-row>
        <table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`),
    ),
  );
  expect(sheet).toEqual({
    name: "Roll",
    rows: { 3: ["A  1\nb", "27/11/26", "7"], 4: ["", "z", "z"] },
    end: { kind: "end", merged: [{ column: 0, first: 3, last: 4 }], errors: 1, trouble: null },
  });
});

describe("what programs call .xls", () => {
  test("is read as the web page, XML or CSV that it is", async () => {
    const page = `<html><meta charset="windows-1252"><style>td{}</style><table><tr><th>Unit<th colspan=2>Tenant</tr>
      <tr><td rowspan="2">1</td><td>Jos\xe9&nbsp;<b>Diaz</b><br>x</td><td></td><td>9</td></tr></table>`;
    expect(await rowsOf(Buffer.from(page, "latin1"))).toEqual({
      1: ["Unit", "Tenant"],
      2: ["1", "José Diaz\nx", "", "9"],
    });
    const xml = `<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Roll"><Table><Row ss:Index="3"><Cell ss:Index="2"><Data ss:Type="String">Ann</Data></Cell><Cell><Data ss:Type="DateTime">2026-11-05T00:00:00.000</Data></Cell><Cell><Data ss:Type="Number">12</Data></Cell></Row></Table></Worksheet></Workbook>`;
    expect(await rowsOf(Buffer.from(xml))).toEqual({ 3: ["", "Ann", "11/5/2026", "12"] });
    expect(await rowsOf(Buffer.from("Unit\tTenant\n\n1\tJos\x8e\n", "latin1"))).toEqual({
      1: ["Unit", "Tenant"],
      3: ["1", "José"],
    });
    expect(await rowsOf(Buffer.from('\ufeffsep=;\nUnit;"Te\nnant"\n', "utf16le"))).toEqual({
      2: ["Unit", "Te\nnant"],
    });
  });

  test("a cell of a web page that reaches down keeps its place in the rows below", async () => {
    // As LibreOffice saves a sheet in which the unit is merged.
    const page = `<table><tr><td rowspan=3>00123</td><td>Ann</td><td rowspan="2" colspan="2">c</td><td>1</td></tr>
      <tr><td>Bo</td><td>2</td></tr><tr><td>Cy</td><td>x</td><td>y</td><td>#N/A</td></tr><tr><td>00124</td></tr></table>`;
    const [sheet] = await read(readWorkbook(Buffer.from(page)));
    expect(sheet?.rows).toEqual({
      1: ["00123", "Ann", "c", "", "1"],
      2: ["", "Bo", "", "", "2"],
      3: ["", "Cy", "x", "y"],
      4: ["00124"],
    });
    expect(sheet?.end).toMatchObject({
      errors: 1,
      merged: [
        { column: 0, first: 1, last: 3 },
        { column: 2, first: 1, last: 2 },
      ],
    });
  });

  test("text is read as people write it: semicolons with commas in cells, spaces before quotes, mixed line ends", async () => {
    expect(await rowsOf(Buffer.from("Tenant;Email\nLee, Ann, Bo;a@example.com\n"))).toEqual({
      1: ["Tenant", "Email"],
      2: ["Lee, Ann, Bo", "a@example.com"],
    });
    expect(await rowsOf(Buffer.from('Tenant,Unit\r\n "Lee, Ann", 1\nBo Diaz,2\n'))).toEqual({
      1: ["Tenant", "Unit"],
      2: ["Lee, Ann", " 1"],
      3: ["Bo Diaz", "2"],
    });
  });

  test("a real one of old Excel, or one with a password, can't be read", async () => {
    const container = Buffer.from("d0cf11e0a1b11ae1", "hex");
    expect(await troubleOf(Buffer.concat([container, Buffer.alloc(512)]))).toBe("old-format");
    expect(await troubleOf(Buffer.concat([container, Buffer.from("EncryptedPackage", "utf16le")]))).toBe(
      "locked",
    );
  });
});
