import type * as z from "zod";
import type { Role } from "#contract/calls/auth.ts";
import type { BadCellKind } from "#contract/calls/csv.ts";
import { type Contact, contactsIn, emailIn, emailsIn } from "#contract/text/contact-text.ts";
import { unguardFormula } from "#contract/text/csv-cells.ts";
import { isLegalForm } from "#contract/text/company.ts";
import type { CsvField, DetailColumn } from "#contract/text/csv-header.ts";
import { type Absence, absenceIn, isMovingIn } from "#contract/text/resident-status.ts";
import { roleIn } from "#contract/text/role-name.ts";
import { line } from "#contract/fields.ts";
import { fullName, splitFullName } from "#contract/text/full-name.ts";
import { personFields } from "#contract/calls/users.ts";
import { type Chosen, readPhones } from "#server/features/people/contacts.ts";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";
import { visibleLine } from "#contract/text/visible-text.ts";
import { inOrder, type StoredDetails } from "#server/features/people/details.ts";
import { cellExample, readCell } from "#server/features/csv/detail-cell.ts";
import { readDays } from "#server/features/csv/read-days.ts";
import { NOTHING, type Reading } from "#server/features/csv/reading.ts";
import type { Stay } from "#server/places/residencies.ts";
import type { Detail } from "#contract/text/kept-details.ts";

/** What one row says about a person. A blank cell says nothing: its field is undefined. */
export type PersonCells = {
  username?: string;
  email?: string;
  firstName?: string;
  lastName?: string;
  phone?: string;
  /** Further numbers and addresses in the row. */
  others: Contact[];
  /** Which of several numbers in the phone's cell it is. */
  chosenPhone?: Chosen | undefined;
  /** The same of several addresses in the email's. */
  chosenEmail?: Chosen | undefined;
  role?: Role;
  absence?: Absence | null;
  /** The row says that they are still to come. */
  movingIn?: boolean;
  /** By the id of the detail. */
  details?: StoredDetails;
  /** When they live in their home, as far as the row says it. */
  days?: Partial<Stay>;
  home?: { propertyUnit: string; property: string | null; unit: string | null };
};

/** A cell that keeps its row from being imported. */
export type CellError = { field: CsvField | DetailColumn; value: string; kind: BadCellKind; reason: string };

/** The row's cells of details. */
export type DetailCells = readonly { detail: Detail; text: string }[];

// Together they must still fit into the one field that stores them.
const propertyAlone = line("Property", 100);
const unitAlone = line("Unit", 90);

/** What a rent roll has in place of a name: "VACANT", "Vacant Unit", "-- Vacant 4B --". */
const VACANT =
  /^\W*(?:vacant|vacancy|unoccupied)(?:\W+(?:unit|home|apartment|apt|lot|suite|rented|unrented|ready|not|\d\w*))*\W*$/i;

/**
 * A cell's text without the apostrophe or formula that guards it in spreadsheets, on one line, as people see it. Lines
 * of numbers or addresses are several.
 */
export function cellText(cell: string, field?: CsvField): string {
  const isList = field === "email" || field === "phone" || field === "otherContacts";
  const text = visibleLine(
    unguardFormula(cell).replaceAll(/[\t\n\v\f\r\u2028\u2029]+/g, isList ? "; " : " "),
  );
  return isList ? text.replaceAll(/^;\s*|\s*;$/g, "") : text;
}

/** Checks every cell on its own. */
export function readRow(
  cells: ReadonlyMap<CsvField, string>,
  country: string,
  details: DetailCells = [],
): {
  person: PersonCells;
  troubles: CellError[];
} {
  const troubles: CellError[] = [];
  function read<T>(field: CsvField, reader: (text: string) => Reading<T>): T | undefined {
    const text = cells.get(field) ?? "";
    if (text === "" || ((field === "email" || field === "phone") && NOTHING.test(text))) return undefined;
    const reading = reader(text);
    if ("value" in reading) return reading.value;
    troubles.push({ field, value: text, kind: "invalid", reason: reading.reason });
    return undefined;
  }

  const others: Contact[] = [];
  let chosenPhone: Chosen | undefined;
  let chosenEmail: Chosen | undefined;
  const readEmail = (text: string): Reading<string | undefined> => {
    const found = by(personFields.email)(text);
    if ("reason" in found)
      return text.split("@").length > 2
        ? { reason: "We can't tell these addresses apart. Put a semicolon between them." }
        : found;
    const { email, others: more } = emailsIn(found.value)!;
    // It may be the one that messages should go to.
    const mistyped = more.find(
      ({ text: one }) =>
        one.includes("@") && emailIn(one) === null && found.value.indexOf(one) < found.value.indexOf(email),
    );
    if (mistyped)
      return { reason: `“${mistyped.text}” isn't a whole email address. Correct it or remove it.` };
    const of = 1 + more.filter(({ text: one }) => emailIn(one) !== null).length;
    if (of > 1) chosenEmail = { which: "first", of };
    others.push(...more);
    return { value: lowerDomain(email) };
  };
  const readNumber = (text: string): Reading<string | undefined> => {
    const found = readPhones(text, country);
    others.push(...(found.others ?? []));
    if ("phone" in found) chosenPhone = found.chosen;
    // A number with an extension can't be used, but it isn't a mistake either.
    return "reason" in found && !found.others
      ? found
      : { value: ("phone" in found && found.phone) || undefined };
  };

  const property = read("property", by(propertyAlone));
  const unit = read("propertyUnit", by(property === undefined ? personFields.propertyUnit : unitAlone));
  const [first, last] = [cells.get("firstName") ?? "", cells.get("lastName") ?? ""];
  const isEmpty = VACANT.test(
    fullName({ firstName: first, lastName: last }) || (cells.get("fullName") ?? ""),
  );
  const named = first || last || isEmpty ? undefined : read("fullName", readFullName);
  // Another program took "Example Holdings, LLC" for a last name and a first name.
  const company = isLegalForm(first) && last !== "" ? readFullName(`${last}, ${first}`) : null;
  const whole = company && "value" in company ? company.value : named;
  const person: PersonCells = {
    username: read("username", by(personFields.username)),
    email: read("email", readEmail),
    firstName: isEmpty ? undefined : (whole?.firstName ?? read("firstName", by(personFields.firstName))),
    lastName: isEmpty ? undefined : (whole?.lastName ?? read("lastName", by(personFields.lastName))),
    phone: read("phone", readNumber),
    others,
    chosenPhone,
    chosenEmail,
    role: read("role", (text) => ({ value: roleIn(text) ?? "tenant" })),
    movingIn: isMovingIn(cells.get("status") ?? ""),
    absence: absenceIn(cells.get("status") ?? "") ?? (isEmpty ? "vacant" : null),
    home: homeOf(property, unit),
  };
  others.push(...contactsIn(cells.get("otherContacts") ?? ""));
  const days = readDays(read, person.movingIn === true);
  if (days) person.days = days;
  const kept = details.flatMap(({ detail, text }) => {
    if (text === "") return [];
    const value = readCell(detail.kind, text);
    if (value !== null) return [[String(detail.id), value] as const];
    const reason = `${detail.label} must be ${cellExample(detail.kind)}`;
    troubles.push({ field: `detail:${detail.field}`, value: text, kind: "invalid", reason });
    return [];
  });
  if (kept.length > 0) person.details = inOrder(kept);
  return { person, troubles };
}

function by<T>(schema: z.ZodType<T>): (text: string) => Reading<T> {
  return (text) => {
    const result = schema.safeParse(text);
    return result.success
      ? { value: result.data }
      : { reason: result.error.issues[0]?.message ?? "This value is not valid" };
  };
}

// Only the domain: the part before the @ may be case-sensitive.
function lowerDomain(email: string): string {
  const at = email.lastIndexOf("@");
  return email.slice(0, at) + email.slice(at).toLowerCase();
}

function readFullName(text: string): Reading<{ firstName: string; lastName: string }> {
  const name = splitFullName(text);
  if (!name) return { reason: "Enter one person's first and last name" };
  const [first, last] = [
    by(personFields.firstName)(name.firstName),
    by(personFields.lastName)(name.lastName),
  ];
  if ("reason" in first) return first;
  return "reason" in last ? last : { value: { firstName: first.value, lastName: last.value } };
}

function homeOf(property: string | undefined, unit: string | undefined): PersonCells["home"] {
  if (property === undefined)
    return unit === undefined ? undefined : { propertyUnit: unit, ...splitPropertyUnit(unit) };
  if (unit === undefined) return { propertyUnit: property, property, unit: null };
  return { propertyUnit: `${property} / ${unit}`, property, unit: splitPropertyUnit(unit).unit ?? unit };
}
