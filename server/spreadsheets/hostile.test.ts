import { describe, expect, test } from "vitest";
import { hostileWorkbooks } from "#server/testing/hostile-workbooks.ts";
import { odsOf, xlsxOf, xlsxParts, zipOf } from "#server/testing/workbooks.ts";
import { readWorkbook } from "./read-workbook.ts";
import type { Part } from "./workbook.ts";

const sheetsOf = async (bytes: Buffer): Promise<Part[][]> => {
  const sheets: Part[][] = [];
  for await (const part of readWorkbook(bytes)) {
    if (part.kind === "sheet") sheets.push([]);
    sheets.at(-1)!.push(part);
  }
  return sheets;
};
const rowsOf = async (bytes: Buffer) =>
  (await sheetsOf(bytes))[0]?.flatMap((part) => (part.kind === "rows" ? part.rows : []));
const troubleOf = async (bytes: Buffer) =>
  sheetsOf(bytes).then(
    () => "read",
    (error: { trouble?: string }) => error.trouble,
  );

describe("a hostile workbook", () => {
  const refusals = ["read", "damaged", "not-a-sheet", "empty", "too-large", "locked"];
  const parts = xlsxParts({ Sheet: { rows: [["x"]] } });
  const sheet = (xml: string | Buffer) => zipOf({ ...parts, "xl/worksheets/sheet1.xml": xml });

  test.each([
    ["unpacks to a thousand times its size", () => sheet(Buffer.alloc(30 * 1024 * 1024, " ")), "too-large"],
    ["claims more than it may unpack to", () => zipOf(parts, 200 * 1024 * 1024), "too-large"],
    ["claims less than it unpacks to", () => zipOf(parts, 3), "damaged"],
    ["is nested without end", () => sheet("<a>".repeat(100_000)), "damaged"],
    ["is no zip behind its first bytes", () => Buffer.from("PK\x03\x04nothing"), "damaged"],
    ["ends early", () => zipOf(parts).subarray(0, -30), "damaged"],
    ["is another zip", () => zipOf({ "a.txt": "a" }), "not-a-sheet"],
    [
      "is a Word document",
      () => zipOf({ "[Content_Types].xml": "", "word/document.xml": "" }),
      "not-a-sheet",
    ],
    ["is binary", () => Buffer.from([1, 0, 2, 0, 0, 0, 3]), "not-a-sheet"],
    ["is other XML", () => Buffer.from("<svg/>"), "not-a-sheet"],
    ["is empty", () => Buffer.alloc(0), "empty"],
    ["has only empty sheets", () => xlsxOf({ Sheet: { rows: [[]] } }), "empty"],
    [
      "has more shared text than any",
      () => zipOf({ ...parts, "xl/sharedStrings.xml": `<sst>${"<si/>".repeat(1_500_001)}</sst>` }),
      "too-large",
    ],
    [
      "repeats a long text in every cell",
      () => {
        const cells = '<c t="s"><v>0</v></c>'.repeat(100);
        const long = { ...parts, "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(32_000)}</t></si></sst>` };
        return zipOf({
          ...long,
          "xl/worksheets/sheet1.xml": `<worksheet>${`<row>${cells}</row>`.repeat(100)}</worksheet>`,
        });
      },
      "too-large",
    ],
  ])("that %s is refused", async (_, bytes, trouble) => {
    expect(await troubleOf(bytes())).toBe(trouble);
  });

  test("expands no entities and follows no links", async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
      <worksheet><sheetData><row><c t="str"><v>[&b;&c;&#x41;]</v></c></row></sheetData></worksheet>`;
    expect(await rowsOf(sheet(bomb))).toEqual([{ line: 1, cells: ["[&b;&c;A]"] }]);
    const linked = {
      ...parts,
      "xl/_rels/workbook.xml.rels": parts["xl/_rels/workbook.xml.rels"]!.replace(
        "worksheets/sheet1.xml",
        "../../../../etc/passwd",
      ),
    };
    expect(await troubleOf(zipOf(linked))).toBe("empty");
  });

  test.each(Object.keys(hostileWorkbooks))("%s is read or refused", async (what) => {
    expect(refusals).toContain(await troubleOf(hostileWorkbooks[what]!()));
  });

  test.each([
    [
      "formats",
      "xl/styles.xml",
      `<styleSheet><cellXfs>${"<xf/>".repeat(66_001)}</cellXfs></styleSheet>`,
      "too-large",
    ],
    ["sheets", "xl/workbook.xml", `<workbook>${"<sheet/>".repeat(66_001)}</workbook>`, "too-large"],
    [
      "relations",
      "xl/_rels/workbook.xml.rels",
      `<Relationships>${"<Relationship/>".repeat(66_001)}</Relationships>`,
      "too-large",
    ],
    [
      "attributes",
      "xl/workbook.xml",
      `<workbook ${Array.from({ length: 1001 }, (_, n) => `a${n}=""`).join(" ")}>`,
      "damaged",
    ],
    ["comments", "xl/workbook.xml", `<workbook><!--${"x".repeat(1_100_000)}--></workbook>`, "damaged"],
  ])("no list in it has more %s than the memory of a thread", async (_, part, xml, trouble) => {
    expect(await troubleOf(zipOf({ ...parts, [part]: xml }))).toBe(trouble);
  });

  test("cells and rows without content end a sheet where Excel's end", async () => {
    const endOf = async (data: string) =>
      (await sheetsOf(sheet(`<worksheet><sheetData>${data}</sheetData></worksheet>`)))[0]?.at(-1);
    expect(await endOf(`<row>${'<c r="A1"/>'.repeat(16_385)}</row>`)).toMatchObject({
      trouble: "too-many-columns",
    });
    expect(await endOf('<row r="1"/>'.repeat(1_048_577))).toMatchObject({ trouble: "too-many-rows" });
  });

  test.each([
    ["commas", ","],
    ["quotes", '"'],
    ["letters", "x"],
  ])("a text's line of a million %s is refused", async (_, mark) => {
    expect(await troubleOf(Buffer.from(`a,b\n1,"${mark.repeat(1_000_001)}`))).toBe("too-large");
  });

  // A small generator of its own: the same damage on every run.
  let seed = 20_261_127;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((seed / 2 ** 32) * below);
  };
  const one = <T>(list: readonly T[]) => list[random(list.length)]!;

  test("with its bytes damaged at random is read or refused, never more", async () => {
    const good = [
      xlsxOf({
        S: {
          rows: [
            ["Unit", "Tenant"],
            ["1", { value: 46353, format: "14" }],
          ],
        },
      }),
      odsOf("<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row>"),
    ];
    const xml = parts["xl/worksheets/sheet1.xml"]!;
    const outcomes = new Set<string | undefined>();
    for (let n = 0; n < 600; n++) {
      const zipped = Buffer.from(good[n % 2]!);
      const text = Buffer.from(xml);
      const target = n % 3 === 0 ? text : zipped;
      for (let hits = 1 + random(8); hits > 0; hits--) target[random(target.length)] = random(256);
      outcomes.add(
        await troubleOf(
          n % 3 === 0 ? sheet(text) : zipped.subarray(0, n % 7 ? undefined : random(zipped.length)),
        ),
      );
    }
    for (const outcome of outcomes) expect(refusals).toContain(outcome);
    expect(outcomes).toContain("damaged");
  });

  test("with its parts and markup mixed up at random is read or refused, never more", async () => {
    const rows = [
      ["Unit", "Tenant"],
      ["1", { value: 46353, format: "14" }],
    ];
    const good = [
      xlsxParts({ S: { rows, merged: ["A1:A2"] }, Two: { rows } }),
      {
        "META-INF/manifest.xml": "",
        "content.xml":
          '<table:table table:name="T"><table:table-row table:number-rows-repeated="2"><table:table-cell table:number-columns-repeated="3" table:number-rows-spanned="2"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
      },
    ];
    const numbers = ["-1", "0", "1e99", "99999999999999", "NaN", "", "1048577", "1.5", "&#0;", "../x"];
    const damage: ((xml: string) => string)[] = [
      (xml) => xml.slice(0, random(xml.length)),
      (xml) => xml.replaceAll(/(?<=")[^"<>]*(?=")/g, (value) => (random(4) === 0 ? one(numbers) : value)),
      (xml) => xml.replaceAll(/(?<=<v>)[^<]*/g, () => one(numbers)),
      (xml) => xml.replaceAll(/<(\/?)(\w)/g, "<$1x:$2"),
      (xml) =>
        xml
          .split(/(?=<)/)
          .toSorted(() => random(3) - 1)
          .join(""),
      (xml) => {
        const [from, to] = [random(xml.length), random(xml.length)];
        return xml.slice(0, from) + xml.slice(from, to).repeat(random(40)) + xml.slice(to);
      },
    ];
    const outcomes = new Set<string | undefined>();
    for (let n = 0; n < 400; n++) {
      const mixed: Record<string, string> = { ...one(good) };
      for (let hits = 1 + random(3); hits > 0; hits--) {
        const part = one(Object.keys(mixed));
        if (Object.keys(mixed).length > 1 && random(8) === 0) delete mixed[part];
        else if (random(8) === 0) mixed[part] = mixed[one(Object.keys(mixed))]!;
        else mixed[part] = one(damage)(mixed[part]!);
      }
      outcomes.add(await troubleOf(zipOf(mixed, random(20) === 0 ? random(2 ** 31) : undefined)));
    }
    for (const outcome of outcomes) expect(refusals).toContain(outcome);
    expect(outcomes).toContain("read");
  });
});
