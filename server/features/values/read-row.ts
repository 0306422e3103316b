import type { FindingColumn, TroubleKind, ValueColumn } from "#contract/calls/values.ts";
import { emailIn } from "#contract/text/contact-text.ts";
import { DETAIL_TEXT_MAX, type DetailKind } from "#contract/text/kept-details.ts";
import { writtenDetail } from "#contract/text/person-details.ts";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";
import { cellOf } from "#contract/text/sheet-columns.ts";
import { visibleLine } from "#contract/text/visible-text.ts";
import { readCell } from "#server/features/csv/detail-cell.ts";
import { readPhones } from "#server/features/people/contacts.ts";

/** What a row says of whom it is for. An address is as it is stored; null: it can't be one. */
export type Keys = {
  [Finds in "username" | "email" | "phone"]?: { column: number; text: string | null };
} & { home?: { column: number; property: string | null; unit: string | null } };

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
    return { column, text: column === -1 ? "" : visibleLine(cellOf(cells[column])) };
  };
  const [username, email, phone, home] = [cell("username"), cell("email"), cell("phone"), cell("home")];
  const numbers = phone.text === "" ? null : readPhones(phone.text, country);
  return {
    ...(username.text !== "" && { username: { ...username, text: username.text.toLowerCase() } }),
    ...(email.text !== "" && { email: { ...email, text: emailIn(email.text)?.toLowerCase() ?? null } }),
    ...(numbers && { phone: { ...phone, text: ("phone" in numbers && numbers.phone) || null } }),
    ...homeIn(home, cell("property").text || property),
  };
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
