import { crc32, deflateRawSync } from "node:zlib";

/** Workbooks for tests, as spreadsheet programs write them. */

type Packed = { name: string; data: Buffer; size: number; crc: number };

/** A zip file of these parts. `pretend`: the unpacked size that it claims for each. */
export function zipOf(parts: Readonly<Record<string, string | Buffer>>, pretend?: number): Buffer {
  const packed = Object.entries(parts).map(([name, content]): Packed => {
    const bytes = Buffer.from(content as string);
    return { name, data: deflateRawSync(bytes), size: pretend ?? bytes.length, crc: crc32(bytes) };
  });
  const [locals, directory]: [Buffer[], Buffer[]] = [[], []];
  let offset = 0;
  for (const { name, data, size, crc } of packed) {
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(size, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, Buffer.from(name), data]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from("PK\x01\x02\x14\0", "latin1"), common, more, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(22);
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(packed.length, 8);
  end.writeUInt16LE(packed.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...directory, end]);
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** A number with the number format that shows it. */
export type Formatted = { value: number; format: string };
export type TestCell = string | number | Formatted | null | { xml: string };

function letters(column: number): string {
  const before = column >= 26 ? letters(Math.floor(column / 26) - 1) : "";
  return before + String.fromCodePoint(65 + (column % 26));
}

type TestSheet = { rows: readonly (readonly TestCell[])[]; merged?: readonly string[]; hidden?: boolean };

/** The parts of an xlsx file, with shared texts as Excel writes them. */
export function xlsxParts(
  sheets: Readonly<Record<string, TestSheet>>,
  { date1904 = false }: { date1904?: boolean } = {},
): Record<string, string> {
  const shared: string[] = [];
  const formats: string[] = [];
  const placeIn = (list: string[], text: string) =>
    list.includes(text) ? list.indexOf(text) : list.push(text) - 1;
  const cellXml = (cell: TestCell, at: string) => {
    if (cell === null) return "";
    if (typeof cell === "string") return `<c r="${at}" t="s"><v>${placeIn(shared, cell)}</v></c>`;
    if (typeof cell === "number") return `<c r="${at}"><v>${cell}</v></c>`;
    if ("xml" in cell) return cell.xml.replace("<c", `<c r="${at}"`);
    return `<c r="${at}" s="${placeIn(formats, cell.format) + 1}"><v>${cell.value}</v></c>`;
  };
  const pages = Object.values(sheets).map(({ rows, merged = [] }) => {
    const data = rows.map(
      (cells, n) =>
        `<row r="${n + 1}">${cells.map((cell, c) => cellXml(cell, `${letters(c)}${n + 1}`)).join("")}</row>`,
    );
    const merges = merged.map((ref) => `<mergeCell ref="${ref}"/>`).join("");
    return `<worksheet><sheetData>${data.join("")}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}</worksheet>`;
  });
  const names = Object.entries(sheets);
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const relations = (list: readonly (readonly [id: string, kind: string, target: string])[]) =>
    `<Relationships>${list.map(([id, kind, target]) => `<Relationship Id="${id}" Type="${type}/${kind}" Target="${target}"/>`).join("")}</Relationships>`;
  return {
    "[Content_Types].xml": "<Types/>",
    "_rels/.rels": relations([["rId1", "officeDocument", "xl/workbook.xml"]]),
    "xl/workbook.xml": `<workbook xmlns:r="${type}"><workbookPr date1904="${Number(date1904)}"/><sheets>${names
      .map(
        ([name, { hidden }], n) =>
          `<sheet name="${escaped(name)}" sheetId="${n + 1}"${hidden ? ' state="hidden"' : ""} r:id="s${n}"/>`,
      )
      .join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": relations([
      ...names.map((_, n) => [`s${n}`, "worksheet", `worksheets/sheet${n + 1}.xml`] as const),
      ["styles", "styles", "styles.xml"],
      ["shared", "sharedStrings", "/xl/sharedStrings.xml"],
    ]),
    "xl/styles.xml": `<styleSheet><numFmts>${formats
      .map((code, n) => `<numFmt numFmtId="${200 + n}" formatCode="${escaped(code)}"/>`)
      .join("")}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
      .map((code, n) => `<xf numFmtId="${/^\d+$/.test(code) && code !== "00000" ? code : 200 + n}"/>`)
      .join("")}</cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst>${shared.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join("")}</sst>`,
    ...Object.fromEntries(pages.map((xml, n) => [`xl/worksheets/sheet${n + 1}.xml`, xml])),
  };
}

export const xlsxOf = (...given: Parameters<typeof xlsxParts>): Buffer => zipOf(xlsxParts(...given));

/** An OpenDocument file with a sheet of this content. */
export const odsOf = (table: string): Buffer =>
  zipOf({
    "META-INF/manifest.xml": "",
    "content.xml": `<office:document-content><office:body><office:spreadsheet><table:table table:name="Roll">${table}</table:table></office:spreadsheet></office:body></office:document-content>`,
  });
