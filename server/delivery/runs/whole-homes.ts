import { type RawBuilder, sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { heads, joinHome } from "#server/audience/per-home.ts";

type Housed = { id: number; home: number | null; leases: boolean };

/** How long the statement has taken the database by then. */
export const elapsedMs = sql<number>`(extract(epoch FROM clock_timestamp() - statement_timestamp()) * 1000)::float8`;

/** The people of a chunk and of their homes: those who have no deliveries yet, and those who do. */
export type WholeHomes = { fresh: Housed[]; placed: Housed[]; ms: number };

/**
 * A home is placed as a whole with the first of its people, so that who gets the message depends on no chunk. `next`:
 * the people of a chunk. Who lives where is asked at this moment.
 */
export async function wholeHomes(
  tx: Db,
  runId: number,
  next: readonly number[],
  among: RawBuilder<boolean>,
): Promise<WholeHomes> {
  const { rows } = await sql<Housed & { placed: boolean; ms: number }>`
    WITH asked AS MATERIALIZED (
      SELECT u.id, m.home, m.leases FROM users u ${joinHome} WHERE u.id = ANY(${next}::bigint[])
    ), everyone AS (
      SELECT id, home, leases FROM asked
      UNION
      SELECT u.id, m.home, m.leases
      FROM (SELECT DISTINCT home FROM asked WHERE home IS NOT NULL) own
      JOIN residencies r ON r.unit_id = own.home JOIN users u ON u.id = r.person_id
      ${joinHome} WHERE m.home = own.home AND ${among}
    )
    SELECT id, home, coalesce(leases, false) AS leases, EXISTS (
      SELECT FROM deliveries d WHERE ${inMonthsOf(sql`d.run_id`, [runId])} AND d.run_id = ${runId} AND d.user_id = e.id OFFSET 0
    ) AS placed, ${elapsedMs} AS ms
    FROM everyone e ORDER BY id`.execute(tx);
  const those = (is: boolean) => rows.filter(({ placed }) => placed === is);
  return { fresh: those(false), placed: those(true), ms: rows.at(-1)?.ms ?? 0 };
}

/**
 * The lines of these people. One that is reached through someone else of the home has the address that the message goes
 * to, so that from here on it shares that address. Who has it by an earlier chunk keeps it.
 */
export function linesOfHomes(
  { fresh, placed }: WholeHomes,
  persons: readonly number[],
  of: { columns: RawBuilder<unknown>; found: RawBuilder<unknown>; ofRun: RawBuilder<unknown> },
): RawBuilder<unknown> {
  const earlier = sql`
      UNION ALL
      SELECT d.user_id, d.channel, d.address, NULL, NULL, d.person_name, NULL, d.field_values, NULL, m.home, m.leases,
        CASE d.status WHEN 'skipped' THEN 1 ELSE 0 END
      FROM ${housed(placed)} CROSS JOIN LATERAL (
        SELECT * FROM deliveries d WHERE ${of.ofRun} AND d.user_id = m.id
          AND (d.status <> 'skipped' OR d.shared_with IS NOT NULL) OFFSET 0) d`;
  return sql`
      SELECT user_id, channel, CASE WHEN head <> user_id THEN head_address ELSE address END AS address,
        CASE WHEN head IS NULL THEN reason END AS reason, CASE WHEN head IS NULL THEN detail END AS detail,
        name, property_unit, field_values, CASE WHEN head = user_id THEN account_id END AS account_id, head, head_name
      FROM (SELECT t.*, ${heads(sql`earlier`)} FROM (
        SELECT ${of.columns}, m.home, m.leases, 2 AS earlier
        FROM ${of.found} JOIN ${housed(fresh)} ON m.id = u.id WHERE u.id = ANY(${persons}::bigint[])
        ${placed.length === 0 ? sql`` : earlier}
      ) t) l`;
}

/**
 * Of a line `l` without a message of its own: why, and through whom. Someone of the home is named even if that one shares
 * an address with the person of the message `h`.
 */
export const throughHome = sql`CASE WHEN l.head <> l.user_id THEN 'same-home' ELSE 'same-address' END,
        CASE WHEN l.head <> l.user_id THEN l.head_name ELSE h.person_name END`;

const housed = (people: readonly Housed[]) => sql`unnest(${people.map(({ id }) => id)}::bigint[],
  ${people.map(({ home }) => home)}::bigint[], ${people.map(({ leases }) => leases)}::boolean[]) m (id, home, leases)`;
