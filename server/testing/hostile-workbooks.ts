import { randomBytes } from "node:crypto";
import { odsOf, xlsxOf, xlsxParts, zipOf } from "#server/testing/workbooks.ts";

/** Files made to cost whoever reads them time or memory, by what is wrong with them. */

const MEGABYTE = 1024 * 1024;
const SHEET = "xl/worksheets/sheet1.xml";
const SHARED = "xl/sharedStrings.xml";
const STYLES = "xl/styles.xml";

const parts = xlsxParts({ Sheet: { rows: [["x"]] } });
const workbook = (changed: Record<string, string | Buffer>) => zipOf({ ...parts, ...changed });
const sheet = (data: string) =>
  workbook({ [SHEET]: `<worksheet><sheetData>${data}</sheetData></worksheet>` });
/** So much of `text` that it packs just badly enough not to be taken for a bomb. */
function padded(text: string, size: number): Buffer {
  const piece = Buffer.from(text.repeat(Math.ceil(100_000 / text.length)));
  const pieces = Array.from({ length: Math.ceil(size / piece.length) }, () => [
    Buffer.from(`<!--${randomBytes(600).toString("hex")}-->`),
    piece,
  ]);
  return Buffer.concat(pieces.flat());
}

const large = (part: string, open: string, text: string, close: string, size = 200) =>
  workbook({
    [part]: Buffer.concat([Buffer.from(open), padded(text, size * MEGABYTE), Buffer.from(close)]),
  });

/** Cheap to make: for tests. */
export const hostileWorkbooks: Readonly<Record<string, () => Buffer>> = {
  "a cell at the far end of a sheet": () =>
    sheet('<row r="1048576"><c r="XFD1048576" t="str"><v>x</v></c></row>'),
  "a size of a sheet beyond any": () =>
    workbook({ [SHEET]: '<worksheet><dimension ref="A1:ZZZZZZ999999999999"/><sheetData/></worksheet>' }),
  "shared texts that aren't there": () =>
    sheet('<row><c t="s"><v>99999999</v></c><c t="s"><v>-1</v></c></row>'),
  "rows and columns that are no numbers": () =>
    sheet(
      '<row r="1e9"><c r="-1" t="str"><v>a</v></c></row><row r="NaN"><c r="" s="x"><v>1e999</v></c></row>',
    ),
  "two parts of one name": () => Buffer.from(workbook({ [SHEET.toUpperCase()]: "<worksheet/>" })),
  "names of parts that lead elsewhere": () =>
    zipOf({ "[Content_Types].xml": "", "../../etc/passwd": "x", "/xl/workbook.xml": "x" }),
  "entities that grow": () =>
    workbook({
      [SHEET]: `<!DOCTYPE x [<!ENTITY a "${"x".repeat(1000)}">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${"bcdefghij"[n]} "${`&${"abcdefghi"[n]};`.repeat(10)}">`).join("")}]><worksheet><sheetData><row><c t="str"><v>&j;</v></c></row></sheetData></worksheet>`,
    }),
  "merged cells without end": () =>
    workbook({
      [SHEET]: `<worksheet><sheetData><row><c t="str"><v>x</v></c></row></sheetData>${'<mergeCell ref="A1:A9"/>'.repeat(200_000)}</worksheet>`,
    }),
  "a number format without end": () =>
    xlsxOf({ S: { rows: [Array.from({ length: 50 }, () => ({ value: 1e300, format: "#,".repeat(240) }))] } }),
  "number formats that are none": () =>
    xlsxOf({
      S: {
        rows: [
          "[[[[[",
          '"',
          "\\",
          "[>1e999]0;[<",
          "yyyy".repeat(120),
          "?/".repeat(240),
          "_".repeat(499),
          "[$-".repeat(160),
        ].map((format) => [{ value: 46353.5, format }]),
      },
    }),
  "repeated rows and columns": () =>
    odsOf(
      '<table:table-row table:number-rows-repeated="1e15"><table:table-cell table:number-columns-repeated="1e15"><text:p>x<text:s text:c="1e15"/></text:p></table:table-cell></table:table-row>',
    ),
  "tables within tables": () => Buffer.from(`<html>${"<table><tr><td>x".repeat(100)}`),
  "a cell of a web page across a million columns": () =>
    Buffer.from(`<html><table>${'<tr><td colspan="1000000" rowspan="1000000">x'.repeat(1000)}</table>`),
};

/** Ten megabytes, or what unpacks to hundreds: for the bench. */
export const largeHostileWorkbooks: Readonly<Record<string, () => Buffer>> = {
  "200 MB of white space": () => large(SHEET, "<worksheet>", " ", "</worksheet>"),
  "200 MB of empty cells": () =>
    large(SHEET, "<worksheet><sheetData><row>", "<c/>", "</row></sheetData></worksheet>"),
  "200 MB of cells whose columns have no end": () =>
    large(
      SHEET,
      "<worksheet><sheetData><row>",
      '<c r="A1" t="str"><v> </v></c>',
      "</row></sheetData></worksheet>",
    ),
  "200 MB of rows without cells": () =>
    large(SHEET, "<worksheet><sheetData>", '<row r="1"/>', "</sheetData></worksheet>"),
  "200 MB of number formats": () =>
    large(STYLES, "<styleSheet><cellXfs>", '<xf numFmtId="9"/>', "</cellXfs></styleSheet>"),
  "200 MB of relations": () =>
    large(
      "xl/_rels/workbook.xml.rels",
      "<Relationships>",
      '<Relationship Id="a" Type="b/c" Target="d"/>',
      "</Relationships>",
    ),
  "200 MB of sheets": () =>
    large("xl/workbook.xml", "<workbook><sheets>", '<sheet name="a" r:id="s0"/>', "</sheets></workbook>"),
  "200 MB of shared texts": () => large(SHARED, "<sst>", "<si><t>abc</t></si>", "</sst>"),
  "one shared text of 200 MB": () => large(SHARED, "<sst><si><t>", "x", "</t></si></sst>"),
  "19 MB of one name": () => workbook({ [SHEET]: `<${"x".repeat(19 * MEGABYTE)}` }),
  "19 MB of one attribute": () => workbook({ [SHEET]: `<worksheet a="${"x".repeat(19 * MEGABYTE)}` }),
  "19 MB of one comment": () => workbook({ [SHEET]: `<worksheet><!--${"x".repeat(19 * MEGABYTE)}` }),
  "19 MB of attributes": () =>
    workbook({
      [SHEET]: `<worksheet ${Array.from({ length: 1_200_000 }, (_, n) => `a${n}="1"`).join(" ")}>`,
    }),
  "19 MB of entities": () =>
    workbook({ [SHEET]: `<worksheet><sheetData><row><c t="str"><v>${"&amp;".repeat(4 * MEGABYTE)}` }),
  "9 MB of commas": () => Buffer.from(`a,b\n${",".repeat(9 * MEGABYTE)}`),
  "9 MB of quotes": () => Buffer.from(`a,b\n${'"'.repeat(9 * MEGABYTE)}`),
  "9 MB of lone quotes": () => Buffer.from(`a,b\n${', "x'.repeat((9 * MEGABYTE) / 4)}`),
  "9 MB of a cell that doesn't end": () => Buffer.from(`a,b\n1, "${"x".repeat(9 * MEGABYTE)}`),
  "9 MB of line ends": () => Buffer.from(`a,b\n${"\n".repeat(9 * MEGABYTE)}`),
  "9 MB of short rows": () => Buffer.from("a,b\n".repeat((9 * MEGABYTE) / 4)),
  "9 MB of odd bytes": () => randomBytes(9 * MEGABYTE).map((byte) => byte || 1) as Buffer,
  "9 MB of open tags": () => Buffer.from(`<html><table>${"<b>".repeat(3 * MEGABYTE)}`),
  "9 MB of closing tags": () => Buffer.from(`<html><table>${"</b>".repeat(2 * MEGABYTE)}`),
  "9 MB of cells of a web page": () => Buffer.from(`<html><table><tr>${"<td>".repeat(2 * MEGABYTE)}`),
  "9 MB of tables of a web page": () => Buffer.from(`<html>${"<table></table>".repeat(600_000)}`),
  "9 MB of <": () => Buffer.from(`<html>${"<".repeat(9 * MEGABYTE)}`),
};
