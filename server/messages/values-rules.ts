import { sql } from "kysely";
import { finding, type Finding } from "#contract/findings.ts";
import { inAudience } from "#server/audience/audience.ts";
import { valuesExist } from "#server/audience/values.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { Asked } from "./gate.ts";

/** What is asked about a message whose people have values of their own. */

/** A file is for one message: by the next run, its values would be out of date. */
export async function valuesThere({
  db,
  message: { valuesId },
  plan,
  source,
}: Asked): Promise<readonly Finding[]> {
  if (valuesId === null) return [];
  if (("rule" in plan && plan.rule) || source?.kind === "notification") {
    return [finding("values-repeated", "valuesId", {})];
  }
  return (await valuesExist(db, valuesId)) ? [] : [finding("values-gone", "valuesId", {})];
}

type Earlier = { id: number; title: string; at: Date; runs: number[] };

/** Someone who sends a file twice within a day has probably forgotten the first time, or a colleague did it. */
export async function valuesSentOnce(asked: Asked): Promise<readonly Finding[]> {
  const { message, plan, moment, again, zone } = asked;
  const goesOut = plan.kind === "now" || plan.kind === "at";
  if (message.valuesId === null || again || !goesOut || moment === "unseen") return [];
  for (const { id, title, at, runs } of await sameValues(asked)) {
    const params = { title, notificationId: id, at: at.toISOString(), zone };
    if (runs.length === 0) return [finding("values-planned", "valuesId", params)];
    if (await anyoneTwice(asked, runs)) return [finding("values-sent", "valuesId", params)];
  }
  return [];
}

/** Notifications with the same text, channels and values that went out within a day or are planned, the newest first. */
async function sameValues({ db, message, id = 0 }: Asked): Promise<Earlier[]> {
  const { rows } = await sql<Earlier>`
    SELECT n.id, n.title, coalesce(n.sent_time, n.scheduled_time) AS at,
      ARRAY(SELECT r.id FROM runs r WHERE r.notification_id = n.id) AS runs
    FROM imports own JOIN imports other ON other.id = own.id OR other.fingerprint = own.fingerprint
    JOIN notifications n ON n.values_id = other.id
    WHERE own.id = ${message.valuesId} AND n.id <> ${id} AND n.content = ${message.content}
      AND n.channels = ${message.channels}::text[] AND n.status <> 'Failed'
      AND (n.sent_time > now() - interval '1 day' OR n.status = 'Scheduled')
    ORDER BY at DESC, n.id DESC LIMIT 20`.execute(db);
  return rows;
}

/** Whether one of those it goes to now has something from these runs, or is about to. */
async function anyoneTwice({ db, message }: Asked, runs: readonly number[]): Promise<boolean> {
  const key = sql`d.run_id`;
  const { rows } = await sql`
    SELECT FROM deliveries d JOIN users u ON u.id = d.user_id
    WHERE ${inMonthsOf(key, runs)} AND ${key} = ANY(${[...runs]}::bigint[])
      AND d.status NOT IN ('skipped', 'failed', 'bounced', 'expired', 'cancelled') AND ${await inAudience(db, message.audience)}
    LIMIT 1`.execute(db);
  return rows.length > 0;
}
