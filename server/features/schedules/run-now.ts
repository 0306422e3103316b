import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { fullName } from "#contract/text/full-name.ts";
import { dayIn } from "#contract/recurrence.ts";
import type { OccurrenceState } from "#contract/calls/schedule-replies.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { recordAudits } from "#server/db/audit.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { noteProblem } from "#server/delivery/schedules/run-due.ts";
import { insertRunNotification } from "#server/delivery/schedules/run-notification.ts";
import { ruleOf, scheduleSource, type StoredSchedule } from "#server/delivery/schedules/schedule.ts";
import { sendNow } from "#server/features/notifications/send-now.ts";
import type { DueResident } from "#server/audience/resident-dates.ts";
import type { Clock } from "#server/features/schedules/queries.ts";
import { lateResidents } from "#server/features/schedules/residents.ts";
import { needsDecision } from "#server/features/schedules/runs.ts";
import { lockForChange, recordSchedule } from "#server/features/schedules/save-schedule.ts";
import type { By } from "#server/http/route.ts";

/**
 * Runs a schedule out of turn, once for each client key, and returns the run's name. Throws what sending a notification
 * throws.
 */
export async function runNow(
  db: Db,
  id: number,
  clientKey: string | undefined,
  by: By,
  { zone, now }: Clock,
): Promise<string> {
  const occurrence = `now ${clientKey ?? randomUUID()}`;
  return transaction(db, async (tx) => {
    const schedule = await lockForChange(tx, id);
    const earlier = await sql`SELECT FROM schedule_occurrences
      WHERE schedule_id = ${id} AND occurrence = ${occurrence}`.execute(tx);
    if (earlier.rows.length > 0) return occurrence;
    const today = dayIn(schedule.zone ?? zone, now);
    const notificationId = await send(tx, schedule, { date: today, today }, by, { zone, now });
    await sql`
      INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, notification_id, by_name)
      VALUES (${id}, ${occurrence}, ${now}, 'started', ${notificationId}, ${fullName(by.user)})`.execute(tx);
    await recordSchedule(tx, "run", schedule, by, { notification: notificationId });
    return occurrence;
  });
}

/**
 * Sends the message of a schedule by residents' dates to those of these people whose date came on file too late, and
 * returns the run's name. Throws conflict if none of them is left, and what sending a notification throws.
 */
export async function sendLate(
  db: Db,
  id: number,
  people: readonly number[],
  by: By,
  clock: Clock,
): Promise<string> {
  const occurrence = `now ${randomUUID()}`;
  return transaction(db, async (tx) => {
    const schedule = await lockForChange(tx, id);
    const late = await lateResidents(tx, schedule, clock);
    // A message is about one date. Someone with two stays on the list with the other.
    const residents = late.filter(
      ({ personId }, index) =>
        people.includes(personId) && late.findIndex((one) => one.personId === personId) === index,
    );
    if (residents.length === 0) throw refusal("no-longer-late");
    const today = dayIn(schedule.zone ?? clock.zone, clock.now);
    const notificationId = await send(tx, schedule, { date: today, today, residents }, by, clock);
    await sql`
      INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, notification_id, by_name)
      VALUES (${id}, ${occurrence}, ${clock.now}, 'started', ${notificationId}, ${fullName(by.user)})`.execute(
      tx,
    );
    await recordSchedule(tx, "run", schedule, by, { notification: notificationId });
    return occurrence;
  });
}

/**
 * Sends a run that was missed or could not start, with the values of its own day. A run that was sent already is left
 * alone.
 */
export async function sendMissed(
  db: Db,
  id: number,
  occurrence: string,
  by: By,
  clock: Clock,
): Promise<void> {
  await transaction(db, async (tx) => {
    const schedule = await lockForChange(tx, id);
    const state = await stateOf(tx, id, occurrence);
    if (state === "started") return;
    if (state === "skipped") throw refusal("run-skipped");
    const notificationId = await send(tx, schedule, { date: occurrence }, by, clock);
    await sql`
      UPDATE schedule_occurrences SET state = 'started', reason = NULL, findings = NULL, notification_id = ${notificationId},
        by_name = ${fullName(by.user)}, at = now()
      WHERE schedule_id = ${id} AND occurrence = ${occurrence}`.execute(tx);
    await recordSchedule(tx, "send", schedule, by, { occurrence, notification: notificationId });
  });
}

/** Dismisses a run that was missed or could not start. */
export async function dismiss(db: Db, id: number, occurrence: string, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    const schedule = await lockForChange(tx, id);
    const state = await stateOf(tx, id, occurrence);
    if (state !== "missed" && state !== "failed") {
      throw refusal("run-neither-missed-nor-failed");
    }
    await sql`
      UPDATE schedule_occurrences SET dismissed_at = coalesce(dismissed_at, now())
      WHERE schedule_id = ${id} AND occurrence = ${occurrence}`.execute(tx);
    await recordSchedule(tx, "dismiss", schedule, by, { occurrence });
  });
}

/** Dismisses all runs that were missed or could not start up to then: someone decides about what they have seen. */
export async function dismissMissed(db: Db, until: string, by: By): Promise<number> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ id: number; name: string; occurrence: string }>`
      WITH waiting AS (
        SELECT o.schedule_id, o.occurrence, coalesce(s.name, n.title) AS name FROM schedule_occurrences o
        JOIN (${scheduleSource}) ON s.id = o.schedule_id
        WHERE ${needsDecision} AND o.at <= ${until} ORDER BY o.schedule_id, o.occurrence FOR UPDATE OF o)
      UPDATE schedule_occurrences o SET dismissed_at = now() FROM waiting w
      WHERE o.schedule_id = w.schedule_id AND o.occurrence = w.occurrence
      RETURNING o.schedule_id AS id, w.name, o.occurrence`.execute(tx);
    const entries = rows.map(({ id, name, occurrence }) => ({
      by,
      action: "schedule.dismiss" as const,
      subject: { type: "schedule", id },
      detail: { name, occurrence },
    }));
    await recordAudits(tx, entries);
    await notifyPages(tx, { type: "schedules" });
    return rows.length;
  });
}

type Turn = {
  /** The run's day, for what its values are relative to. */
  date: string;
  /** The day on which it is sent, if that isn't the organization's. */
  today?: string;
  /** Of a schedule by residents' dates: to whom, if not to those whose date makes the day's run. */
  residents?: readonly DueResident[];
};

async function send(
  tx: Db,
  schedule: StoredSchedule,
  { date, today, residents }: Turn,
  by: By,
  { zone }: Clock,
): Promise<number> {
  const { id, context } = await insertRunNotification(tx, schedule, { date, plannedFor: null, residents });
  const plan = { kind: "rule", rule: ruleOf(schedule, zone) } as const;
  await noteProblem(tx, schedule.id, await sendNow(tx, id, by, { day: today, plan, context }));
  return id;
}

async function stateOf(tx: Db, id: number, occurrence: string): Promise<OccurrenceState> {
  const { rows } = await sql<{ state: OccurrenceState }>`
    SELECT state FROM schedule_occurrences WHERE schedule_id = ${id} AND occurrence = ${occurrence}`.execute(
    tx,
  );
  if (!rows[0]) throw refusal("no-such-run");
  return rows[0].state;
}
