import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { problemOf } from "#server/features/values/columns.ts";
import { findPeople } from "#server/features/values/find-people.ts";
import { type Checked, claimsOf, forgetRows, keepRows } from "#server/features/values/kept-rows.ts";
import { type ReadRow, readRow } from "#server/features/values/read-row.ts";
import { rowsOf, type StagedValues } from "#server/features/values/staged-values.ts";
import { type Whom, whom } from "#server/features/values/whom.ts";

const AT_ONCE = 5000;

type Line = { line: number; cells: string[] };
/** A row, and whom it is for; null: someone left it out. */
type Meant = { line: number; read: ReadRow; meant: Whom | null };
/** The first row of each person. */
type FirstRows = Map<number, number>;

/** Finds for each row whom it is for, checks its values, and keeps both, instead of what was found before. */
export async function matchRows(tx: Db, values: StagedValues, country: string): Promise<void> {
  await forgetRows(tx, values, null);
  if (problemOf(values.choices.columns) !== null) return;
  const first: FirstRows = new Map();
  for (let after = 0; ;) {
    const { rows } = await sql<Line>`
      SELECT line, cells FROM import_rows r WHERE ${rowsOf(values)} AND r.line > ${after}
      ORDER BY line LIMIT ${AT_ONCE}`.execute(tx);
    const meant = await findMeant(tx, values, rows, country);
    claim(first, meant);
    await keepRows(tx, values, checked(meant, first));
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.line;
  }
}

/** The same after these rows have changed: for them, and for the rows of the same people. */
export async function rematchRows(
  tx: Db,
  values: StagedValues,
  country: string,
  changed: readonly number[],
): Promise<void> {
  if (changed.length > AT_ONCE) return matchRows(tx, values, country);
  if (problemOf(values.choices.columns) !== null) return;
  const before = await claimsOf(tx, values, { lines: changed });
  const own = await findMeant(tx, values, await readLines(tx, values, changed), country);
  const people = new Set([...before.map(({ userId }) => userId), ...own.flatMap(peopleOf)]);
  const sharing = await claimsOf(tx, values, { people: [...people] });
  const otherLines = new Set(sharing.map(({ line }) => line)).difference(new Set(changed));
  const claims = Map.groupBy(await claimsOf(tx, values, { lines: [...otherLines] }), ({ line }) => line);
  // Whom the others are for stays as it was found.
  const others = (await readLines(tx, values, [...otherLines])).map((row): Meant => ({
    line: row.line,
    read: readRow(row.cells, { ...values.choices, country }),
    meant: { people: (claims.get(row.line) ?? []).map(({ userId }) => userId) },
  }));
  const all = [...own, ...others].toSorted((a, b) => a.line - b.line);
  const around = await claimsOf(tx, values, { people: [...new Set(all.flatMap(peopleOf))] });
  await forgetRows(tx, values, [...changed, ...otherLines]);
  await keepRows(tx, values, checked(all, firstRows(all, around, new Set([...changed, ...otherLines]))));
}

function firstRows(
  rows: readonly Meant[],
  claims: readonly { line: number; userId: number }[],
  replaced: ReadonlySet<number>,
): FirstRows {
  const first: FirstRows = new Map();
  const others = claims.filter(({ line }) => !replaced.has(line));
  for (const { line, userId } of others) first.set(userId, Math.min(line, first.get(userId) ?? line));
  for (const row of rows)
    for (const id of peopleOf(row)) first.set(id, Math.min(row.line, first.get(id) ?? row.line));
  return first;
}

async function readLines(tx: Db, values: StagedValues, lines: readonly number[]): Promise<Line[]> {
  if (lines.length === 0) return [];
  const { rows } = await sql<Line>`
    SELECT line, cells FROM import_rows r WHERE ${rowsOf(values)} AND r.line = ANY(${[...lines]}::int[])
    ORDER BY line`.execute(tx);
  return rows;
}

const peopleOf = ({ meant }: Meant): readonly number[] => (meant && "people" in meant ? meant.people : []);

/** Rows in their order: who has none yet has this one. */
function claim(first: FirstRows, rows: readonly Meant[]): void {
  for (const row of rows) for (const id of peopleOf(row)) if (!first.has(id)) first.set(id, row.line);
}

async function findMeant(
  tx: Db,
  { choices }: StagedValues,
  rows: readonly Line[],
  country: string,
): Promise<Meant[]> {
  const read = rows.map(({ cells }) => readRow(cells, { ...choices, country }));
  const found = await findPeople(
    tx,
    read.map(({ keys }) => keys),
  );
  const chosen = await readChosen(tx, rows, choices.decisions);
  return rows.map(({ line }, place): Meant => {
    const own = read[place]!;
    if (choices.decisions[String(line)] === "out") return { line, read: own, meant: null };
    const person = chosen.get(line);
    return {
      line,
      read: own,
      meant: person === undefined ? whom(own.keys, found) : { people: [person] },
    };
  });
}

/** Whom someone chose for a row, by its line, as long as they are there. */
async function readChosen(
  tx: Db,
  rows: readonly Line[],
  decisions: Readonly<Record<string, string>>,
): Promise<Map<number, number>> {
  const chosen = rows.flatMap(({ line }): [number, number][] => {
    const decision = decisions[String(line)];
    return decision === undefined || decision === "out" ? [] : [[line, Number(decision)]];
  });
  if (chosen.length === 0) return new Map();
  const { rows: there } = await sql<{ id: number }>`
    SELECT id FROM users WHERE id = ANY(${chosen.map(([, id]) => id)}::bigint[]) AND deleted_at IS NULL`.execute(
    tx,
  );
  const ids = new Set(there.map(({ id }) => id));
  return new Map(chosen.filter(([, id]) => ids.has(id)));
}

/** What is to be kept of each row, one for a person who has an earlier row waits for a decision. */
function checked(rows: readonly Meant[], first: FirstRows): Checked[] {
  return rows.map((row): Checked => {
    const { line, read, meant } = row;
    const { values, troubles } = read;
    if (!meant) return { line, people: [], values, troubles: [], isOut: true };
    if ("trouble" in meant)
      return { line, people: [], values, troubles: [meant.trouble, ...troubles], isOut: false };
    const { people } = meant;
    const twice = people.find((id) => (first.get(id) ?? line) < line);
    const earlier =
      twice === undefined
        ? []
        : [{ kind: "twice" as const, column: null, earlier: first.get(twice)!, candidates: [twice] }];
    return { line, people, values, troubles: [...earlier, ...troubles], isOut: false };
  });
}
