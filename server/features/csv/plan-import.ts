import type { BadCell, csv, Rename } from "#contract/csv.ts";
import { readHeader, type HeaderReading } from "#contract/csv-header.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import { type Found, findKnown, type Sign } from "#server/features/csv/find-known.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";
import { mergePerson } from "#server/features/csv/merge-person.ts";
import { nameNewPeople, refuseTakenNames } from "#server/features/csv/name-new-people.ts";
import { cellText, readRow, trouble } from "#server/features/csv/read-row.ts";
import type { CellTrouble, PersonCells } from "#server/features/csv/read-row.ts";
import { refuseByRole } from "#server/features/csv/refuse-by-role.ts";
import { doubtTrouble, markDuplicates } from "#server/features/csv/same-person.ts";
import { knownProperties } from "#server/features/groups/properties.ts";
import { actorNow } from "#server/features/people/who-may-change.ts";

export type ImportRow = Readonly<Record<string, string>>;
export type ImportOptions = QueryOf<typeof csv.import>;

export type ImportPlan = {
  creates: { row: number; person: PersonRecord }[];
  updates: KnownPerson[];
  /** Ids of people about whom the file says nothing new. */
  unchanged: number[];
  skipped: number;
  rejected: number;
  /** Rows that mean somebody who exists. */
  existing: number;
  renames: Rename[];
  badCells: BadCell[];
  header: HeaderReading;
};

/** One row, read and looked up. */
export type Entry = {
  row: number;
  person: PersonCells;
  troubles: CellTrouble[];
  /** Whom of several it means, or whether it means the one whom it would rename. */
  doubts: CellTrouble[];
  found: Found;
};

/**
 * Decides for every row whether it makes a person, changes one, says nothing new or is left out, and why.
 * Throws invalid-input when the header does not serve.
 *
 * @param lock keeps the people that the plan is built on as they are until the transaction ends
 */
export async function planImport(
  db: Db,
  rows: readonly ImportRow[],
  { actorId, options, lock }: { actorId: number; options: ImportOptions; lock: boolean },
): Promise<ImportPlan> {
  const header = readHeader(new Set(rows.flatMap((row) => Object.keys(row))));
  if (header.trouble !== null) throw new AppError("invalid-input", header.trouble);
  const sign = signOf(header, options);
  const actor = await actorNow(db, actorId);
  const entries = await readEntries(db, rows, { header, sign, options, lock });
  const plan: ImportPlan = {
    creates: [],
    updates: [],
    unchanged: [],
    skipped: 0,
    rejected: 0,
    existing: 0,
    renames: [],
    badCells: [],
    header,
  };
  const spelling = await knownProperties(db);
  for (const { row, person, troubles, doubts, found } of entries) {
    const known = found.person;
    if (known) plan.existing++;
    if (known && options.existing === "skip") {
      plan.skipped++;
      continue;
    }
    // Only what can be done is asked about.
    const before = known ?? found.mayRename;
    const after = mergePerson(before, person, { spelling, defaultRole: options.defaultRole });
    const refused = [
      ...troubles,
      ...refuseByRole(actor, { person, known: before, after: after.role }, header),
      ...(before ? [] : missingNames(person, troubles)),
    ];
    if (refused.length + doubts.length > 0) {
      plan.rejected++;
      plan.badCells.push(...[...refused, ...doubts].map((cell) => badCell(row, cell, header)));
      if (refused.length === 0 && before && options.existing === "update") {
        plan.renames.push(...renameOf(row, before, after, true));
      }
    } else if (!known) plan.creates.push({ row, person: after });
    else if (differs(known, after)) {
      plan.updates.push({ ...after, id: known.id });
      plan.renames.push(...renameOf(row, known, after, found.mayRename !== undefined));
    } else plan.unchanged.push(known.id);
  }
  await nameNewPeople(db, plan.creates);
  return plan;
}

function signOf(header: HeaderReading, { match }: ImportOptions): Sign {
  return match === "username" && !header.columns.has("username") ? "likeness" : match;
}

async function readEntries(
  db: Db,
  rows: readonly ImportRow[],
  {
    header,
    sign,
    options,
    lock,
  }: { header: HeaderReading; sign: Sign; options: ImportOptions; lock: boolean },
): Promise<Entry[]> {
  const read = rows.map((cells) => readRow(byMeaning(cells, header), { byUsername: sign === "username" }));
  const found = await findKnown(
    db,
    read.map(({ person }) => person),
    { sign, lock },
  );
  const entries = read.map((reading, index) => ({
    ...reading,
    row: options.firstRow + index,
    doubts: [] as CellTrouble[],
    found: confirmed(found[index] ?? {}, options),
  }));
  markDuplicates(entries, sign);
  for (const entry of entries) entry.doubts.push(...doubtTrouble(entry, sign));
  // Whom a user name means was looked up already where it decides.
  if (sign !== "username") await refuseTakenNames(db, entries);
  return entries;
}

/** Once somebody has said so, who may be renamed is whom the row means. */
function confirmed(found: Found, { renames }: ImportOptions): Found {
  const { mayRename } = found;
  return mayRename && renames === "update" ? { person: mayRename, mayRename } : found;
}

/** One trouble as the caller hears of it, under the header that the file has. */
export function badCell(row: number, cell: CellTrouble, header: HeaderReading): BadCell {
  const { meaning, value, kind, reason } = cell;
  return { row, column: header.columns.get(meaning) ?? meaning, value, kind, reason };
}

function byMeaning(cells: ImportRow, header: HeaderReading) {
  return new Map(
    [...header.columns].map(([meaning, name]) => [meaning, cellText(cells[name] ?? "")] as const),
  );
}

/** A new person needs both names; for a known one a blank cell leaves what is there. */
function missingNames(person: PersonCells, troubles: readonly CellTrouble[]): CellTrouble[] {
  return (["firstName", "lastName"] as const)
    .filter((name) => person[name] === undefined && !troubles.some((cell) => cell.meaning === name))
    .map((name) =>
      trouble(name, "", "missing", name === "firstName" ? "First name is required" : "Last name is required"),
    );
}

function renameOf(row: number, known: KnownPerson, person: PersonRecord, unsure: boolean): Rename[] {
  const before = `${known.firstName} ${known.lastName}`;
  const after = `${person.firstName} ${person.lastName}`;
  return before.toLowerCase() === after.toLowerCase() ? [] : [{ row, before, after, unsure }];
}

function differs(before: KnownPerson, after: PersonRecord): boolean {
  return (Object.keys(after) as (keyof PersonRecord)[]).some((field) => before[field] !== after[field]);
}
