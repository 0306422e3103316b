import { type RawBuilder, sql } from "kysely";
import type { SampleRemoval } from "#contract/calls/sample.ts";
import type { Db } from "#server/db/database.ts";

type SampleKind = "user" | "group" | "template" | "schedule" | "notification" | "audit";

/** Records rows as the sample's own, so that they can be removed. */
export async function markAsSample(tx: Db, kind: SampleKind, ids: readonly number[]): Promise<void> {
  await sql`INSERT INTO sample_rows (kind, id) SELECT ${kind}, unnest(${ids}::bigint[])`.execute(tx);
}

export async function isSampleLoaded(db: Db): Promise<boolean> {
  const { rows } = await sql`SELECT FROM sample_rows LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** The ids of the sample's own rows. */
export const sampleIds = (kind: SampleKind): RawBuilder<unknown> =>
  sql`(SELECT id FROM sample_rows WHERE kind = ${sql.lit(kind)})`;

/** The notifications that came with the sample, and those that its schedules have sent since, no matter who got them. */
export const notificationsOfSample = sql`(
  SELECT id FROM sample_rows WHERE kind = 'notification'
  UNION SELECT notification_id FROM schedule_occurrences
    WHERE schedule_id IN ${sampleIds("schedule")} AND notification_id IS NOT NULL)`;

/** Of these, the ones that go with the sample. What went to anyone else is the record of a real message, and stays. */
export const sampleNotifications = sql`(
  SELECT of_sample.id FROM ${notificationsOfSample} of_sample WHERE NOT EXISTS (
    SELECT FROM runs r JOIN run_people p ON p.run_id = r.id
    WHERE r.notification_id = of_sample.id AND p.user_id NOT IN ${sampleIds("user")}))`;

/** The sample's templates that something outside the sample uses. */
export const usedTemplates = sql`(
  SELECT template_id FROM notifications
    WHERE template_id IN ${sampleIds("template")} AND id NOT IN ${sampleNotifications}
  UNION SELECT template_id FROM schedules
    WHERE template_id IN ${sampleIds("template")} AND id NOT IN ${sampleIds("schedule")})`;

/** What removing the sample would take away; null if it isn't loaded. */
export async function readRemoval(db: Db): Promise<SampleRemoval | null> {
  if (!(await isSampleLoaded(db))) return null;
  const { rows } = await sql<SampleRemoval>`
    SELECT
      (SELECT count(*) FROM users WHERE id IN ${sampleIds("user")} AND role = 'tenant' AND deleted_at IS NULL) AS tenants,
      (SELECT count(*) FROM users WHERE id IN ${sampleIds("user")} AND role <> 'tenant' AND deleted_at IS NULL) AS staff,
      (SELECT count(*) FROM user_groups WHERE id IN ${sampleIds("group")}) AS groups,
      (SELECT count(*) FROM templates WHERE id IN ${sampleIds("template")} AND id NOT IN ${usedTemplates}) AS templates,
      (SELECT count(*) FROM schedules WHERE id IN ${sampleIds("schedule")} AND deleted_at IS NULL) AS schedules,
      (SELECT count(*) FROM ${sampleNotifications} n) AS notifications,
      (SELECT count(DISTINCT r.notification_id) FROM run_people p JOIN runs r ON r.id = p.run_id
        JOIN notifications n ON n.id = r.notification_id
        WHERE p.user_id IN ${sampleIds("user")} AND n.kind = 'message'
          AND n.id NOT IN ${sampleNotifications}) AS "ownNotifications",
      (SELECT count(*) FROM ${usedTemplates} t) AS "usedTemplates"`.execute(db);
  return rows[0]!;
}
