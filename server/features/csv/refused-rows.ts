import type { BadCell } from "#contract/calls/csv.ts";
import type { ColumnMeaning } from "#contract/text/csv-header.ts";
import type { Absence } from "#contract/text/resident-status.ts";
import { fullName } from "#contract/text/full-name.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";
import { haveSameName, type Match, otherAddresses } from "#server/features/csv/match-people.ts";
import { type CellError, cellText, type PersonCells } from "#server/features/csv/read-row.ts";
import { type Actor, colleagueRefusal, roleRefusal } from "#server/features/people/who-may-change.ts";

/** Why a row isn't imported, each as a problem with one of its cells. */

/** The caller's key of each field. */
export type Columns = ReadonlyMap<ColumnMeaning, string>;

const SHOWN = 200;

export const nameOf = ({ firstName = "", lastName = "" }: { firstName?: string; lastName?: string }) =>
  fullName({ firstName, lastName });

const absences: Record<Absence, string> = {
  "moved-out": "has moved out",
  applicant: "hasn't moved in",
  evicted: "is being evicted or was",
  vacant: "Empty home. Left out.",
};

/** "Kim Lee has moved out (Past)" */
export function absent(
  person: PersonCells,
  cells: Readonly<Record<string, string>>,
  columns: Columns,
): CellError {
  const absence = person.absence ?? "vacant";
  const written = cellText(cells[columns.get("status") ?? ""] ?? "");
  const field = written === "" ? "fullName" : "status";
  const value = written || cellText(cells[columns.get("fullName") ?? ""] ?? "");
  const reason =
    absence === "vacant"
      ? absences.vacant
      : `${nameOf(person) || "This person"} ${absences[absence]} (${value.slice(0, SHOWN)})`;
  return { field, value, kind: "absent", reason };
}

/** One problem with the caller's own key. */
export function badCell(row: number, { field, value, kind, reason }: CellError, columns: Columns): BadCell {
  const shown = value.length > SHOWN ? `${value.slice(0, SHOWN)}…` : value;
  return { row, column: columns.get(field) ?? field, value: shown, kind, reason };
}

/** The first of these fields for which the row has text, otherwise the name. */
function cellOf(
  person: PersonCells,
  columns: Columns,
  ...fields: ("role" | "username" | "email" | "phone")[]
) {
  const field = fields.find((one) => person[one] !== undefined);
  if (field) return { field, value: person[field] ?? "" };
  return columns.has("lastName")
    ? ({ field: "lastName", value: person.lastName ?? "" } as const)
    : ({ field: "fullName", value: nameOf(person) } as const);
}

export function duplicate(person: PersonCells, columns: Columns): CellError {
  const cell = cellOf(person, columns, "username", "email", "phone");
  return { ...cell, kind: "duplicate", reason: "An earlier row is for the same person" };
}

/**
 * The person chosen for the row no longer matches it. If others do, the choice is open again. Only
 * an id counts, because a file may have a column of this name.
 */
export function isOutdated(decision: string, { person, candidates }: Match): boolean {
  return /^\d+$/.test(decision) && candidates.length === 0 && String(person?.id) !== decision;
}

export function outdated(person: PersonCells, columns: Columns): CellError {
  const reason = "The person chosen for this row no longer matches it. Check the rows again";
  return { ...cellOf(person, columns, "email", "phone"), kind: "invalid", reason };
}

export function refusedRole(
  actor: Actor,
  { person, known, after }: { person: PersonCells; known: KnownPerson | undefined; after: PersonRecord },
  columns: Columns,
): CellError[] {
  const refused =
    roleRefusal(actor, { before: known, after: after.role }) ?? colleagueRefusal(actor, known, after);
  return refused
    ? [{ ...cellOf(person, columns, "role", "username"), kind: "not-allowed", reason: refused.message }]
    : [];
}

/** People change their own address where the current password is required, so an open session is not enough. */
export function refusedOwnContact(
  actor: Actor,
  { known, after }: { known: KnownPerson | undefined; after: PersonRecord },
): CellError[] {
  if (known?.id !== actor.id) return [];
  const names = { email: "email address", phone: "phone number" };
  return (["email", "phone"] as const)
    .filter((field) => after[field] !== known[field])
    .map((field) => {
      const reason = `Change your own ${names[field]} on your profile, which asks for your current password`;
      return { field, value: after[field] ?? "", kind: "not-allowed", reason };
    });
}

/** A stranger may have registered with a username that a file uses, and has the password of it. */
export function unconfirmed(person: PersonCells, columns: Columns): CellError {
  const reason =
    "Someone registered with this username and hasn't confirmed their email address. Open them under Users to confirm or delete them";
  return { ...cellOf(person, columns, "username"), kind: "not-allowed", reason };
}

/** A new person needs both names; for a person on file a blank cell changes nothing. */
export function missingNames(
  person: PersonCells,
  troubles: readonly CellError[],
  columns: Columns,
): CellError[] {
  const missing = (["firstName", "lastName"] as const).filter((name) => person[name] === undefined);
  const named = missing.every((name) => columns.has(name));
  const fields = named ? missing : (["fullName"] as const);
  const reasons = {
    firstName: "First name is required",
    lastName: "Last name is required",
    fullName: "Name is required",
  };
  return missing.length === 0
    ? []
    : fields
        .filter((field) => !troubles.some((cell) => cell.field === field))
        .map((field) => ({ field, value: "", kind: "missing", reason: reasons[field] }));
}

export function undecided(
  row: number,
  person: PersonCells,
  candidates: Match["candidates"],
  columns: Columns,
): BadCell {
  const shares = (other: KnownPerson, field: "email" | "phone") =>
    person[field] !== undefined &&
    [other[field], ...otherAddresses(other)].some(
      (one) => one?.toLowerCase() === person[field]?.toLowerCase(),
    );
  const signs = ["email", "phone"] as const;
  const common = signs.find((field) => candidates.every((other) => shares(other, field)));
  const shared = common
    ? [common]
    : signs.filter((field) => candidates.some((other) => shares(other, field)));
  const what =
    shared.map((field) => ({ email: "email", phone: "phone number" })[field]).join(" or ") || "name";
  const [first, ...others] = candidates;
  const who = first && others.length === 0 ? nameOf(first) : `${candidates.length} people`;
  const whom = others.length === 0 ? "the same person" : "one of them";
  const reason = `This ${what} is on file for ${who}. Is ${nameOf(person) || "this"} ${whom}?`;
  return {
    ...badCell(row, { ...cellOf(person, columns, ...shared), kind: "undecided", reason }, columns),
    candidates: candidates.map((other) => ({
      id: other.id,
      name: nameOf(other),
      propertyUnit: other.propertyUnit,
      email: other.email,
      phone: other.phone,
      sameName: haveSameName(person, other),
    })),
  };
}
