import type * as z from "zod";
import { type Role, roles } from "#contract/auth.ts";
import type { BadCellKind } from "#contract/csv.ts";
import { unguardFormula } from "#contract/csv-cells.ts";
import type { ColumnMeaning } from "#contract/csv-header.ts";
import { line } from "#contract/fields.ts";
import { personFields } from "#contract/users.ts";
import { readPhone } from "#server/features/people/phone.ts";
import { splitPropertyUnit } from "#contract/property-unit.ts";

/** What one row says about a person. A blank cell says nothing: its field is undefined. */
export type PersonCells = {
  username?: string;
  email?: string;
  firstName?: string;
  lastName?: string;
  phone?: string;
  role?: Role;
  home?: { propertyUnit: string; property: string | null; unit: string | null };
};

export type CellTrouble = { meaning: ColumnMeaning; value: string; kind: BadCellKind; reason: string };
export type RowReading = { person: PersonCells; troubles: CellTrouble[] };

type Cells = ReadonlyMap<ColumnMeaning, string>;
type Reading<T> = { value: T } | { reason: string; kind?: BadCellKind };

const SHOWN = 200;
// Together they still fit the one field that they are stored in.
const propertyAlone = line("Property", 100);
const unitAlone = line("Unit", 90);

/** A cell's text as its sender meant it: without the quote that protects from spreadsheets, in one line, trimmed. */
export function cellText(cell: string): string {
  return unguardFormula(cell)
    .replaceAll(/\s+/g, (gap) => (/[^ \u00a0]/.test(gap) ? " " : gap))
    .trim();
}

/** The trouble of one cell, with its text cut to what a screen shows. */
export function trouble(
  meaning: ColumnMeaning,
  value: string,
  kind: BadCellKind,
  reason: string,
): CellTrouble {
  return { meaning, value: value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value, kind, reason };
}

/**
 * Checks every cell by itself. Whether a person is known already, and who may change whom, is decided later.
 *
 * @param byUsername the user name decides whom a row means, so none is made up for whoever has none in its column
 */
export function readRow(cells: Cells, { byUsername }: { byUsername: boolean }): RowReading {
  const troubles: CellTrouble[] = [];
  function read<T>(meaning: ColumnMeaning, reader: (text: string) => Reading<T>): T | undefined {
    const text = cells.get(meaning) ?? "";
    if (text === "") return undefined;
    const reading = reader(text);
    if ("value" in reading) return reading.value;
    troubles.push(trouble(meaning, text, reading.kind ?? "invalid", reading.reason));
    return undefined;
  }

  if (byUsername && cells.get("username") === "") {
    troubles.push(trouble("username", "", "missing", "Username must be at least 3 characters"));
  }
  const property = read("property", by(propertyAlone));
  const unit = read("propertyUnit", by(property === undefined ? personFields.propertyUnit : unitAlone));
  const person: PersonCells = {
    username: read("username", by(personFields.username)),
    email: read("email", (text) => lowerDomain(by(personFields.email)(text))),
    firstName: read("firstName", by(personFields.firstName)),
    lastName: read("lastName", by(personFields.lastName)),
    phone: read("phone", (text) => {
      const reading = readPhone(text);
      return "phone" in reading ? { value: reading.phone } : reading;
    }),
    role: read("role", readRole),
    home: homeOf(property, unit),
  };
  return { person, troubles };
}

function by<T>(schema: z.ZodType<T>): (text: string) => Reading<T> {
  return (text) => {
    const result = schema.safeParse(text);
    return result.success
      ? { value: result.data }
      : { reason: result.error.issues[0]?.message ?? "This value does not fit" };
  };
}

// Only the domain: what stands before the @ may be told apart by case where the mailbox lives.
function lowerDomain(reading: Reading<string>): Reading<string> {
  if (!("value" in reading)) return reading;
  const at = reading.value.lastIndexOf("@");
  return { value: reading.value.slice(0, at) + reading.value.slice(at).toLowerCase() };
}

function readRole(text: string): Reading<Role> {
  const word = text.toLowerCase();
  const role = roles.find((role) => role === word || (role === "admin" && word === "administrator"));
  return role ? { value: role } : { reason: "Role is tenant, staff or admin" };
}

function homeOf(property: string | undefined, unit: string | undefined): PersonCells["home"] {
  if (property === undefined)
    return unit === undefined ? undefined : { propertyUnit: unit, ...splitPropertyUnit(unit) };
  if (unit === undefined) return { propertyUnit: property, property, unit: null };
  return { propertyUnit: `${property} / ${unit}`, property, unit: splitPropertyUnit(unit).unit ?? unit };
}
