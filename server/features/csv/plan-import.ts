import { isDeepStrictEqual } from "node:util";
import { sql } from "kysely";
import { type AddressWarning, type BadCell, type csv, DECISION, type Rename } from "#contract/calls/csv.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import { readDetails } from "#server/audience/details.ts";
import type { Db } from "#server/db/database.ts";
import { addressWarnings } from "#server/features/csv/address-warnings.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";
import { generateUsernames } from "#server/features/people/generate-usernames.ts";
import { mapInSlices } from "#server/features/csv/map-in-slices.ts";
import { isOnFile, laterMove } from "#server/features/csv/later-move.ts";
import { type Match, matchPeople } from "#server/features/csv/match-people.ts";
import { mergePerson } from "#server/features/csv/merge-person.ts";
import { type CellError, cellText, type PersonCells, readRow } from "#server/features/csv/read-row.ts";
import {
  absent,
  badCell,
  type Columns,
  duplicate,
  isOutdated,
  missingNames,
  nameOf,
  outdated,
  refusedOwnContact,
  refusedRole,
  unconfirmed,
  undecided,
} from "#server/features/csv/refused-rows.ts";
import { findPast } from "#server/features/csv/past-people.ts";
import { refusedDays } from "#server/features/csv/refused-days.ts";
import { byField, columnsOf, type ImportRow } from "#server/features/csv/row-columns.ts";
import { idDetails } from "#server/features/csv/their-ids.ts";
import { knownProperties } from "#server/features/groups/properties.ts";
import { readHomeCountry } from "#server/features/people/home-country.ts";
import { type Actor, actorNow } from "#server/features/people/who-may-change.ts";
import type { LaterMove } from "#server/places/move-later.ts";
import type { Leaving } from "#server/places/move-out.ts";
import { readToday } from "#server/places/settle.ts";

export type ImportOptions = QueryOf<typeof csv.check> & {
  /** The rows are those of a spreadsheet, whose dates someone has looked at. */
  sheet?: true;
};

export type ImportPlan = {
  startedAt: Date;
  /** Each with its row, and the caller's key of its username; undefined if that is made up. */
  creates: (PersonRecord & { row: number; usernameColumn: string | undefined })[];
  updates: (PersonRecord & { row: number; id: number; before: KnownPerson })[];
  /** People who live in their home until they move on a day to come. */
  later: (LaterMove & { row: number })[];
  /** Ids of people whose next home is on file already. */
  coming: number[];
  /** Ids of people about whom the file says nothing new. */
  unchanged: number[];
  /** Ids of people on file whom rows that change nothing are, or may be, about. */
  mentioned: number[];
  /** Of those who are imported, who moves in on a day to come. */
  movingIn: number;
  /** People on file whom a row calls past tenants of the home they live in. */
  leaving: Leaving[];
  /** The properties that rows name. */
  named: string[];
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
  const details = await readDetails(db);
  const { columns, further, ignoredColumns } = columnsOf(rows, details, options.sheet);
  const ofDetails = details.flatMap((detail) => {
    const key = columns.get(`detail:${detail.field}`);
    return key === undefined ? [] : [{ detail, key }];
  });
  const actor = await actorNow(db, actorId);
  const country = await readHomeCountry(db);
  const read = await mapInSlices(rows, (cells) => ({
    ...readRow(
      byField(cells, columns, further),
      country,
      ofDetails.map(({ detail, key }) => ({ detail, text: cellText(cells[key] ?? "") })),
    ),
    decision: cells[DECISION]?.trim() ?? "",
  }));
  const spelling = await knownProperties(
    db,
    read.flatMap(({ person }) => person.home?.property ?? []),
  );
  const startedAt = options.since ? new Date(options.since) : await databaseTime(db);
  // Someone who has moved from one home to another has a row of each, and is not twice in the file.
  // An empty home without a name has no one to import.
  const leftOut = ({ person: { absence, firstName, lastName } }: (typeof read)[number]) =>
    absence && (options.absent === "leave-out" || (absence === "vacant" && !firstName && !lastName));
  const kept = read.filter((row) => !leftOut(row));
  const today = (await readToday(db))(undefined);
  const ids = options.sheet ? idDetails(ofDetails.map(({ detail }) => detail)) : [];
  const laterOf = (known: KnownPerson, person: PersonCells) =>
    options.sheet ? laterMove(known, person, { today, spelling }) : null;
  const matches = await matchPeople(db, kept, { startedAt, lock, ids, laterOf });
  const plan: ImportPlan = {
    startedAt,
    creates: [],
    updates: [],
    later: [],
    coming: [],
    unchanged: [],
    mentioned: [],
    movingIn: 0,
    leaving: [],
    named: [...new Set(read.flatMap(({ person }) => person.home?.property ?? []))],
    skipped: 0,
    rejected: 0,
    existing: 0,
    absent: 0,
    renames: [],
    warnings: [],
    badCells: [],
    ignoredColumns,
  };
  const context = { actor, columns, spelling, country, options, today };
  const next = matches.values();
  const past =
    options.sheet && options.existing === "update"
      ? await findPast(db, read, { startedAt, lock, ids, today, spelling })
      : new Map<(typeof read)[number], Leaving>();
  for (const [index, cells] of read.entries()) {
    const row = options.firstRow + index;
    if (cells.person.absence) plan.absent++;
    if (!leftOut(cells)) decideRow(plan, row, { ...cells, match: next.next().value! }, context);
    else if (!past.has(cells)) leaveOut(plan, row, absent(cells.person, rows[index]!, columns), columns);
  }
  const seen = new Set(
    [...plan.updates, ...plan.later].map(({ id }) => id).concat(plan.unchanged, plan.mentioned),
  );
  for (const [index, cells] of read.entries()) {
    const leaving = past.get(cells);
    if (leaving && seen.has(leaving.id))
      leaveOut(plan, options.firstRow + index, absent(cells.person, rows[index]!, columns), columns);
    else if (leaving) plan.leaving.push(leaving);
  }
  countOnce(plan);
  await nameNewPeople(db, plan.creates);
  const chosen = [...plan.creates, ...plan.updates].flatMap(({ row, phone, email }) => {
    const { chosenPhone, chosenEmail } = read[row - options.firstRow]!.person;
    return [
      ...(chosenPhone && phone ? [{ row, value: phone, what: "numbers", ...chosenPhone }] : []),
      ...(chosenEmail && email ? [{ row, value: email, what: "addresses", ...chosenEmail }] : []),
    ];
  });
  plan.warnings = await addressWarnings(db, plan, chosen);
  return plan;
}

type ReadRow = ReturnType<typeof readRow> & { decision: string; match: Match };
type Context = {
  actor: Actor;
  columns: Columns;
  spelling: Map<string, string>;
  country: string;
  options: ImportOptions;
  /** As of the organization. */
  today: string;
};

/** Adds to the plan what one row does. */
function decideRow(
  plan: ImportPlan,
  row: number,
  { person, troubles, decision, match }: ReadRow,
  { actor, columns, spelling, country, options, today }: Context,
): void {
  const { person: known, later } = match;
  if (known) plan.existing++;
  if (known && options.existing === "skip") {
    plan.skipped++;
    plan.mentioned.push(known.id);
    return;
  }
  const after = mergePerson(known, person, {
    spelling,
    country,
    defaultRole: options.defaultRole,
    sheet: options.sheet,
  });
  const refused = [
    ...troubles,
    ...(match.duplicate ? [duplicate(person, columns)] : []),
    ...(isOutdated(decision, match) ? [outdated(person, columns)] : []),
    ...refusedRole(actor, { person, known, after }, columns),
    ...(options.sheet ? refusedDays(person, { known, after, later, today }, columns) : []),
    ...refusedOwnContact(actor, { known, after }),
    ...(known && !known.addressConfirmed ? [unconfirmed(person, columns)] : []),
    ...(known ? [] : missingNames(person, troubles, columns)),
  ];
  const isOut = refused.length > 0 || match.candidates.length > 0;
  if (!isOut && ((later ?? after).days?.firstDay ?? "") > today) plan.movingIn++;
  if (isOut) {
    plan.rejected++;
    plan.mentioned.push(...(known ? [known.id] : match.candidates.map(({ id }) => id)));
    const bad = refused.map((cell) => badCell(row, cell, columns));
    plan.badCells.push(...(refused.length > 0 ? bad : [undecided(row, person, match.candidates, columns)]));
  } else if (known && later) {
    if (isOnFile(later, known)) plan.coming.push(known.id);
    else plan.later.push({ ...later, row });
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

/** Someone with a row of each of two homes is one person. */
function countOnce(plan: ImportPlan): void {
  const changed = new Set([...plan.updates, ...plan.later].map(({ id }) => id));
  const unchanged = new Set([...plan.unchanged, ...plan.coming].filter((id) => !changed.has(id)));
  plan.unchanged = [...unchanged];
}

async function databaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`SELECT now()`.execute(db);
  return rows[0]!.now;
}

/** Makes up a username for every new person without one. */
async function nameNewPeople(db: Db, creates: readonly PersonRecord[]): Promise<void> {
  const nameless = creates.filter((person) => person.username === "");
  if (nameless.length === 0) return;
  const given = creates.map(({ username }) => username).filter(Boolean);
  const usernames = await generateUsernames(db, nameless, given);
  for (const [place, person] of nameless.entries()) person.username = usernames[place] ?? "";
}

function differs(before: KnownPerson, after: PersonRecord): boolean {
  return (Object.keys(after) as (keyof PersonRecord)[]).some(
    (field) => before[field] !== after[field] && !isDeepStrictEqual(before[field], after[field]),
  );
}
