import { sql } from "kysely";
import type { AppError } from "#contract/errors.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { finding, storable } from "#contract/findings.ts";
import { type AudienceMember, audienceText } from "#contract/calls/notifications.ts";
import type { ScheduledUse } from "#contract/text/scheduled-uses.ts";
import { type Db, isLockRefusal } from "#server/db/database.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { endOwnSchedule, unplan } from "#server/delivery/schedules/plan.ts";
import { audienceOf } from "#server/delivery/schedules/schedule.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { noteProblem } from "#server/delivery/schedules/run-due.ts";
import { type OwnSchedule, ownSchedule, toRule } from "#server/features/notifications/own-schedule.ts";
import { readSetting } from "#server/features/settings/queries.ts";

/** How waiting notifications and schedules use a group or a person, and what happens to them without it. */

type Use = ScheduledUse & {
  audience: AudienceMember[];
  scheduledTime: Date | null;
  schedule: OwnSchedule | null;
};

type Recipient = { type: "group" | "user"; id: number };

const naming = ({ type, id }: Recipient) => JSON.stringify([{ type, id }]);
const waitingFor = (recipient: Recipient) =>
  sql`status IN ('Scheduled', 'Recurring') AND audience @> ${naming(recipient)}::jsonb`;
const scheduledFor = (recipient: Recipient) =>
  sql`s.deleted_at IS NULL AND ${audienceOf} @> ${naming(recipient)}::jsonb`;

const spoken = { group: "group", user: "person" } as const;

/**
 * The scheduled and recurring notifications and the schedules that name this recipient, locked until the transaction
 * ends. It does not wait for locks: one that is being started waits for the group, which the caller holds. Throws
 * conflict.
 */
export async function lockUses(tx: Db, recipient: Recipient): Promise<Use[]> {
  try {
    const notifications = await sql<Use>`
      SELECT 'notification' AS type, id, title, audience, scheduled_time AS "scheduledTime", ${ownSchedule}
      FROM notifications WHERE ${waitingFor(recipient)} ORDER BY id FOR NO KEY UPDATE NOWAIT`.execute(tx);
    await sql`
      SELECT FROM schedules s WHERE s.own_notification
        AND s.notification_id = ANY(${notifications.rows.map(({ id }) => id)}::bigint[])
      FOR NO KEY UPDATE NOWAIT`.execute(tx);
    const schedules = await sql<Use>`
      SELECT 'schedule' AS type, s.id, s.name AS title, ${audienceOf} AS audience, NULL AS "scheduledTime", NULL AS schedule
      FROM schedules s WHERE ${scheduledFor(recipient)} ORDER BY s.id FOR NO KEY UPDATE NOWAIT`.execute(tx);
    return [...notifications.rows, ...schedules.rows];
  } catch (error) {
    if (!isLockRefusal(error)) throw error;
    throw refusal("plans-being-changed", { recipient: spoken[recipient.type] });
  }
}

/** Why this recipient is not deleted without a confirmation; the fields name everything scheduled with it. */
export const inUse = (name: string, uses: readonly Use[]): AppError =>
  refusal("recipient-in-use", { name, uses: uses.map(({ type, id, title }) => ({ type, id, title })) });

/** Whether something scheduled names this group, or a run is fanning out to it. */
export async function isUsed(tx: Db, groupId: number): Promise<boolean> {
  const group = { type: "group", id: groupId } as const;
  const found = await sql`
    SELECT FROM notifications WHERE ${waitingFor(group)}
    UNION ALL SELECT FROM schedules s WHERE ${scheduledFor(group)} LIMIT 1`.execute(tx);
  return found.rows.length > 0 || isFanningOut(tx, groupId);
}

/** Whether a run is fanning out to this group right now: it reads the group's members chunk by chunk. */
export async function isFanningOut(tx: Db, groupId: number): Promise<boolean> {
  const found = await sql`
    SELECT FROM runs WHERE state = 'fanning-out' AND audience @> ${naming({ type: "group", id: groupId })}::jsonb
    LIMIT 1`.execute(tx);
  return found.rows.length > 0;
}

/**
 * Removes a recipient from everything that waits. A notification left without recipients becomes a draft that says why;
 * a schedule is paused and says so.
 */
export async function detach(tx: Db, recipient: AudienceMember, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return;
  const zone = await readSetting(tx, "timezone");
  for (const use of uses) {
    const left = use.audience.filter(({ type, id }) => type !== recipient.type || id !== recipient.id);
    if (left.length > 0) await goWithout(tx, use, left, recipient);
    else await (use.type === "schedule" ? pause(tx, use, recipient) : makeDraft(tx, use, recipient, zone));
  }
  await notifyPages(tx, { type: "notifications" }, { type: "schedules" });
}

/** It goes to the others. A schedule, also a recurring notification's own, says so until someone has looked at it. */
async function goWithout(
  tx: Db,
  { type, id }: Use,
  audience: readonly AudienceMember[],
  recipient: AudienceMember,
): Promise<void> {
  const [left, text] = [JSON.stringify(audience), audienceText(audience)];
  await (
    type === "schedule"
      ? sql`
        UPDATE schedules SET audience = CASE WHEN date_audience IS NULL THEN ${left}::jsonb ELSE audience END,
          date_audience = CASE WHEN date_audience IS NOT NULL THEN ${left}::jsonb END, audience_text = ${text},
          updated_at = now()
        WHERE id = ${id}`
      : sql`
        UPDATE notifications SET audience = ${left}, audience_text = ${text}, updated_at = now() WHERE id = ${id}`
  ).execute(tx);
  const its = type === "schedule" ? sql`s.id = ${id}` : sql`s.notification_id = ${id} AND s.own_notification`;
  await sql`
    UPDATE schedules s SET gone_recipients = gone_recipients || ${JSON.stringify([recipient])}::jsonb
    WHERE ${its}`.execute(tx);
  await checkNextRuns(tx, its);
}

async function makeDraft(
  tx: Db,
  { id, scheduledTime, schedule }: Use,
  recipient: AudienceMember,
  zone: string,
): Promise<void> {
  const planned = schedule
    ? toRule(schedule, schedule.zone ?? zone)
    : scheduledTime && { at: scheduledTime.toISOString(), zone };
  const { text, json } = storable([finding("only-recipient-deleted", null, { recipient, planned })]);
  await sql`
    UPDATE notifications SET status = 'Draft', status_reason = ${text}, findings = ${json}, audience = '[]',
      audience_text = '', scheduled_time = NULL, updated_at = now()
    WHERE id = ${id}`.execute(tx);
  await endOwnSchedule(tx, id);
}

async function pause(tx: Db, { id }: Use, recipient: AudienceMember): Promise<void> {
  const { rows } = await sql<{ gone: AudienceMember[] }>`
    UPDATE schedules SET active = false, audience = '[]', audience_text = '',
      date_audience = CASE WHEN date_audience IS NOT NULL THEN '[]'::jsonb END, updated_at = now()
    WHERE id = ${id} RETURNING gone_recipients AS gone`.execute(tx);
  await unplan(tx, id);
  const gone = [...(rows[0]?.gone ?? []), recipient];
  await noteProblem(tx, id, [finding("paused-without-recipients", null, { gone })]);
}
