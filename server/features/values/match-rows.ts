import { sql } from "kysely";
import type { RowTrouble } from "#contract/calls/values.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { filledBy, problemOf } from "#server/features/values/columns.ts";
import { findPeople } from "#server/features/values/find-people.ts";
import { type ReadRow, readRow } from "#server/features/values/read-row.ts";
import { rowsOf, type StagedValues } from "#server/features/values/staged-values.ts";
import { type FoundTrouble, whom } from "#server/features/values/whom.ts";

const AT_ONCE = 5000;
const MOST_CANDIDATES = 10;

type Line = { line: number; cells: string[] };
type Checked = {
  line: number;
  people: readonly number[];
  troubles: FoundTrouble[];
  values: Record<string, string>;
};

/** Finds for each row whom it is for, checks its values, and keeps both, instead of what was found before. */
export async function matchRows(tx: Db, values: StagedValues, country: string): Promise<void> {
  const { id, choices } = values;
  await sql`DELETE FROM person_values WHERE values_id = ${id}`.execute(tx);
  await sql`
    UPDATE import_rows r SET troubles = NULL
    WHERE import_id = ${id} AND sheet = ${choices.sheet} AND troubles IS NOT NULL`.execute(tx);
  const fills = filledBy(choices.columns);
  await tx
    .updateTable("imports")
    .set({ choices: JSON.stringify({ ...choices, fills }) })
    .where("id", "=", id)
    .execute();
  if (problemOf(choices.columns) !== null) return;
  const byPerson = new Map<number, number>();
  const chosen = await readChosen(tx, choices.decisions);
  for (let after = 0; ;) {
    const { rows } = await sql<Line>`
      SELECT line, cells FROM import_rows r WHERE ${rowsOf(values)} AND r.line > ${after}
      ORDER BY line LIMIT ${AT_ONCE}`.execute(tx);
    if (rows.length > 0)
      await keep(tx, id, choices.sheet, await check(tx, values, rows, { country, byPerson, chosen }));
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.line;
  }
}

/** Whom someone chose for a row, by its line, as long as they are there. */
async function readChosen(tx: Db, decisions: Readonly<Record<string, string>>): Promise<Map<number, number>> {
  const decided = Object.entries(decisions).filter(([, decision]) => decision !== "out");
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM users WHERE id = ANY(${decided.map(([, id]) => id)}::bigint[]) AND deleted_at IS NULL`.execute(
    tx,
  );
  const there = new Set(rows.map(({ id }) => id));
  const chosen = decided.map(([line, id]) => [Number(line), Number(id)] as const);
  return new Map(chosen.filter(([, id]) => there.has(id)));
}

type Matching = {
  country: string;
  /** The row that each person has already. */
  byPerson: Map<number, number>;
  chosen: ReadonlyMap<number, number>;
};

async function check(
  tx: Db,
  { choices }: StagedValues,
  rows: readonly Line[],
  { country, byPerson, chosen }: Matching,
): Promise<Checked[]> {
  const isOut = ({ line }: Line) => choices.decisions[String(line)] === "out";
  const read = rows.map((row): ReadRow => readRow(row.cells, { ...choices, country }));
  const found = await findPeople(
    tx,
    read.map(({ keys }) => keys),
  );
  return rows.map((row, place): Checked => {
    const { keys, values, troubles } = read[place]!;
    const { line } = row;
    if (isOut(row)) return { line, people: [], troubles: [], values };
    const meant = whom(keys, found, chosen.get(line));
    if ("trouble" in meant) return { line, people: [], troubles: [meant.trouble, ...troubles], values };
    const twice = meant.people.find((id) => byPerson.has(id));
    if (twice !== undefined) {
      const earlier = byPerson.get(twice)!;
      const trouble = { kind: "twice", column: null, earlier, candidates: [twice] } as const;
      return { line, people: [], troubles: [trouble, ...troubles], values };
    }
    for (const id of meant.people) byPerson.set(id, line);
    return { line, people: meant.people, troubles, values };
  });
}

/** A row in trouble is for no one until it is settled. */
async function keep(tx: Db, id: number, sheet: number, rows: readonly Checked[]): Promise<void> {
  const named = await nameCandidates(tx, rows);
  const troubled = rows.filter(({ people, troubles }) => people.length === 0 || troubles.length > 0);
  await sql`
    UPDATE import_rows r SET troubles = t.troubles
    FROM unnest(${troubled.map(({ line }) => line)}::int[], ${troubled.map((row) => JSON.stringify(named(row)))}::jsonb[])
      AS t (line, troubles)
    WHERE r.import_id = ${id} AND r.sheet = ${sheet} AND r.line = t.line`.execute(tx);
  const ready = rows
    .filter(({ troubles }) => troubles.length === 0)
    .flatMap(({ line, people, values }) => people.map((userId) => ({ line, userId, values })));
  await sql`
    INSERT INTO person_values (values_id, user_id, line, field_values)
    SELECT ${id}, u.id, t.line, t.own
    FROM unnest(${ready.map(({ userId }) => userId)}::bigint[], ${ready.map(({ line }) => line)}::int[],
      ${ready.map(({ values }) => JSON.stringify(values))}::jsonb[]) AS t (user_id, line, own)
    JOIN users u ON u.id = t.user_id AND u.deleted_at IS NULL`.execute(tx);
}

/** The troubles of a row with its candidates' names. */
async function nameCandidates(tx: Db, rows: readonly Checked[]): Promise<(row: Checked) => RowTrouble[]> {
  const all = rows.flatMap(({ troubles }) => troubles.flatMap(({ candidates = [] }) => candidates));
  const ids = [...new Set(all)];
  const { rows: people } =
    ids.length === 0
      ? { rows: [] }
      : await sql<{ id: number; name: string; propertyUnit: string | null }>`
          SELECT u.id, ${nameOf("u")} AS name, u.property_unit AS "propertyUnit" FROM users u
          WHERE u.id = ANY(${ids}::bigint[])`.execute(tx);
  const byId = new Map(people.map((one) => [one.id, one]));
  return ({ troubles }) =>
    troubles.map(({ candidates, ...trouble }) => ({
      ...trouble,
      ...(candidates && {
        candidates: candidates.slice(0, MOST_CANDIDATES).flatMap((id) => byId.get(id) ?? []),
      }),
    }));
}
