import { sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import type { AudienceMember } from "#contract/notifications.ts";
import { scheduledFields } from "#contract/scheduled-uses.ts";
import { type Db, isLockRefusal } from "#server/db/database.ts";
import type { Recurrence } from "#server/db/schema.ts";
import { tellPages } from "#server/delivery/hints.ts";
import { audienceText } from "#server/features/notifications/save.ts";
import { inWords, recurrenceInWords } from "#server/features/notifications/time.ts";
import { readSetting } from "#server/features/settings/queries.ts";

/** What a group or a person means to notifications that wait, and what becomes of them without it. */

export type Use = {
  id: number;
  title: string;
  audience: AudienceMember[];
  scheduledTime: Date | null;
  recurrence: Recurrence | null;
};

type Recipient = Pick<AudienceMember, "type" | "id">;

const naming = ({ type, id }: Recipient) => JSON.stringify([{ type, id }]);
const waitingFor = (recipient: Recipient) =>
  sql`status IN ('Scheduled', 'Recurring') AND audience @> ${naming(recipient)}::jsonb`;

const spoken = { group: "group", user: "person" } as const;

/**
 * The scheduled and recurring notifications that name this recipient, as they are until the transaction ends. It waits
 * for none of them: one that is just being started waits for the group, which the caller holds. Throws conflict.
 */
export async function lockUses(tx: Db, recipient: Recipient): Promise<Use[]> {
  try {
    const found = await sql<Use>`
      SELECT id, title, audience, scheduled_time AS "scheduledTime", recurrence FROM notifications
      WHERE ${waitingFor(recipient)} ORDER BY id FOR NO KEY UPDATE NOWAIT`.execute(tx);
    return found.rows;
  } catch (error) {
    if (!isLockRefusal(error)) throw error;
    throw new AppError(
      "conflict",
      `Something scheduled for this ${spoken[recipient.type]} is just changing. Try again in a moment.`,
    );
  }
}

const NAMED = 5;

/** Why this recipient is not deleted without a second yes; the fields name all that is scheduled with it. */
export function inUse(name: string, uses: readonly Use[]): AppError {
  const titles = uses.slice(0, NAMED).map(({ title }) => `“${title}”`);
  const more = uses.length > NAMED ? ` and ${uses.length - NAMED} more` : "";
  return new AppError(
    "conflict",
    `“${name}” is used by what is scheduled: ${titles.join(", ")}${more}. Take it out of there first, or delete it all the same.`,
    { fields: scheduledFields(uses) },
  );
}

/** Whether something scheduled names this group, or a run is being spread to it. */
export async function isUsed(tx: Db, groupId: number): Promise<boolean> {
  const found = await sql`
    SELECT FROM notifications WHERE ${waitingFor({ type: "group", id: groupId })} LIMIT 1`.execute(tx);
  return found.rows.length > 0 || isSpreading(tx, groupId);
}

/** Whether a run is being spread to this group at this moment: it reads the group's members chunk by chunk. */
export async function isSpreading(tx: Db, groupId: number): Promise<boolean> {
  const found = await sql`
    SELECT FROM runs WHERE state = 'fanning-out' AND audience @> ${naming({ type: "group", id: groupId })}::jsonb
    LIMIT 1`.execute(tx);
  return found.rows.length > 0;
}

/** Takes a recipient out of what waits. What is left without recipients becomes a draft that says why. */
export async function detach(tx: Db, recipient: AudienceMember, uses: readonly Use[]): Promise<void> {
  if (uses.length === 0) return;
  const zone = await readSetting(tx, "timezone");
  for (const use of uses) {
    const left = use.audience.filter(({ type, id }) => type !== recipient.type || id !== recipient.id);
    await (left.length > 0 ? keepWaiting(tx, use.id, left) : makeDraft(tx, use, recipient, zone));
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
  { id, scheduledTime, recurrence }: Use,
  recipient: AudienceMember,
  zone: string,
): Promise<void> {
  const who = recipient.type === "group" ? `The group “${recipient.name}”` : recipient.name;
  const planned = recurrence ? recurrenceInWords(recurrence) : scheduledTime && inWords(scheduledTime, zone);
  const reason =
    `${who}, its only recipient, was deleted.` +
    (planned ? ` It was planned for: ${planned}.` : "") +
    " Choose recipients and plan it again.";
  await sql`
    UPDATE notifications SET status = 'Draft', status_reason = ${reason}, audience = '[]', audience_text = '',
      scheduled_time = NULL, recurrence = NULL, updated_at = now()
    WHERE id = ${id}`.execute(tx);
}
