import { sql } from "kysely";
import { type AddressWarning, type BadCell, type csv, DECISION, type Rename } from "#contract/calls/csv.ts";
import {
  type Absence,
  type ColumnMeaning,
  type CsvField,
  csvFields,
  furtherColumns,
  missingColumns,
  recognizeColumns,
  withFurther,
} from "#contract/text/csv-header.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { fullName } from "#contract/text/full-name.ts";
import type { Db } from "#server/db/database.ts";
import { addressWarnings } from "#server/features/csv/address-warnings.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";
import { generateUsernames } from "#server/features/csv/generate-usernames.ts";
import { mapInSlices } from "#server/features/csv/map-in-slices.ts";
import { haveSameName, type Match, matchPeople, otherAddresses } from "#server/features/csv/match-people.ts";
import { mergePerson } from "#server/features/csv/merge-person.ts";
import { type CellError, cellText, type PersonCells, readRow } from "#server/features/csv/read-row.ts";
import { knownProperties } from "#server/features/groups/properties.ts";
import { readHomeCountry } from "#server/features/people/home-country.ts";
import {
  type Actor,
  actorNow,
  colleagueRefusal,
  roleRefusal,
} from "#server/features/people/who-may-change.ts";

export type ImportRow = Readonly<Record<string, string>>;
export type ImportOptions = QueryOf<typeof csv.check>;

export type ImportPlan = {
  startedAt: Date;
  /** Each with its row, and the caller's key of its username; undefined if that is made up. */
  creates: (PersonRecord & { row: number; usernameColumn: string | undefined })[];
  updates: (PersonRecord & { row: number; id: number; before: KnownPerson })[];
  /** Ids of people about whom the file says nothing new. */
  unchanged: number[];
  skipped: number;
  rejected: number;
  existing: number;
  absent: number;
  renames: Rename[];
  warnings: AddressWarning[];
  badCells: BadCell[];
  /** The caller's keys that mean nothing here. */
  ignoredColumns: string[];
};

/** The caller's key of each field. */
type Columns = ReadonlyMap<ColumnMeaning, string>;
type Further = { key: string; field: "email" | "phone"; label: string };

/**
 * Decides for every row whether it creates a person, updates one, contains nothing new or is left out, and why. Throws
 * invalid-input if the name columns are missing.
 * @param lock keeps the people the plan is built on unchanged until the transaction ends
 */
export async function planImport(
  db: Db,
  rows: readonly ImportRow[],
  { actorId, options, lock }: { actorId: number; options: ImportOptions; lock: boolean },
): Promise<ImportPlan> {
  const { columns, further, ignoredColumns } = columnsOf(rows);
  const actor = await actorNow(db, actorId);
  const country = await readHomeCountry(db);
  const read = await mapInSlices(rows, (cells) => ({
    ...readRow(byField(cells, columns, further), country),
    decision: cells[DECISION]?.trim() ?? "",
  }));
  const spelling = await knownProperties(
    db,
    read.flatMap(({ person }) => person.home?.property ?? []),
  );
  const startedAt = options.since ? new Date(options.since) : await databaseTime(db);
  // Someone who has moved from one home to another has a row of each, and is not twice in the file.
  const leftOut = (row: (typeof read)[number]) => options.absent === "leave-out" && row.person.absence;
  const kept = read.filter((row) => !leftOut(row));
  const matches = await matchPeople(db, kept, { startedAt, lock });
  const plan: ImportPlan = {
    startedAt,
    creates: [],
    updates: [],
    unchanged: [],
    skipped: 0,
    rejected: 0,
    existing: 0,
    absent: 0,
    renames: [],
    warnings: [],
    badCells: [],
    ignoredColumns,
  };
  const context = { actor, columns, spelling, country, options };
  const next = matches.values();
  for (const [index, cells] of read.entries()) {
    const row = options.firstRow + index;
    if (cells.person.absence) plan.absent++;
    if (leftOut(cells)) leaveOut(plan, row, absent(cells.person, rows[index]!, columns), columns);
    else decideRow(plan, row, { ...cells, match: next.next().value! }, context);
  }
  await nameNewPeople(db, plan.creates);
  plan.warnings = await addressWarnings(db, plan);
  return plan;
}

type ReadRow = ReturnType<typeof readRow> & { decision: string; match: Match };
type Context = {
  actor: Actor;
  columns: Columns;
  spelling: Map<string, string>;
  country: string;
  options: ImportOptions;
};

/** Adds to the plan what one row does. */
function decideRow(
  plan: ImportPlan,
  row: number,
  { person, troubles, decision, match }: ReadRow,
  { actor, columns, spelling, country, options }: Context,
): void {
  const known = match.person;
  if (known) plan.existing++;
  if (known && options.existing === "skip") {
    plan.skipped++;
    return;
  }
  const after = mergePerson(known, person, { spelling, country, defaultRole: options.defaultRole });
  const refused = [
    ...troubles,
    ...(match.duplicate ? [duplicate(person, columns)] : []),
    ...(isOutdated(decision, match) ? [outdated(person, columns)] : []),
    ...refusedRole(actor, { person, known, after }, columns),
    ...refusedOwnContact(actor, { known, after }),
    ...(known && !known.addressConfirmed ? [unconfirmed(person, columns)] : []),
    ...(known ? [] : missingNames(person, troubles, columns)),
  ];
  if (refused.length > 0 || match.candidates.length > 0) {
    plan.rejected++;
    const bad = refused.map((cell) => badCell(row, cell, columns));
    plan.badCells.push(...(refused.length > 0 ? bad : [undecided(row, person, match.candidates, columns)]));
  } else if (!known) {
    const usernameColumn = person.username === undefined ? undefined : columns.get("username");
    plan.creates.push({ ...after, row, usernameColumn });
  } else if (differs(known, after)) {
    plan.updates.push({ ...after, row, id: known.id, before: known });
    const [before, now] = [nameOf(known), nameOf(after)];
    if (before.toLowerCase() !== now.toLowerCase()) plan.renames.push({ row, before, after: now });
  } else plan.unchanged.push(known.id);
}

function leaveOut(plan: ImportPlan, row: number, cell: CellError, columns: Columns): void {
  plan.rejected++;
  plan.badCells.push(badCell(row, cell, columns));
}

const absences: Record<Absence, string> = {
  "moved-out": "has moved out",
  applicant: "hasn't moved in",
  evicted: "is being evicted or was",
  vacant: "No one lives here",
};

/** "Kim Lee has moved out (Past)" */
function absent(person: PersonCells, cells: ImportRow, columns: Columns): CellError {
  const absence = person.absence ?? "vacant";
  const written = cellText(cells[columns.get("status") ?? ""] ?? "");
  const field = written === "" ? "fullName" : "status";
  const value = written || cellText(cells[columns.get("fullName") ?? ""] ?? "");
  const what =
    absence === "vacant" ? absences.vacant : `${nameOf(person) || "This person"} ${absences[absence]}`;
  return { field, value, kind: "absent", reason: `${what} (${value.slice(0, SHOWN)})` };
}

async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT now()`.execute(db);
  return rows[0]!.now;
}

function columnsOf(rows: readonly ImportRow[]): {
  columns: Columns;
  further: Further[];
  ignoredColumns: string[];
} {
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const meanings = recognizeColumns(keys);
  const missing = missingColumns(meanings);
  if (missing !== null) throw refusal("columns-missing", { sentence: missing });
  const further = furtherColumns(keys, meanings);
  const besides = new Set(further.map(({ place }) => place));
  return {
    columns: new Map(
      meanings.flatMap((meaning, place) =>
        meaning && !besides.has(place) ? [[meaning, keys[place] ?? ""]] : [],
      ),
    ),
    further: further.map(({ place, field, label }) => ({ key: keys[place] ?? "", field, label })),
    ignoredColumns: keys.filter((key, place) => !meanings[place] && key !== DECISION),
  };
}

function byField(cells: ImportRow, columns: Columns, further: readonly Further[]): Map<CsvField, string> {
  const texts = new Map(
    csvFields.flatMap((field): [CsvField, string][] => {
      const key = columns.get(field);
      return key === undefined ? [] : [[field, cellText(cells[key] ?? "", field)]];
    }),
  );
  for (const [field, own] of Map.groupBy(further, (one) => one.field)) {
    const others = own.map((one) => ({ ...one, text: cellText(cells[one.key] ?? "", field) }));
    texts.set(field, withFurther(texts.get(field) ?? "", others));
  }
  return texts;
}

const SHOWN = 200;

/** One problem with the caller's own key. */
function badCell(row: number, { field, value, kind, reason }: CellError, columns: Columns): BadCell {
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

function duplicate(person: PersonCells, columns: Columns): CellError {
  const cell = cellOf(person, columns, "username", "email", "phone");
  return { ...cell, kind: "duplicate", reason: "An earlier row is for the same person" };
}

/**
 * The person chosen for the row no longer matches it. If others do, the choice is open again. Only
 * an id counts, because a file may have a column of this name.
 */
function isOutdated(decision: string, { person, candidates }: Match): boolean {
  return /^\d+$/.test(decision) && candidates.length === 0 && String(person?.id) !== decision;
}

function outdated(person: PersonCells, columns: Columns): CellError {
  const reason = "The person chosen for this row no longer matches it. Check the rows again";
  return { ...cellOf(person, columns, "email", "phone"), kind: "invalid", reason };
}

function refusedRole(
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
function refusedOwnContact(
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
function unconfirmed(person: PersonCells, columns: Columns): CellError {
  const reason =
    "Someone registered with this username and hasn't confirmed their email address. Open them under Users to confirm or delete them";
  return { ...cellOf(person, columns, "username"), kind: "not-allowed", reason };
}

/** A new person needs both names; for a person on file a blank cell changes nothing. */
function missingNames(person: PersonCells, troubles: readonly CellError[], columns: Columns): CellError[] {
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

function undecided(
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
      sameName: haveSameName(person, other),
    })),
  };
}

const nameOf = ({ firstName = "", lastName = "" }: { firstName?: string; lastName?: string }) =>
  fullName({ firstName, lastName });

/** Makes up a username for every new person without one. */
async function nameNewPeople(db: Db, creates: readonly PersonRecord[]): Promise<void> {
  const nameless = creates.filter((person) => person.username === "");
  if (nameless.length === 0) return;
  const given = creates.map(({ username }) => username).filter(Boolean);
  const usernames = await generateUsernames(db, nameless, given);
  for (const [place, person] of nameless.entries()) person.username = usernames[place] ?? "";
}

function differs(before: KnownPerson, after: PersonRecord): boolean {
  return (Object.keys(after) as (keyof PersonRecord)[]).some((field) => before[field] !== after[field]);
}
