import { isolated } from "#contract/text/isolate.ts";
import { sql, type RawBuilder } from "kysely";
import {
  channels as allChannels,
  type Channel,
  deliveryStatusMeaning,
  noAccount,
  type DeliveryStatus,
} from "#contract/delivery.ts";
import { addressText, reasonNext, reasonSentence, type Reason } from "#contract/delivery-reasons.ts";
import type { Delivery } from "#contract/calls/deliveries.ts";
import { type AccountReason, storedAccountReason } from "#contract/refusals/account-reasons.ts";
import { listText } from "#contract/text/locale.ts";
import { address } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { FieldValues } from "#server/delivery/content/compiled.ts";
import { titleFor } from "#server/delivery/content/title.ts";
import { listPeople, type DeliveriesQuestion } from "./list-deliveries.ts";
import { effectiveStatus, sharedText } from "./shared-address.ts";

type Row = Omit<Delivery, "sentence" | "next" | "sentAt" | "deliveredAt" | "lastTryAt" | "nextTryAt"> & {
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  /** The accounts it waits for, if none of them accepts messages. */
  heldBy: readonly { name: string; because: AccountReason | null; reason: string | null }[] | null;
  effectiveStatus: DeliveryStatus;
  sentAt: Date | null;
  deliveredAt: Date | null;
  lastTryAt: Date | null;
  nextTryAt: Date | null;
};

/** Of `accounts a`: messages like `deliveries d` go out through it. */
const couldSend = sql`a.channel = d.channel AND a.enabled AND NOT a.simulated`;

/** The deliveries of one page of a run's people, each person's together. `total` counts people. */
export async function deliveriesOf(
  db: Db,
  runId: number,
  question: DeliveriesQuestion,
): Promise<{ total: number; about?: boolean; rows: Delivery[] }> {
  const { people, channels, ...counted } = await listPeople(db, runId, question);
  const { rows } = await sql<Row>`
    SELECT ${deliveryColumns([runId])} FROM unnest(${people}::bigint[]) WITH ORDINALITY p (user_id, place)
    -- OFFSET 0: person by person, whatever the planner assumes about the run's size.
    CROSS JOIN LATERAL (SELECT * FROM deliveries
      WHERE run_id = ${runId} AND user_id = p.user_id AND channel = ANY(${channels}::text[]) OFFSET 0) d
    ORDER BY p.place, array_position(${channels}::text[], d.channel)`.execute(db);
  return { ...counted, rows: rows.map(present) };
}

/**
 * `deliveries d` of a person, from all runs. OFFSET 0 makes PostgreSQL look each run's up by index: it would otherwise read
 * all of a month that has not been analyzed, as after a restore.
 */
export function deliveriesOfPerson(userId: number): RawBuilder<unknown> {
  return sql`(SELECT run_id FROM run_people WHERE user_id = ${userId}) p CROSS JOIN LATERAL (
    SELECT * FROM deliveries WHERE run_id = p.run_id AND user_id = ${userId} OFFSET 0) d`;
}

type DeliveryToPerson = Delivery & { notificationId: number; title: string; at: string };

/** One page of everything that was sent to a person, newest first. */
export async function deliveriesTo(
  db: Db,
  userId: number,
  { page: pageNumber, pageSize }: { page: number; pageSize: number },
): Promise<{ total: number; rows: DeliveryToPerson[] }> {
  const [counted, page] = await Promise.all([
    sql<{ total: number }>`SELECT count(*) AS total FROM ${deliveriesOfPerson(userId)}`.execute(db),
    sql<{ id: number }>`SELECT d.id FROM ${deliveriesOfPerson(userId)} ORDER BY d.id DESC
      LIMIT ${pageSize} OFFSET ${(pageNumber - 1) * pageSize}`.execute(db),
  ]);
  const ids = page.rows.map(({ id }) => id);
  const found = await sql<Row & { notificationId: number; title: string; values: FieldValues; at: Date }>`
    SELECT ${deliveryColumns(ids)}, r.notification_id AS "notificationId", v.title,
      v.field_values || d.field_values AS values, d.created_at AS at
    FROM deliveries d
    JOIN runs r ON r.id = d.run_id
    JOIN content_versions v ON v.id = r.content_version_id
    WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = ANY(${ids}::bigint[])
    ORDER BY d.id DESC`.execute(db);
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

/** The other messages of the same run to the person of this delivery, sent or not. */
export async function otherChannelsOf(db: Db, { id, userId }: Delivery): Promise<Delivery[]> {
  const { rows } = await sql<Row>`
    SELECT ${deliveryColumns([id])} FROM deliveries d
    WHERE ${inMonthsOf(sql`d.run_id`, [id])} AND d.run_id = (
      SELECT run_id FROM deliveries WHERE ${inMonthsOf(sql`run_id`, [id])} AND id = ${id})
      AND d.user_id = ${userId} AND d.id <> ${id}
    ORDER BY d.id`.execute(db);
  return rows.map(present);
}

/** Everything that a run sent or meant to send to these people, each person's channels in the run's order. */
export async function deliveriesOfPeople(
  db: Db,
  runId: number,
  userIds: readonly number[],
): Promise<Delivery[]> {
  const { rows } = await sql<Row>`
    SELECT ${deliveryColumns([runId])} FROM deliveries d JOIN runs r ON r.id = d.run_id
    WHERE d.run_id = ${runId} AND d.user_id = ANY(${userIds}::bigint[])
    ORDER BY d.user_id, array_position(r.channels, d.channel)`.execute(db);
  return rows.map(present);
}

/** A run and one of its people. */
export type RunPerson = { runId: number; userId: number };
export const keyOf = ({ runId, userId }: RunPerson): string => `${runId} ${userId}`;

/** What runs sent or meant to send to some of their people, by `keyOf`, with the channels in their order. */
export async function deliveriesOfRuns(
  db: Db,
  pairs: readonly RunPerson[],
): Promise<Map<string, Delivery[]>> {
  const runs = pairs.map(({ runId }) => runId);
  const { rows } = await sql<Row & RunPerson>`
    SELECT ${deliveryColumns(runs)}, d.run_id AS "runId"
    FROM unnest(${runs}::bigint[], ${pairs.map(({ userId }) => userId)}::bigint[]) p (run_id, user_id)
    CROSS JOIN LATERAL (SELECT * FROM deliveries o
      WHERE ${inMonthsOf(sql`o.run_id`, runs)} AND o.run_id = p.run_id AND o.user_id = p.user_id OFFSET 0) d
    ORDER BY array_position(${[...allChannels]}::text[], d.channel)`.execute(db);
  const found = new Map<string, Delivery[]>();
  for (const { runId, ...row } of rows) {
    const key = keyOf({ runId, userId: row.userId });
    found.set(key, [...(found.get(key) ?? []), present(row)]);
  }
  return found;
}

/** Null when there is no such delivery. */
export async function readDelivery(db: Db, id: number): Promise<Delivery | null> {
  const { rows } = await sql<Row>`
    SELECT ${deliveryColumns([id])} FROM deliveries d
    WHERE ${inMonthsOf(sql`d.run_id`, [id])} AND d.id = ${id}`.execute(db);
  return rows[0] ? present(rows[0]) : null;
}

/** Of `deliveries d`: it waits, and none of its channel's accounts accepts messages. */
export const isHeld = sql<boolean>`(d.status = 'queued' AND NOT d.simulated AND NOT EXISTS (
  SELECT FROM accounts a WHERE ${couldSend} AND a.state = 'ok'))`;

/** Of `deliveries d`. */
const addressAdded = sql<boolean>`coalesce(d.reason IN ('no-email', 'no-phone') AND EXISTS (
  SELECT FROM users u WHERE u.id = d.user_id AND u.deleted_at IS NULL
    AND CASE d.reason WHEN 'no-email' THEN ${address.email} ELSE ${address.sms} END IS NOT NULL), false)`;

/** Of `deliveries d`. `ids`: theirs or their runs'. */
const deliveryColumns = (ids: readonly number[]): RawBuilder<unknown> => sql`
  d.id, d.user_id AS "userId", d.person_name AS name, d.person_unit AS "propertyUnit", d.channel, d.address,
  (SELECT u.phone FROM users u WHERE u.id = d.user_id AND u.deleted_at IS NULL) AS phone,
  CASE WHEN ${isHeld} THEN coalesce((SELECT jsonb_agg(jsonb_build_object('name', a.name, 'because', a.state_because, 'reason', a.state_reason) ORDER BY a.id)
    FROM accounts a WHERE ${couldSend}), '[]') END AS "heldBy",
  ${addressAdded} AS "addressAdded", d.status, d.reason, d.detail, ${effectiveStatus(ids)} AS "effectiveStatus",
  d.simulated AND d.status <> 'skipped' AS simulated, d.attempts,
  d.accepted_at AS "sentAt", d.delivered_at AS "deliveredAt",
  (SELECT max(a.ended_at) FROM attempts a
    WHERE ${inMonthsOf(sql`a.delivery_id`, ids)} AND a.delivery_id = d.id) AS "lastTryAt",
  CASE WHEN d.status IN ('queued', 'uncertain') AND d.due_at > now() THEN d.due_at END AS "nextTryAt",
  (SELECT e.detail FROM delivery_events e
    WHERE ${inMonthsOf(sql`e.delivery_id`, ids)} AND e.delivery_id = d.id AND e.kind = 'replied'
    ORDER BY e.at DESC, e.id DESC LIMIT 1) AS reply`;

function present({
  detail,
  heldBy,
  effectiveStatus: effective,
  sentAt,
  deliveredAt,
  lastTryAt,
  nextTryAt,
  ...row
}: Row): Delivery {
  return {
    ...row,
    ...(heldBy ? heldText(row.channel, heldBy) : reasonText(row, detail, effective)),
    sentAt: sentAt?.toISOString() ?? null,
    deliveredAt: deliveredAt?.toISOString() ?? null,
    lastTryAt: lastTryAt?.toISOString() ?? null,
    nextTryAt: nextTryAt?.toISOString() ?? null,
  };
}

function heldText(
  channel: Channel,
  accounts: NonNullable<Row["heldBy"]>,
): Pick<Delivery, "sentence" | "next"> {
  if (accounts.length === 0) {
    return {
      sentence: `Waiting: ${noAccount(channel)}.`,
      next: "Connect one in Integrations. Then we'll send this automatically.",
    };
  }
  const each = accounts.map(({ name, because, reason }) => {
    const why = storedAccountReason(because, reason);
    return why ? `${isolated(name)} (“${why}”)` : isolated(name);
  });
  const verb = accounts.length === 1 ? "isn't" : "aren't";
  return {
    sentence: `Waiting: ${listText(each)} ${verb} accepting messages.`,
    next: reasonNext("provider-paused", channel),
  };
}

function reasonText(
  {
    status,
    reason,
    channel,
    addressAdded: added,
  }: Pick<Row, "status" | "reason" | "channel" | "addressAdded">,
  detail: string | null,
  effective: DeliveryStatus,
): Pick<Delivery, "sentence" | "next"> {
  if (reason === null) return { sentence: deliveryStatusMeaning[status].sentence, next: "" };
  if (added) {
    const sentence = `No ${addressText(channel)} when this was sent. One is on file now.`;
    return { sentence, next: "Retry. One is on file now." };
  }
  const shared = sharedText({ reason, channel, detail, status: effective });
  if (shared) return shared;
  return { sentence: reasonSentence(reason, channel, detail), next: reasonNext(reason, channel) };
}
