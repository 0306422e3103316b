import { sql } from "kysely";
import type { RowTrouble } from "#contract/calls/values.ts";
import { nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import type { StagedValues } from "#server/features/values/staged-values.ts";
import type { FoundTrouble } from "#server/features/values/whom.ts";

/** What is kept of a row: the values of its people, or what keeps it from being sent. */

export type Checked = {
  line: number;
  people: readonly number[];
  values: Record<string, string>;
  troubles: FoundTrouble[];
  isOut: boolean;
};

/** Forgets what was found for these rows; null: for all. */
export async function forgetRows(
  tx: Db,
  { id, choices: { sheet } }: StagedValues,
  lines: readonly number[] | null,
): Promise<void> {
  const among = lines && [...lines];
  await sql`
    DELETE FROM person_values
    WHERE values_id = ${id} AND ${among ? sql`line = ANY(${among}::int[])` : sql`true`}`.execute(tx);
  await sql`
    UPDATE import_rows SET troubles = NULL, people = NULL
    WHERE import_id = ${id} AND troubles IS NOT NULL
      AND ${among ? sql`sheet = ${sheet} AND line = ANY(${among}::int[])` : sql`true`}`.execute(tx);
}

/** Whom rows are for, by their lines or by the people. */
export async function claimsOf(
  tx: Db,
  { id, choices: { sheet } }: StagedValues,
  of: { lines: readonly number[] } | { people: readonly number[] },
): Promise<{ line: number; userId: number }[]> {
  const [ready, waiting] =
    "lines" in of
      ? [sql`v.line = ANY(${[...of.lines]}::int[])`, sql`r.line = ANY(${[...of.lines]}::int[])`]
      : [sql`v.user_id = ANY(${[...of.people]}::bigint[])`, sql`r.people && ${[...of.people]}::bigint[]`];
  const { rows } = await sql<{ line: number; userId: number }>`
    SELECT v.line, v.user_id AS "userId" FROM person_values v WHERE v.values_id = ${id} AND ${ready}
    UNION ALL
    SELECT r.line, one FROM import_rows r CROSS JOIN unnest(r.people) one
    WHERE r.import_id = ${id} AND r.sheet = ${sheet} AND r.troubles IS NOT NULL AND ${waiting}`.execute(tx);
  return rows;
}

/** A row in trouble is for no one until it is settled. */
export async function keepRows(
  tx: Db,
  { id, choices: { sheet } }: StagedValues,
  rows: readonly Checked[],
): Promise<void> {
  const named = await nameCandidates(tx, rows);
  const waiting = rows.filter(({ troubles, isOut }) => isOut || troubles.length > 0);
  await sql`
    UPDATE import_rows r SET troubles = t.troubles, people = t.people::bigint[]
    FROM unnest(${waiting.map(({ line }) => line)}::int[], ${waiting.map((row) => JSON.stringify(named(row)))}::jsonb[],
      ${waiting.map(({ people }) => `{${people.join(",")}}`)}::text[]) AS t (line, troubles, people)
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
      ...(candidates && { candidates: candidates.flatMap((id) => byId.get(id) ?? []) }),
    }));
}
