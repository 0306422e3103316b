import { sql } from "kysely";
import { finding, type Finding } from "#contract/findings.ts";
import { inAudience } from "#server/audience/audience.ts";
import { address, nameOf, reachable } from "#server/audience/person.ts";
import { valuesThere as areThere } from "#server/audience/values.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { Asked } from "./gate.ts";

/** What is asked about a message whose people have values of their own. */

/** A file is for one message: by the next run, its values would be out of date. Its people get these and no others. */
export async function valuesThere({
  db,
  message: { valuesId, audience },
  plan,
  source,
  chooser,
}: Asked): Promise<readonly Finding[]> {
  if (audience.some(({ type, id }) => type === "file" && id !== valuesId)) {
    return [finding("values-of-others", "recipients", {})];
  }
  if (valuesId === null) return [];
  if (("rule" in plan && plan.rule) || source?.kind === "notification") {
    return [finding("values-repeated", "valuesId", {})];
  }
  return (await areThere(db, valuesId, chooser)) ? [] : [finding("values-gone", "valuesId", {})];
}

type Earlier = { id: number; title: string; at: Date; valuesId: number; runs: number[] };

/**
 * Someone who sends the same values twice within a day has probably forgotten the first time, or a colleague did it. It is
 * asked person by person, so a corrected file counts as well.
 */
export async function valuesSentOnce(asked: Asked): Promise<readonly Finding[]> {
  const { message, plan, moment, again, zone } = asked;
  const goesOut = plan.kind === "now" || plan.kind === "at";
  if (message.valuesId === null || again || !goesOut || moment === "unseen") return [];
  for (const earlier of await sameMessages(asked)) {
    const people = await countTwice(asked, earlier);
    if (people === 0) continue;
    const { id, title, at, runs } = earlier;
    const params = { title, people, notificationId: id, at: at.toISOString(), zone };
    return [finding(runs.length === 0 ? "values-planned" : "values-sent", "valuesId", params)];
  }
  return [];
}

const LOOKED_AT = 20;

/** Notifications with the same text and channels that went out within a day or are planned, the newest first. */
async function sameMessages({ db, message, id = 0 }: Asked): Promise<Earlier[]> {
  const { rows } = await sql<Earlier>`
    SELECT n.id, n.title, coalesce(n.sent_time, n.scheduled_time) AS at, n.values_id AS "valuesId",
      ARRAY(SELECT r.id FROM runs r WHERE r.notification_id = n.id) AS runs
    FROM notifications n
    WHERE n.values_id IS NOT NULL AND n.id <> ${id} AND n.content = ${message.content}
      AND n.channels = ${message.channels}::text[] AND n.status <> 'Failed'
      AND (n.sent_time > now() - interval '1 day' OR n.status = 'Scheduled')
    ORDER BY at DESC, n.id DESC LIMIT ${LOOKED_AT}`.execute(db);
  return rows;
}

/** How many of those it goes to now had the same values there, and got something or are about to. */
async function countTwice({ db, message }: Asked, { valuesId, runs }: Earlier): Promise<number> {
  const key = sql`d.run_id`;
  const got = sql`EXISTS (
    SELECT FROM deliveries d WHERE ${inMonthsOf(key, runs)} AND ${key} = ANY(${runs}::bigint[]) AND d.user_id = u.id
      AND d.status NOT IN ('skipped', 'failed', 'bounced', 'expired', 'cancelled'))`;
  const { rows } = await sql<{ people: number }>`
    SELECT count(*) AS people FROM person_values now_has
    JOIN person_values had ON had.user_id = now_has.user_id AND had.field_values = now_has.field_values
    JOIN users u ON u.id = now_has.user_id
    WHERE now_has.values_id = ${message.valuesId} AND had.values_id = ${valuesId}
      AND ${await inAudience(db, message.audience)} AND ${runs.length === 0 ? sql`true` : got}`.execute(db);
  return rows[0]?.people ?? 0;
}

const NAMED = 2;

/**
 * At one address, one message arrives, and whoever shares it is covered by that. With other values, it would be someone
 * else's amount.
 */
export async function valuesEachTheirOwn({ db, message, plan, moment }: Asked): Promise<readonly Finding[]> {
  const { valuesId, channels, audience } = message;
  const goesOut = plan.kind === "now" || plan.kind === "at";
  if (valuesId === null || !goesOut || moment === "unseen") return [];
  const among = await inAudience(db, audience);
  for (const channel of channels) {
    const { rows } = await sql<{ names: string[]; addresses: number }>`
      WITH shared AS (
        SELECT (array_agg(${nameOf("u")} ORDER BY u.id))[1:${sql.lit(NAMED)}] AS names, min(u.id) AS first
        FROM person_values v JOIN users u ON u.id = v.user_id
        WHERE v.values_id = ${valuesId} AND ${among} AND ${reachable(channel)}
        GROUP BY ${address[channel]} HAVING count(DISTINCT v.field_values) > 1
      )
      SELECT names, count(*) OVER () AS addresses FROM shared ORDER BY first LIMIT 1`.execute(db);
    const [found] = rows;
    if (found) {
      const params = { names: found.names, channel, more: found.addresses - 1 };
      return [finding("values-share-address", "valuesId", params)];
    }
  }
  return [];
}
