import { sql } from "kysely";
import { type Finding, finding, Refusal } from "#contract/findings.ts";
import { dayAfter } from "#contract/homes.ts";
import { numberText } from "#contract/text/locale.ts";
import { dueResidents, type DueResident } from "#server/audience/resident-dates.ts";
import type { Db } from "#server/db/database.ts";
import { connectedAmong } from "#server/messages/channels.ts";
import type { Context } from "#server/messages/gate.ts";
import { type Message, messageRow } from "#server/messages/message.ts";
import { scheduledMessage } from "#server/messages/scheduled-message.ts";
import { dateQuestion, type StoredSchedule } from "./schedule.ts";

type Run = { date: string; plannedFor: Date | null; residents?: readonly DueResident[] | undefined };

/**
 * Creates the notification of one run: message, recipients and values as they are now, frozen from here on. `date` is
 * the run's day, which its relative dates count from. `plannedFor` null: someone runs it now. Of a schedule by residents'
 * dates it goes to those whose date it is on that day, or to these `residents`, and no one else ever gets it for that date.
 * Returns its id, and what starting it has to know. Throws empty-audience.
 */
export async function insertRunNotification(
  tx: Db,
  schedule: StoredSchedule,
  { date, plannedFor, residents }: Run,
): Promise<{ id: number; context: Partial<Context> }> {
  const { message: written, ...context } = await scheduledMessage(tx, schedule, date);
  const { message, whose } = await addressed(tx, schedule, written, date, residents);
  const { id } = await tx
    .insertInto("notifications")
    .values({
      ...messageRow(message),
      ...(whose && { audience_text: namesText(whose) }),
      status: plannedFor ? "Scheduled" : "Draft",
      scheduled_time: plannedFor,
      created_by: schedule.createdBy,
      created_by_name: schedule.createdByName,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  if (whose) await noteDates(tx, schedule, id, whose);
  await sql`UPDATE schedules SET connected_channels = ${await connectedAmong(tx, schedule.channels)}
    WHERE id = ${schedule.id}`.execute(tx);
  return { id, context: { ...context, connected: schedule.connectedChannels } };
}

/**
 * The message to whom its run on a day goes: of a schedule by residents' dates, `whose` date it is. Throws empty-audience.
 */
export async function addressed(
  db: Db,
  schedule: StoredSchedule,
  message: Message,
  day: string,
  residents?: readonly DueResident[],
): Promise<{ message: Message; whose: readonly DueResident[] | null }> {
  const question = dateQuestion(schedule);
  if (!question) return { message, whose: null };
  const whose = residents ?? (await dueResidents(db, question, { from: day, to: day }));
  if (whose.length === 0) throw new Refusal(nobodysDate(schedule, day));
  return { message: { ...message, audience: whose.map(recipient) }, whose };
}

const recipient = ({ personId, name }: DueResident) => ({ type: "user" as const, id: personId, name });

/** As many names as a list can show. */
const NAMED = 5;

function namesText(residents: readonly DueResident[]): string {
  const names = residents.map(({ name }) => name);
  if (names.length <= NAMED) return names.join(", ");
  return `${names.slice(0, NAMED - 1).join(", ")} and ${numberText(names.length - NAMED + 1)} more`;
}

/** Why there is no run on a day. */
function nobodysDate(
  { residentDate, dayOffset }: Pick<StoredSchedule, "residentDate" | "dayOffset">,
  day: string,
): Finding {
  const date = dayAfter(day, -(dayOffset ?? 0));
  return finding("nobodys-date", null, { residentDate: residentDate ?? "move-in", date });
}

/** Fails if someone has been written to for this date: whoever holds the schedule's lock has looked. */
async function noteDates(
  tx: Db,
  { id, residentDate }: StoredSchedule,
  notificationId: number,
  residents: readonly DueResident[],
): Promise<void> {
  await sql`
    INSERT INTO resident_dates (schedule_id, person_id, resident_date, date, residency_id, notification_id)
    SELECT ${id}, person_id, ${residentDate}, date, residency_id, ${notificationId}
    FROM unnest(${residents.map(({ personId }) => personId)}::bigint[], ${residents.map(({ date }) => date)}::date[],
      ${residents.map(({ residencyId }) => residencyId)}::bigint[]) w (person_id, date, residency_id)`.execute(
    tx,
  );
}
