import { type RawBuilder, sql } from "kysely";
import type { HomeNotice } from "#contract/calls/places.ts";
import type { PersonOutcome } from "#contract/delivery.ts";
import { livingRoles } from "#contract/homes.ts";
import { archivedThrough, monthName } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { FieldValues } from "#server/delivery/content/compiled.ts";
import { titleFor } from "#server/delivery/content/title.ts";
import { outcomeOf } from "#server/delivery/runs/run-totals.ts";
import { deliveriesOfRuns, keyOf } from "./deliveries.ts";

/** What went to a home: the messages to whoever lived there when they were sent, as far as is known today. */

/** Everyone who lived in the home, or will. */
const residents = (unitId: number): RawBuilder<unknown> =>
  sql`residencies r WHERE r.unit_id = ${unitId} AND r.role = ANY(${[...livingRoles]}::text[])`;

/** One run, and those who lived there when it came to them. */
export type FoundNotice = { runId: number; people: number[] };

/**
 * The notices that went to a home, newest first; only those of `span`, if it is given. What counts is the moment of a
 * person's chunk, but messages are looked up only where someone moved, or the span began or ended, while the run was under way.
 */
export async function noticesToHome(
  db: Db,
  unitId: number,
  span: { from: Date; to: Date } | null,
): Promise<FoundNotice[]> {
  const asked = span
    ? sql`tstzmultirange(tstzrange(${span.from}, ${span.to}))`
    : sql`tstzmultirange('(,)'::tstzrange)`;
  const { rows } = await sql<FoundNotice>`
    WITH living AS MATERIALIZED (
      SELECT r.person_id, range_agg(coalesce(r.during, '(,)')) * ${asked} AS times
      FROM ${residents(unitId)} GROUP BY r.person_id
    )
    SELECT p.run_id AS "runId", array_agg(p.user_id ORDER BY p.user_id) AS people
    FROM living l JOIN run_people p ON p.user_id = l.person_id
    JOIN runs n ON n.id = p.run_id JOIN notifications m ON m.id = n.notification_id AND m.kind = 'message'
    CROSS JOIN LATERAL (
      SELECT tstzrange(n.created_at, greatest(n.created_at, coalesce(n.finished_at, now())), '[]') AS whole) run
    WHERE l.times && run.whole AND (l.times @> run.whole OR EXISTS (
      SELECT FROM deliveries d WHERE d.run_id = p.run_id AND d.user_id = p.user_id AND l.times @> d.created_at))
    GROUP BY p.run_id ORDER BY min(n.created_at) DESC, p.run_id DESC`.execute(db);
  return rows;
}

type Told = {
  runId: number;
  userId: number;
  notificationId: number;
  title: string;
  values: FieldValues;
  at: Date;
  outcome: PersonOutcome;
};

/** These notices with who got them, in their order. */
export async function readHomeNotices(db: Db, found: readonly FoundNotice[]): Promise<HomeNotice[]> {
  const runs = found.map(({ runId }) => runId);
  const pairs = found.flatMap(({ runId, people }) => people.map((userId) => ({ runId, userId })));
  const [deliveries, told] = await Promise.all([
    deliveriesOfRuns(db, pairs),
    sql<Told>`
      SELECT p.run_id AS "runId", p.user_id AS "userId", r.notification_id AS "notificationId", v.title,
        v.field_values || d.values AS values, d.at, ${outcomeOf(sql`p.tally`)} AS outcome
      FROM unnest(${pairs.map(({ runId }) => runId)}::bigint[], ${pairs.map(({ userId }) => userId)}::bigint[])
        pair (run_id, user_id)
      JOIN run_people p ON p.run_id = pair.run_id AND p.user_id = pair.user_id AND ${inMonthsOf(sql`p.run_id`, runs)}
      JOIN runs r ON r.id = p.run_id JOIN content_versions v ON v.id = r.content_version_id
      CROSS JOIN LATERAL (SELECT o.field_values AS values, o.created_at AS at FROM deliveries o
        WHERE o.run_id = p.run_id AND o.user_id = p.user_id LIMIT 1) d`.execute(db),
  ]);
  const toldOf = new Map(told.rows.map((row) => [keyOf(row), row]));
  return found.flatMap(({ runId, people }) => {
    const persons = people.flatMap((userId) => {
      const key = keyOf({ runId, userId });
      const [row, own] = [toldOf.get(key), deliveries.get(key)];
      return row && own ? { row, own } : [];
    });
    const first = persons[0]?.row;
    if (!first) return [];
    return {
      notificationId: first.notificationId,
      title: titleFor(first.title, first.values),
      at: first.at.toISOString(),
      people: persons.map(({ row, own }) => ({
        id: row.userId,
        name: own[0]!.name,
        outcome: row.outcome,
        deliveries: own,
      })),
    };
  });
}

/** The newest archived month in which messages may have gone to the home; null: none is archived. */
export async function homeArchivedThrough(db: Db, unitId: number): Promise<string | null> {
  const { rows } = await sql<{ month: number | null }>`
    SELECT max(${archivedThrough}) AS month FROM users u WHERE u.id IN (SELECT r.person_id FROM ${residents(unitId)})`.execute(
    db,
  );
  const month = rows[0]?.month ?? null;
  return month === null ? null : monthName(month);
}
