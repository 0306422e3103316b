import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { DeliveryStatus, Reason } from "#contract/delivery.ts";
import {
  deliveryStatuses,
  deliveryStatusMeaning,
  reasonMeaning,
  reasonSentence,
} from "#contract/delivery.ts";
import type { Delivery } from "#contract/deliveries.ts";
import type { Db } from "#server/db/database.ts";
import { containing } from "#server/db/like.ts";
import type { FieldValues } from "./content/compiled.ts";
import { titleFor } from "./content/title.ts";

export type DeliveriesQuestion = {
  /** Part of a name, an address or a unit. */
  q?: string | undefined;
  show: "all" | "unreached" | "waiting" | "reached";
  page: number;
  pageSize: number;
};

const { unreached, waiting, reached, ...rest } = Object.groupBy(
  deliveryStatuses,
  (status) => deliveryStatusMeaning[status].group,
);

/**
 * The list's order: who got nothing, what may still change, what did not arrive at people who are reached otherwise,
 * what arrived, and what was stopped. `missed` parts the first from the third.
 */
const groupsInOrder: { show: DeliveriesQuestion["show"]; statuses?: DeliveryStatus[]; missed?: boolean }[] = [
  { show: "unreached", statuses: unreached, missed: true },
  { show: "waiting", statuses: waiting },
  { show: "all", statuses: unreached, missed: false },
  { show: "reached", statuses: reached },
  { show: "all", statuses: rest["left-out"] },
];

type Row = Omit<Delivery, "sentence" | "next" | "sentAt" | "deliveredAt" | "lastTryAt" | "nextTryAt"> & {
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  sentAt: Date | null;
  deliveredAt: Date | null;
  lastTryAt: Date | null;
  nextTryAt: Date | null;
};

/**
 * One page of a run's deliveries: status by status in a fixed order, of each no more than the pages up to this one
 * can show, so that the first pages cost nearly nothing however many people there are.
 */
export async function deliveriesOf(
  db: Db,
  runId: number,
  { q, show, page, pageSize }: DeliveriesQuestion,
): Promise<{ total: number; rows: Delivery[] }> {
  const shown = groupsInOrder.flatMap(({ statuses = [], missed, ...group }) =>
    show === "all" || group.show === show
      ? statuses.map((status) => ({ status, missed: missed ?? null }))
      : [],
  );
  const pattern = q ? containing(q) : undefined;
  const matching = pattern
    ? sql`(lower(d.person_name) LIKE ${pattern} OR lower(d.address) LIKE ${pattern} OR lower(d.person_unit) LIKE ${pattern})`
    : sql`true`;
  const asked = sql`ROWS FROM (unnest(${shown.map(({ status }) => status)}::text[]),
    unnest(${shown.map(({ missed }) => missed)}::boolean[])) WITH ORDINALITY s (status, missed, place)`;
  const fits = sql`d.run_id = ${runId} AND d.status = s.status AND ${matching}
    AND (s.missed IS NULL OR s.missed = (d.user_id IN (SELECT user_id FROM missed)))`;
  const total = pattern
    ? sql`${withMissed(runId)} SELECT count(*) AS total
        FROM ${asked} CROSS JOIN LATERAL (SELECT FROM deliveries d WHERE ${fits}) d`
    : totalOf(runId, show);
  const [counted, found] = await Promise.all([
    sql<{ total: number }>`${total}`.execute(db),
    sql<Row>`${withMissed(runId)}
      SELECT ${deliveryColumns} FROM (
        SELECT d.*, s.place FROM ${asked}
        CROSS JOIN LATERAL (
          SELECT * FROM deliveries d WHERE ${fits} ORDER BY d.id LIMIT ${page * pageSize}
        ) d
        ORDER BY s.place, d.id LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
      ) d LEFT JOIN providers p ON p.id = d.provider_id
      ORDER BY d.place, d.id`.execute(db),
  ]);
  return { total: counted.rows[0]?.total ?? 0, rows: found.rows.map(present) };
}

const channelsOf = (runId: number) => sql`(SELECT cardinality(channels) FROM runs WHERE id = ${runId})`;

/** How many there are without a search: the counters know, but for the persons whom no message reached. */
function totalOf(runId: number, show: DeliveriesQuestion["show"]): RawBuilder<unknown> {
  if (show === "unreached") {
    return sql`${withMissed(runId)} SELECT count(*) * ${channelsOf(runId)} AS total FROM missed`;
  }
  const statuses = show === "all" ? deliveryStatuses : { waiting, reached }[show];
  return sql`SELECT coalesce(sum(count), 0)::int AS total FROM run_counts
    WHERE run_id = ${runId} AND status = ANY(${statuses}::text[])`;
}

/** Persons whom no message of the run reached or may still reach. Whoever shares an address was reached there. */
function withMissed(runId: number): RawBuilder<unknown> {
  return sql`WITH missed AS MATERIALIZED (
    SELECT user_id FROM deliveries
    WHERE run_id = ${runId} AND status = ANY(${unreached}::text[]) AND reason IS DISTINCT FROM 'same-address'
    GROUP BY user_id HAVING count(*) = ${channelsOf(runId)}
  )`;
}

export type DeliveryToPerson = Delivery & { notificationId: number; title: string; at: string };

/** One page of everything that was sent to a person, the newest first. */
export async function deliveriesTo(
  db: Db,
  userId: number,
  { page, pageSize }: { page: number; pageSize: number },
): Promise<{ total: number; rows: DeliveryToPerson[] }> {
  const [counted, found] = await Promise.all([
    sql<{ total: number }>`SELECT count(*) AS total FROM deliveries d WHERE d.user_id = ${userId}`.execute(
      db,
    ),
    sql<Row & { notificationId: number; title: string; values: FieldValues; at: Date }>`
      SELECT ${deliveryColumns}, r.notification_id AS "notificationId", v.title,
        v.field_values || d.field_values AS values, d.created_at AS at
      FROM (
        SELECT * FROM deliveries WHERE user_id = ${userId} ORDER BY id DESC
        LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}
      ) d
      JOIN runs r ON r.id = d.run_id
      JOIN content_versions v ON v.id = r.content_version_id
      LEFT JOIN providers p ON p.id = d.provider_id
      ORDER BY d.id DESC`.execute(db),
  ]);
  return {
    total: counted.rows[0]?.total ?? 0,
    rows: found.rows.map(({ notificationId, title, values, at, ...row }) => ({
      ...present(row),
      notificationId,
      title: titleFor(title, values),
      at: at.toISOString(),
    })),
  };
}

/** What else the same run sent, or did not, to the person of this delivery. */
export async function otherChannelsOf(db: Db, { id, userId }: Delivery): Promise<Delivery[]> {
  const { rows } = await sql<Row>`
    SELECT ${deliveryColumns} FROM deliveries d LEFT JOIN providers p ON p.id = d.provider_id
    WHERE d.run_id = (SELECT run_id FROM deliveries WHERE id = ${id}) AND d.user_id = ${userId} AND d.id <> ${id}
    ORDER BY d.id`.execute(db);
  return rows.map(present);
}

/** Null when there is no such delivery. */
export async function readDelivery(db: Db, id: number): Promise<Delivery | null> {
  const { rows } = await sql<Row>`
    SELECT ${deliveryColumns} FROM deliveries d LEFT JOIN providers p ON p.id = d.provider_id
    WHERE d.id = ${id}`.execute(db);
  return rows[0] ? present(rows[0]) : null;
}

const deliveryColumns: RawBuilder<unknown> = sql`
  d.id, d.user_id AS "userId", d.person_name AS name, d.person_unit AS "propertyUnit", d.channel, d.address,
  d.status, d.reason, d.detail, coalesce(p.kind = 'sandbox', false) AS simulated, d.attempts,
  d.accepted_at AS "sentAt", d.delivered_at AS "deliveredAt",
  (SELECT max(a.ended_at) FROM attempts a WHERE a.delivery_id = d.id) AS "lastTryAt",
  CASE WHEN d.status IN ('queued', 'uncertain') AND d.due_at > now() THEN d.due_at END AS "nextTryAt"`;

function present({ detail, sentAt, deliveredAt, lastTryAt, nextTryAt, ...row }: Row): Delivery {
  return {
    ...row,
    sentence:
      row.reason === null ? deliveryStatusMeaning[row.status].sentence : reasonSentence(row.reason, detail),
    next: row.reason === null ? "" : reasonMeaning[row.reason].next,
    sentAt: sentAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    lastTryAt: lastTryAt?.toISOString() ?? null,
    nextTryAt: nextTryAt?.toISOString() ?? null,
  };
}
