import { posix } from "node:path";
import { dayLooks, numberLooks, patternOf } from "./cell-text.ts";
import { readAll, readXml } from "./markup.ts";
import { SheetRows } from "./sheet-rows.ts";
import { LONGEST_CELL, MOST_SHEETS, type Part, UnreadableWorkbook } from "./workbook.ts";
import type { Zip } from "./zip.ts";

/** A thread that reads a workbook may hold this many characters of texts that its cells share. */
const MOST_SHARED = 40_000_000;
const MOST_SHARED_TEXTS = 1_500_000;
/** Relations, sheets and formats of cells. Excel has at most 65,490 of the last. Without an end, each would fill the memory. */
const MOST_ENTRIES = 66_000;

/** Adds to a list that a file could make endless. */
function keep<T>(list: T[], entry: T): void {
  if (list.length >= MOST_ENTRIES) throw new UnreadableWorkbook("too-large");
  list.push(entry);
}

type Relation = { id: string; type: string; target: string };
type Looks = { pattern: string }[];

/** Reads the visible sheets of an Office Open XML workbook. Macros, links and everything else in it are passed over. */
export async function* readXlsx(zip: Zip): AsyncGenerator<Part> {
  const root = await relationsOf(zip, "");
  const main = root.find(({ type }) => type.endsWith("/officeDocument"))?.target ?? "xl/workbook.xml";
  if (!zip.has(main)) throw new UnreadableWorkbook("not-a-sheet");
  const relations = await relationsOf(zip, main);
  const targetOf = (kind: string) => relations.find(({ type }) => type.endsWith(`/${kind}`))?.target;
  const { sheets, from1904 } = await readContents(zip, main);
  const shared = await readShared(zip, targetOf("sharedStrings"));
  const looks = await readLooks(zip, targetOf("styles"));
  for (const { name, relation } of sheets.slice(0, MOST_SHEETS)) {
    const found = relations.find(({ id }) => id === relation);
    // A chart has a tab as well.
    if (!found?.type.endsWith("/worksheet") || !zip.has(found.target)) continue;
    yield { kind: "sheet", name };
    yield* readSheet(zip, found.target, { shared, looks, from1904 });
  }
}

/** What a part refers to. Links to other files name no part of this one, so they are never found. */
async function relationsOf(zip: Zip, part: string): Promise<Relation[]> {
  const folder = posix.dirname(part);
  const path = posix.join(folder, "_rels", `${posix.basename(part)}.rels`);
  const relations: Relation[] = [];
  if (!zip.has(path)) return relations;
  await readAll(await zip.open(path), {
    open(name, { Id: id = "", Type: type = "", Target: target = "" }) {
      if (name !== "Relationship") return;
      const resolved = target.startsWith("/") ? target.slice(1) : posix.join(folder, target);
      keep(relations, { id, type, target: resolved });
    },
  });
  return relations;
}

async function readContents(zip: Zip, part: string) {
  const all: { name: string; relation: string; hidden: boolean }[] = [];
  let from1904 = false;
  await readAll(await zip.open(part), {
    open(name, attributes) {
      if (name === "workbookPr") from1904 = /^(?:1|true)$/.test(attributes["date1904"] ?? "");
      if (name !== "sheet") return;
      const relation = Object.entries(attributes).find(([key]) => key.endsWith(":id"))?.[1] ?? "";
      keep(all, {
        name: attributes["name"] ?? "",
        relation,
        hidden: /hidden/i.test(attributes["state"] ?? ""),
      });
    },
  });
  const visible = all.filter(({ hidden }) => !hidden);
  return { sheets: visible.length > 0 ? visible : all, from1904 };
}

async function readShared(zip: Zip, part: string | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (part === undefined || !zip.has(part)) return texts;
  let [text, inText, phonetic, characters] = ["", false, false, 0];
  await readAll(await zip.open(part), {
    open(name) {
      if (name === "si") text = "";
      // How Japanese names are read aloud, beside the name.
      else if (name === "rPh") phonetic = true;
      inText = name === "t" && !phonetic;
    },
    text(piece) {
      if (inText && text.length < LONGEST_CELL) text += piece;
    },
    close(name) {
      inText = false;
      if (name === "rPh") phonetic = false;
      if (name !== "si") return;
      characters += text.length;
      if (characters > MOST_SHARED || texts.length >= MOST_SHARED_TEXTS)
        throw new UnreadableWorkbook("too-large");
      texts.push(unescaped(text));
    },
  });
  return texts;
}

/** "_x000D_": how a workbook writes characters that XML can't. */
const unescaped = (text: string) =>
  text.includes("_x")
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCodePoint(Number.parseInt(code, 16)),
      )
    : text;

async function readLooks(zip: Zip, part: string | undefined): Promise<Looks> {
  if (part === undefined || !zip.has(part)) return [];
  const own = new Map<number, string>();
  const ids: number[] = [];
  let inCells = false;
  await readAll(await zip.open(part), {
    open(name, attributes) {
      const id = Number(attributes["numFmtId"]);
      if (name === "numFmt" && own.size < 5000) own.set(id, (attributes["formatCode"] ?? "").slice(0, 500));
      else if (name === "cellXfs") inCells = true;
      else if (name === "xf" && inCells) keep(ids, id);
    },
    close(name) {
      if (name === "cellXfs") inCells = false;
    },
  });
  return ids.map((id) => ({ pattern: patternOf(id, own) }));
}

/** In a row of Excel, with or without a text. */
const MOST_CELLS = 16_384;

type Context = { shared: readonly string[]; looks: Looks; from1904: boolean };
type Cell = { column: number; type: string; style: number; text: string };

async function* readSheet(zip: Zip, part: string, context: Context): AsyncGenerator<Part> {
  const rows = new SheetRows();
  let cell: Cell | null = null;
  let [next, cells] = [0, 0];
  let inText = false;
  let phonetic = false;
  const handlers = {
    open(name: string, attributes: Readonly<Record<string, string>>) {
      if (name === "row") {
        const line = Number(attributes["r"]);
        rows.begin(Number.isSafeInteger(line) && line > 0 ? line : undefined);
        [next, cells] = [0, 0];
      } else if (name === "c") {
        const column = columnOf(attributes["r"]) ?? next;
        next = column + 1;
        cells += 1;
        if (cells > MOST_CELLS) rows.trouble = "too-many-columns";
        cell = { column, type: attributes["t"] ?? "n", style: Number(attributes["s"] ?? -1), text: "" };
      } else if (name === "rPh") phonetic = true;
      else if (name === "mergeCell") {
        const [from = "", to = ""] = (attributes["ref"] ?? "").split(":");
        rows.merge(columnOf(from) ?? -1, lineOf(from), lineOf(to));
      }
      inText = name === "v" || (name === "t" && !phonetic);
    },
    text(piece: string) {
      if (inText && cell && cell.text.length < LONGEST_CELL) cell.text += piece;
    },
    close(name: string) {
      inText = false;
      if (name === "rPh") phonetic = false;
      else if (name === "c" && cell) {
        if (cell.type === "e") rows.errors += 1;
        else rows.put(cell.column, textOf(cell, context));
        cell = null;
      } else if (name === "row") rows.end();
    },
  };
  const stream = await zip.open(part);
  yield* readXml(
    stream,
    handlers,
    () => rows.taken(),
    () => rows.trouble !== null,
  );
  yield* rows.finish();
}

function textOf({ type, style, text }: Cell, { shared, looks, from1904 }: Context): string {
  if (text === "") return "";
  if (type === "s") return shared[Number(text)] ?? "";
  if (type === "inlineStr" || type === "str") return unescaped(text);
  if (type === "b") return text === "1" || text === "true" ? "TRUE" : "FALSE";
  if (type === "d") return dayLooks(text);
  const value = Number(text);
  return Number.isFinite(value) ? numberLooks(value, looks[style]?.pattern ?? "General", from1904) : text;
}

/** The column of "AB12", counting from 0. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/i.exec(reference ?? "")?.[0].toUpperCase();
  if (!letters) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.codePointAt(0)! - 64;
  return column - 1;
}

const lineOf = (reference: string) => Number(/\d+$/.exec(reference)?.[0] ?? 0);
