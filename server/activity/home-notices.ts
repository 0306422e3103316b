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
import { readDeliveries } from "./deliveries.ts";

/** What went to a home: the messages to whoever lived there when they were sent, as far as is known today. */

/** Everyone who lived in the home, or will. */
const residents = (unitId: number): RawBuilder<unknown> =>
  sql`residencies r WHERE r.unit_id = ${unitId} AND r.role = ANY(${[...livingRoles]}::text[])`;

/** One run, and what it sent or meant to send to those people. */
export type FoundNotice = { runId: number; deliveries: number[] };

/**
 * The notices that went to a home, newest first; only those of `span`, if it is given. A few lookups for each message to
 * each person who ever lived there, so all of them are found at once.
 */
export async function noticesToHome(
  db: Db,
  unitId: number,
  span: { from: Date; to: Date } | null,
): Promise<FoundNotice[]> {
  const { rows } = await sql<FoundNotice>`
    WITH living AS MATERIALIZED (
      SELECT r.person_id, range_agg(coalesce(r.during, '(,)')) AS times FROM ${residents(unitId)} GROUP BY 1
    )
    SELECT d.run_id AS "runId", array_agg(d.id ORDER BY d.id) AS deliveries
    FROM living l JOIN run_people p ON p.user_id = l.person_id
    -- OFFSET 0: each by index, also in a month that has not been analyzed.
    CROSS JOIN LATERAL (SELECT * FROM deliveries WHERE run_id = p.run_id AND user_id = p.user_id OFFSET 0) d
    JOIN runs n ON n.id = d.run_id JOIN notifications m ON m.id = n.notification_id AND m.kind = 'message'
    -- A person's chunk of the run decides, as it does when it is sent.
    WHERE l.times @> d.created_at
      ${span ? sql`AND d.created_at >= ${span.from} AND d.created_at < ${span.to}` : sql``}
    GROUP BY d.run_id ORDER BY min(d.created_at) DESC, d.run_id DESC`.execute(db);
  return rows;
}

type Told = {
  id: number;
  notificationId: number;
  title: string;
  values: FieldValues;
  at: Date;
  outcome: PersonOutcome;
};

/** These notices with who got them, in their order. */
export async function readHomeNotices(db: Db, found: readonly FoundNotice[]): Promise<HomeNotice[]> {
  const ids = found.flatMap(({ deliveries }) => deliveries);
  const ofMonths = (key: RawBuilder<unknown>) => inMonthsOf(key, ids);
  const [deliveries, told] = await Promise.all([
    readDeliveries(db, ids),
    sql<Told>`
      SELECT d.id, r.notification_id AS "notificationId", v.title, v.field_values || d.field_values AS values,
        d.created_at AS at, ${outcomeOf(sql`p.tally`)} AS outcome
      FROM deliveries d JOIN runs r ON r.id = d.run_id JOIN content_versions v ON v.id = r.content_version_id
      JOIN run_people p ON p.run_id = d.run_id AND p.user_id = d.user_id AND ${ofMonths(sql`p.run_id`)}
      WHERE ${ofMonths(sql`d.run_id`)} AND d.id = ANY(${ids}::bigint[])`.execute(db),
  ]);
  const deliveryOf = new Map(deliveries.map((one) => [one.id, one]));
  const toldOf = new Map(told.rows.map((one) => [one.id, one]));
  return found.flatMap(({ deliveries: own }) => {
    const first = toldOf.get(own[0] ?? 0);
    if (!first) return [];
    const people = Map.groupBy(
      own.flatMap((id) => deliveryOf.get(id) ?? []),
      ({ userId }) => userId,
    );
    return {
      notificationId: first.notificationId,
      title: titleFor(first.title, first.values),
      at: first.at.toISOString(),
      people: [...people.values()].map((one) => ({
        id: one[0]!.userId,
        name: one[0]!.name,
        outcome: toldOf.get(one[0]!.id)!.outcome,
        deliveries: one,
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
