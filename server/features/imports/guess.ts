import { createHash } from "node:crypto";
import { sql } from "kysely";
import {
  type ColumnMeaning,
  detailIn,
  isKnownHeader,
  missingColumns,
  recognizeColumns,
} from "#contract/text/csv-header.ts";
import { fold } from "#contract/text/fold.ts";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";
import { cellOf, type Mapping } from "#contract/text/sheet-columns.ts";
import { visibleLine } from "#contract/text/visible-text.ts";
import { readDetails } from "#server/audience/details.ts";
import type { Db } from "#server/db/database.ts";
import type { ImportChoices, Layout, ValueLayout } from "#server/db/schema.ts";

type Line = { line: number; cells: string[] };
export type Sheet = { id: number; name: string; sheet: number; sheetName: string };

/** "Rent Roll", the property, "As of", what was filtered by, and a few rows to tell names from data. */
export const TOP_ROWS = 25;

export async function readTop(db: Db, { id, sheet }: { id: number; sheet: number }): Promise<Line[]> {
  return db
    .selectFrom("import_rows")
    .select(["line", "cells"])
    .where("import_id", "=", id)
    .where("sheet", "=", sheet)
    .orderBy("line")
    .limit(TOP_ROWS)
    .execute();
}

/** How a sheet is probably meant: where its names are, what its columns hold, and where everyone lives. */
export async function guessChoices(db: Db, sheet: Sheet, headerLine?: number): Promise<ImportChoices> {
  const top = await readTop(db, sheet);
  const header = headerLine ?? guessHeader(top);
  const headers = headersAt(top, header);
  const kept = await readLayout(db, headers, "people");
  const details = await readDetails(db);
  const isKept = (meaning: ColumnMeaning | null) => {
    const field = detailIn(meaning);
    return field === null || details.some((one) => one.field === field);
  };
  const mapping =
    kept?.mapping.map((one) => (isKept(one) ? one : null)) ??
    recognizeColumns(withoutCodes(headers, top, header), details, { dates: true });
  const { property, line } = await guessProperty(db, sheet, { top, header, mapping });
  return {
    sheet: sheet.sheet,
    headerLine: header,
    mapping: [...mapping],
    statuses: kept?.statuses ?? {},
    property,
    propertyLine: line,
    remembered: kept !== undefined,
    decisions: {},
  };
}

const CODE = /^(?=.*\d)[\p{L}\d-]+$/u;

/** The headers, but none for columns called "Resident" or "Tenant" in which each is a code such as t0012345, beside their name. */
function withoutCodes(headers: readonly string[], top: readonly Line[], header: number): string[] {
  return headers.map((name, place) => {
    if (recognizeColumns([name])[0] !== "fullName") return name;
    const texts = top
      .filter(({ line }) => line > header)
      .map(({ cells }) => cellOf(cells[place]))
      .filter(Boolean);
    return texts.some((text) => CODE.test(text)) && texts.every((text) => !text.includes(" ")) ? "" : name;
  });
}

/** The names in this line, without the empty end; numbered if there are none. */
export function headersAt(top: readonly Line[], headerLine: number): string[] {
  if (headerLine === 0) {
    const width = Math.max(0, ...top.map(({ cells }) => cells.length));
    return Array.from({ length: width }, (_, n) => `Column ${n + 1}`);
  }
  // Columns of data can go on where the names end.
  const below = top.filter(({ line }) => line > headerLine);
  const names = top.find(({ line }) => line === headerLine)?.cells ?? [];
  const width = Math.max(names.length, ...below.map(({ cells }) => cells.length));
  return Array.from({ length: width }, (_, n) => visibleLine(cellOf(names[n])));
}

/** The line with the columns' names; 0 if the first line is someone's data. */
export function guessHeader(top: readonly Line[]): number {
  const texts = top.map(({ line, cells }) => ({ line, cells: cells.map((cell) => cellOf(cell)) }));
  const whole = texts.find(({ cells }) => {
    const meanings = recognizeColumns(cells, [], { dates: true }).filter((meaning) => meaning !== null);
    return meanings.length > 2 && missingColumns(meanings) === null;
  });
  if (whole) return whole.line;
  const known = texts.map(({ line, cells }) => ({ line, known: cells.filter(isKnownHeader).length }));
  const best = known.reduce((most, one) => (one.known > most.known ? one : most), { line: 0, known: 0 });
  if (best.known > 1) return best.line;
  const contact = /^\S+@\S+\.\S+$|^[+(]?\d[\d\s().-]{6,}$/;
  if (texts[0]?.cells.some((cell) => contact.test(cell))) return 0;
  const filled = texts.map(({ line, cells }) => ({ line, filled: cells.filter(Boolean).length }));
  const widest = Math.max(...filled.map((one) => one.filled));
  return filled.find((one) => one.filled === widest)?.line ?? 0;
}

type Around = { top: readonly Line[]; header: number; mapping: Mapping };

/** The property that a title, the sheet or the file names, if no column does. */
export async function guessProperty(
  db: Db,
  { name, sheetName }: Sheet,
  { top, header, mapping }: Around,
): Promise<{ property: string; line: number | null }> {
  const none = { property: "", line: null };
  const unit = mapping.indexOf("propertyUnit");
  if (unit === -1 || mapping.includes("property")) return none;
  const units = top.filter(({ line }) => line > header).map(({ cells }) => cellOf(cells[unit]));
  const named = units.filter((text) => splitPropertyUnit(text).property !== null).length;
  if (named * 2 > units.length) return none;
  const titles = top
    .filter(({ line }) => line < header)
    .flatMap(({ line, cells }) => cells.map((cell) => ({ line, text: visibleLine(cellOf(cell)) })))
    .filter(({ text }) => text !== "");
  const besides = [sheetName, name.replace(/\.\w+$/, "").replaceAll("_", " ")].map((text) => ({
    line: null,
    text,
  }));
  const known = await namedIn(
    db,
    [...titles, ...besides].map(({ text }) => text),
  );
  if (known) {
    const place = [...titles, ...besides].find(({ text }) => fold(text).includes(known.folded));
    return { property: known.name, line: place?.line ?? null };
  }
  for (const { line, text } of titles) {
    const property = propertyIn(text);
    if (property) return { property, line };
  }
  return none;
}

/** The property on file that one of these texts contains, the longest name first. */
async function namedIn(
  db: Db,
  texts: readonly string[],
): Promise<{ name: string; folded: string } | undefined> {
  const { rows } = await sql<{ name: string; folded: string }>`
    SELECT p.name, n.folded FROM property_names n JOIN properties p ON p.id = n.property_id
    WHERE p.archived_at IS NULL AND length(n.folded) > 2
      AND EXISTS (SELECT FROM unnest(${[...texts]}::text[]) AS said WHERE position(n.folded IN fold(said)) > 0)
    ORDER BY length(n.folded) DESC, n.folded LIMIT 1`.execute(db);
  return rows[0];
}

const REPORT =
  /\b(?:rent\s*roll|directory|list(?:ing)?|report|roster|tenants?|residents?|units?|leases?|occupancy|as of|date|exported|printed|created|page|current|all|status|month|filter)\b|\d{1,2}[/.]\d{1,2}|\b(?:19|20)\d\d\b/i;

/** "Riverbend" of "Property: Riverbend" and "Rent Roll - Riverbend". */
function propertyIn(title: string): string | undefined {
  const said = /^(?:property|properties|community|building|site)(?: name)?\s*[:–-]\s*(.+)$/i.exec(title)?.[1];
  const parts = said ? [said] : title.split(/\s+[-–—|]\s+|:\s+/);
  return parts
    .map((part) => part.trim())
    .find((part) => /\p{L}{2}/u.test(part) && part.length <= 60 && (said || !REPORT.test(part)));
}

type Layouts = { people: Layout; values: ValueLayout };

/** The same names in another order are another layout. */
const keyOf = (headers: readonly string[], purpose: keyof Layouts) =>
  createHash("sha256")
    .update((purpose === "people" ? "" : purpose) + JSON.stringify(headers.map(fold)))
    .digest("hex");

/** What the columns of files with these names meant the last time. */
export async function readLayout<Purpose extends keyof Layouts>(
  db: Db,
  headers: readonly string[],
  purpose: Purpose,
): Promise<Layouts[Purpose] | undefined> {
  const found = await db
    .selectFrom("import_layouts")
    .select("layout")
    .where("headers", "=", keyOf(headers, purpose))
    .executeTakeFirst();
  return found?.layout as Layouts[Purpose] | undefined;
}

/** Remembers what the columns of files with these names mean. */
export async function keepLayout<Purpose extends keyof Layouts>(
  db: Db,
  headers: readonly string[],
  purpose: Purpose,
  layout: Layouts[Purpose],
): Promise<void> {
  const values = { layout: JSON.stringify(layout), used_at: new Date() };
  await db
    .insertInto("import_layouts")
    .values({ headers: keyOf(headers, purpose), ...values })
    .onConflict((conflict) => conflict.column("headers").doUpdateSet(values))
    .execute();
}
