import type { BadCell } from "#contract/csv.ts";
import { readHeader, type HeaderReading } from "#contract/csv-header.ts";
import { AppError } from "#contract/errors.ts";
import type { Db } from "#server/db/database.ts";
import { findKnown, identity } from "#server/features/csv/find-known.ts";
import { generateUsernames } from "#server/features/csv/generate-usernames.ts";
import {
  currentRole,
  knownProperties,
  type KnownPerson,
  type PersonRecord,
} from "#server/features/csv/queries.ts";
import { cellText, readRow, trouble } from "#server/features/csv/read-row.ts";
import type { CellTrouble, PersonCells } from "#server/features/csv/read-row.ts";
import { refuseByRole, type Actor } from "#server/features/csv/refuse-by-role.ts";

export type ImportRow = Readonly<Record<string, string>>;

export type ImportPlan = {
  creates: { row: number; person: PersonRecord }[];
  updates: KnownPerson[];
  unchanged: number;
  rejected: number;
  badCells: BadCell[];
  header: HeaderReading;
};

type Entry = { row: number; person: PersonCells; troubles: CellTrouble[] };

/**
 * Decides for every row whether it makes a person, changes one, says nothing new or is left out, and why.
 * Throws invalid-input when the header does not serve.
 *
 * @param firstRow the number of the first row
 * @param lock keeps the people that the plan is built on as they are until the transaction ends
 */
export async function planImport(
  db: Db,
  rows: readonly ImportRow[],
  { actorId, firstRow, lock }: { actorId: number; firstRow: number; lock: boolean },
): Promise<ImportPlan> {
  const header = readHeader(new Set(rows.flatMap((row) => Object.keys(row))));
  if (header.trouble !== null) throw new AppError("invalid-input", header.trouble);
  const entries = rows.map((cells, index) => ({
    row: firstRow + index,
    ...readRow(byMeaning(cells, header)),
  }));
  const byUsername = header.columns.has("username");
  const actor = await actorNow(db, actorId);
  const known = await findKnown(
    db,
    entries.map((entry) => entry.person),
    { byUsername, lock },
  );
  markDuplicates(entries, known, byUsername);

  const plan: ImportPlan = { creates: [], updates: [], unchanged: 0, rejected: 0, badCells: [], header };
  const spelling = await knownProperties(db);
  for (const [index, { row, person, troubles }] of entries.entries()) {
    const before = known[index];
    troubles.push(
      ...refuseByRole(actor, person, before, header),
      ...(before ? [] : missingNames(person, troubles)),
    );
    if (troubles.length > 0) {
      plan.rejected++;
      plan.badCells.push(...troubles.map((cell) => badCell(row, cell, header)));
      continue;
    }
    const after = merge(before, spellProperty(person, spelling));
    if (!before) plan.creates.push({ row, person: after });
    else if (differs(before, after)) plan.updates.push({ ...after, id: before.id });
    else plan.unchanged++;
  }
  if (!byUsername) await nameNewPeople(db, plan);
  return plan;
}

/** What the session said of the role may be a moment old, and this decides about administrators. */
async function actorNow(db: Db, id: number): Promise<Actor> {
  const role = await currentRole(db, id);
  if (role !== "admin" && role !== "staff") {
    throw new AppError("forbidden", "Your role does not allow this. Ask an administrator.");
  }
  return { id, role };
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

function markDuplicates(entries: Entry[], known: (KnownPerson | undefined)[], byUsername: boolean): void {
  const seen = new Set<string | number>();
  for (const [index, { person, troubles }] of entries.entries()) {
    // Two spellings may still mean one person who exists already.
    const keys = [identity(person, byUsername), known[index]?.id].filter((key) => key !== undefined);
    if (keys.some((key) => seen.has(key))) {
      troubles.push(
        byUsername
          ? trouble("username", person.username ?? "", "duplicate", "An earlier row has the same user name")
          : trouble("lastName", person.lastName ?? "", "duplicate", "An earlier row is the same person"),
      );
    }
    for (const key of keys) seen.add(key);
  }
}

/** A new person needs both names; for a known one a blank cell leaves what is there. */
function missingNames(person: PersonCells, troubles: readonly CellTrouble[]): CellTrouble[] {
  return (["firstName", "lastName"] as const)
    .filter((name) => person[name] === undefined && !troubles.some((cell) => cell.meaning === name))
    .map((name) =>
      trouble(name, "", "missing", name === "firstName" ? "First name is required" : "Last name is required"),
    );
}

/** Spells a property as its group does, or as the file does first: "MAPLE COURT" is no second property. */
function spellProperty(person: PersonCells, spelling: Map<string, string>): PersonCells {
  const property = person.home?.property;
  if (!person.home || !property) return person;
  const key = property.toLowerCase();
  const spelled = spelling.get(key) ?? property;
  spelling.set(key, spelled);
  return { ...person, home: { ...person.home, property: spelled } };
}

function merge(before: KnownPerson | undefined, cells: PersonCells): PersonRecord {
  const recognised = before && (before.property ?? before.unit) !== null;
  const sameHome = !cells.home || (recognised && cells.home.propertyUnit === before.propertyUnit);
  const home = sameHome ? before : cells.home;
  return {
    username: before?.username ?? cells.username ?? "",
    email: cells.email ?? before?.email ?? null,
    firstName: cells.firstName ?? before?.firstName ?? "",
    lastName: cells.lastName ?? before?.lastName ?? "",
    phone: cells.phone ?? before?.phone ?? null,
    role: cells.role ?? before?.role ?? "tenant",
    propertyUnit: home?.propertyUnit ?? null,
    property: home?.property ?? null,
    unit: home?.unit ?? null,
  };
}

function differs(before: KnownPerson, after: PersonRecord): boolean {
  return (Object.keys(after) as (keyof PersonRecord)[]).some((field) => before[field] !== after[field]);
}

async function nameNewPeople(db: Db, { creates }: ImportPlan): Promise<void> {
  const usernames = await generateUsernames(
    db,
    creates.map(({ person }) => person),
  );
  for (const [place, { person }] of creates.entries()) person.username = usernames[place] ?? "";
}
