import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { connectedAmong } from "#server/messages/channels.ts";
import type { Context } from "#server/messages/gate.ts";
import { messageRow } from "#server/messages/message.ts";
import { scheduledMessage } from "#server/messages/scheduled-message.ts";
import type { StoredSchedule } from "./schedule.ts";

/**
 * Creates the notification of one run: message, recipients and values as they are now, frozen from here on. `date` is
 * the run's day, which its relative dates count from. `plannedFor` null: someone runs it now. Returns its id, and what
 * starting it has to know.
 */
export async function insertRunNotification(
  tx: Db,
  schedule: StoredSchedule,
  { date, plannedFor }: { date: string; plannedFor: Date | null },
): Promise<{ id: number; context: Partial<Context> }> {
  const { message, ...context } = await scheduledMessage(tx, schedule, date);
  const { id } = await tx
    .insertInto("notifications")
    .values({
      ...messageRow(message),
      status: plannedFor ? "Scheduled" : "Draft",
      scheduled_time: plannedFor,
      created_by: schedule.createdBy,
      created_by_name: schedule.createdByName,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await sql`UPDATE schedules SET connected_channels = ${await connectedAmong(tx, schedule.channels)}
    WHERE id = ${schedule.id}`.execute(tx);
  return { id, context: { ...context, connected: schedule.connectedChannels } };
}
