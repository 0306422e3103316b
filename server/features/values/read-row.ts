import type { FindingColumn, TroubleKind, ValueColumn } from "#contract/calls/values.ts";
import { emailsIn } from "#contract/text/contact-text.ts";
import { DETAIL_TEXT_MAX, type DetailKind } from "#contract/text/kept-details.ts";
import { writtenDetail } from "#contract/text/person-details.ts";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";
import { cellOf } from "#contract/text/sheet-columns.ts";
import { visibleLine } from "#contract/text/visible-text.ts";
import { readCell } from "#server/features/csv/detail-cell.ts";
import { wordsIn } from "#server/features/values/columns.ts";
import { cellText } from "#server/features/csv/read-row.ts";
import { NOTHING } from "#server/features/csv/reading.ts";
import { readPhones } from "#server/features/people/contacts.ts";

export const addressKinds = ["username", "email", "phone"] as const;
export type AddressKind = (typeof addressKinds)[number];

/**
 * What a row says of whom it is for. `texts`: a cell's addresses as they are stored, the best one first; none if it has
 * something else.
 */
export type Keys = { [Kind in AddressKind]?: { column: number; texts: readonly string[] } } & {
  home?: { column: number; property: string | null; unit: string | null };
  /** The words of the name, folded. */
  name?: readonly string[];
};

export type ReadRow = {
  keys: Keys;
  values: Record<string, string>;
  troubles: { kind: TroubleKind; column: number }[];
};

type How = { columns: readonly ValueColumn[]; property: string; country: string };

/** Reads what a row says, its values as the message has them. */
export function readRow(cells: readonly string[], how: How): ReadRow {
  const values: Record<string, string> = {};
  const troubles: ReadRow["troubles"] = [];
  for (const [column, meaning] of how.columns.entries()) {
    if (!meaning || !("field" in meaning)) continue;
    const read = readValue(meaning.as, cellOf(cells[column]));
    if ("trouble" in read) troubles.push({ kind: read.trouble, column });
    else values[meaning.field] = read.value;
  }
  return { keys: keysIn(cells, how), values, troubles };
}

const troubleOf: Record<Exclude<DetailKind, "text">, TroubleKind> = {
  number: "not-a-number",
  amount: "not-an-amount",
  date: "not-a-date",
};

function readValue(kind: DetailKind, cell: string): { value: string } | { trouble: TroubleKind } {
  const text = visibleLine(cell);
  if (text === "") return { trouble: "missing" };
  if (text.length > DETAIL_TEXT_MAX) return { trouble: "too-long" };
  if (kind === "text") return { value: text };
  const stored = readCell(kind, text);
  return stored === null ? { trouble: troubleOf[kind] } : { value: writtenDetail(kind, stored) };
}

function keysIn(cells: readonly string[], { columns, property, country }: How): Keys {
  const cell = (finds: FindingColumn) => {
    const column = columns.findIndex((one) => one !== null && "finds" in one && one.finds === finds);
    const list = finds === "email" || finds === "phone" ? finds : undefined;
    return { column, text: column === -1 ? "" : cellText(cells[column] ?? "", list) };
  };
  const addresses = addressKinds.flatMap((kind) => {
    const { column, text } = cell(kind);
    const isEmpty = text === "" || (kind !== "username" && NOTHING.test(text));
    return isEmpty ? [] : [[kind, { column, texts: textsIn(kind, text, country) }] as const];
  });
  const name = wordsIn(cell("name").text);
  return {
    ...Object.fromEntries(addresses),
    ...homeIn(cell("home"), cell("property").text || property),
    ...(name.length > 0 && { name }),
  };
}

/** The addresses in a cell, as an import reads them. */
function textsIn(kind: AddressKind, text: string, country: string): string[] {
  if (kind === "username") return [text.toLowerCase()];
  if (kind === "email") {
    const found = emailsIn(text);
    const all = found ? [found.email, ...found.others.map((one) => one.text)] : [];
    return all.map((one) => one.toLowerCase());
  }
  const found = readPhones(text, country);
  return "phone" in found && found.phone !== null
    ? [found.phone, ...found.others.map((one) => one.text.toLowerCase())]
    : [];
}

/** A property that is a single house has no unit. */
function homeIn(home: { column: number; text: string }, property: string): Pick<Keys, "home"> {
  if (home.text === "") return {};
  const split = splitPropertyUnit(home.text);
  const { column } = home;
  if (split.unit !== null)
    return { home: { column, property: split.property ?? (property || null), unit: split.unit } };
  // "Penthouse" of a property that is named elsewhere, or a house.
  return {
    home:
      property === "" ? { column, property: home.text, unit: null } : { column, property, unit: home.text },
  };
}
