import { sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import type { AudienceMember } from "#contract/notifications.ts";
import { type Db, isLockRefusal } from "#server/db/database.ts";
import { tellPages } from "#server/delivery/hints.ts";
import { audienceText } from "#server/features/notifications/save.ts";
import { inWords, type Recurrence, recurrenceInWords } from "#server/features/notifications/time.ts";
import { readSetting } from "#server/features/settings/queries.ts";

/** What a group means to notifications that wait, and what becomes of them without it. */

export type GroupUse = {
  id: number;
  title: string;
  audience: AudienceMember[];
  scheduledTime: Date | null;
  recurrence: Recurrence | null;
};

const member = (groupId: number) => JSON.stringify([{ type: "group", id: groupId }]);
const waitingFor = (groupId: number) =>
  sql`status IN ('Scheduled', 'Recurring') AND audience @> ${member(groupId)}::jsonb`;

/**
 * The scheduled and recurring notifications that name this group, as they are until the transaction ends. It waits for
 * none of them: one that is just being started waits for the group, which the caller holds. Throws conflict.
 */
export async function lockUses(tx: Db, groupId: number): Promise<GroupUse[]> {
  try {
    const found = await sql<GroupUse>`
      SELECT id, title, audience, scheduled_time AS "scheduledTime", recurrence FROM notifications
      WHERE ${waitingFor(groupId)} ORDER BY id FOR UPDATE NOWAIT`.execute(tx);
    return found.rows;
  } catch (error) {
    if (!isLockRefusal(error)) throw error;
    throw new AppError(
      "conflict",
      "Something scheduled for this group is just changing. Try again in a moment.",
    );
  }
}

/** Whether something scheduled names this group, or a run is being spread to it. */
export async function isUsed(tx: Db, groupId: number): Promise<boolean> {
  const found = await sql`SELECT FROM notifications WHERE ${waitingFor(groupId)} LIMIT 1`.execute(tx);
  return found.rows.length > 0 || isSpreading(tx, groupId);
}

/** Whether a run is being spread to this group at this moment: it reads the group's members chunk by chunk. */
export async function isSpreading(tx: Db, groupId: number): Promise<boolean> {
  const found = await sql`
    SELECT FROM runs WHERE state = 'fanning-out' AND audience @> ${member(groupId)}::jsonb LIMIT 1`.execute(
    tx,
  );
  return found.rows.length > 0;
}

/** Takes a group out of what waits. What is left without recipients becomes a draft that says why. */
export async function detachGroup(
  tx: Db,
  group: { id: number; name: string },
  uses: readonly GroupUse[],
): Promise<void> {
  if (uses.length === 0) return;
  const zone = await readSetting(tx, "timezone");
  for (const use of uses) {
    const left = use.audience.filter(({ type, id }) => type !== "group" || id !== group.id);
    await (left.length > 0 ? keepWaiting(tx, use.id, left) : makeDraft(tx, use, group.name, zone));
  }
  await tellPages(tx, { type: "notifications" });
}

async function keepWaiting(tx: Db, id: number, audience: readonly AudienceMember[]): Promise<void> {
  await sql`
    UPDATE notifications SET audience = ${JSON.stringify(audience)}, audience_text = ${audienceText(audience)},
      updated_at = now()
    WHERE id = ${id}`.execute(tx);
}

async function makeDraft(
  tx: Db,
  { id, scheduledTime, recurrence }: GroupUse,
  groupName: string,
  zone: string,
): Promise<void> {
  const planned = recurrence ? recurrenceInWords(recurrence) : scheduledTime && inWords(scheduledTime, zone);
  const reason =
    `The group “${groupName}”, its only recipient, was deleted.` +
    (planned ? ` It was planned for: ${planned}.` : "") +
    " Choose recipients and plan it again.";
  await sql`
    UPDATE notifications SET status = 'Draft', status_reason = ${reason}, audience = '[]', audience_text = '',
      scheduled_time = NULL, recurrence = NULL, updated_at = now()
    WHERE id = ${id}`.execute(tx);
}
