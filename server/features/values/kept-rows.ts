import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import type { StoredTrouble } from "#server/db/schema.ts";
import type { StagedValues } from "#server/features/values/staged-values.ts";

/** What is kept of a row: the values of its people, or what keeps it from being sent. */

export type Checked = {
  line: number;
  people: readonly number[];
  values: Record<string, string>;
  troubles: StoredTrouble[];
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
  const waiting = rows.filter(({ troubles, isOut }) => isOut || troubles.length > 0);
  await sql`
    UPDATE import_rows r SET troubles = t.troubles, people = t.people::bigint[]
    FROM unnest(${waiting.map(({ line }) => line)}::int[], ${waiting.map(({ troubles }) => JSON.stringify(troubles))}::jsonb[],
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
