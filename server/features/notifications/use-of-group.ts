import { sql } from "kysely";
import type { AudienceMember } from "#contract/notifications.ts";
import type { Db } from "#server/db/database.ts";
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

/** The scheduled and recurring notifications that name this group, as they are until the transaction ends. */
export async function waitingFor(tx: Db, groupId: number): Promise<GroupUse[]> {
  const found = await sql<GroupUse>`
    SELECT id, title, audience, scheduled_time AS "scheduledTime", recurrence FROM notifications
    WHERE status IN ('Scheduled', 'Recurring') AND audience @> ${member(groupId)}::jsonb
    ORDER BY id FOR UPDATE`.execute(tx);
  return found.rows;
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
