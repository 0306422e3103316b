import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { fullName } from "#contract/text/full-name.ts";
import { ruleOf } from "#server/delivery/schedules/schedule.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { nextUnsettled, replan, storeNext } from "#server/delivery/schedules/plan.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { forgetProblem, noteProblem } from "#server/delivery/schedules/run-due.ts";
import { connectedAmong } from "#server/messages/channels.ts";
import type { Clock } from "#server/features/schedules/queries.ts";
import { lockForChange, planNextRun, recordSchedule } from "#server/features/schedules/save-schedule.ts";
import { refuseUnfit } from "#server/features/schedules/written-schedule.ts";
import type { By } from "#server/http/route.ts";

/** Pauses or activates a schedule; does nothing if it already is. Throws what saving an active one throws. */
export async function setActive(db: Db, id: number, active: boolean, by: By, clock: Clock): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await lockForChange(tx, id);
    if (stored.active === active) return;
    const written = { ...stored, active };
    if (active) await refuseUnfit(tx, written, clock);
    await sql`
      UPDATE schedules SET active = ${active}, updated_at = now(),
        connected_channels = ${await connectedAmong(tx, stored.channels)}
      WHERE id = ${id}`.execute(tx);
    // The person who pauses it knows why.
    if (!active) await forgetProblem(tx, id);
    else await noteProblem(tx, id, []);
    await planNextRun(tx, id, written, { clock, before: stored });
    // Once activated, it is checked again.
    await checkNextRuns(tx, sql`s.id = ${id}`);
    await recordSchedule(tx, active ? "activate" : "pause", stored, by);
    if (stored.ownNotification) await notifyPages(tx, { type: "notifications" });
  });
}

/**
 * Deletes it and returns its name. What has started continues; if it was a recurring notification, that is cancelled.
 */
export async function removeSchedule(db: Db, id: number, by: By): Promise<string> {
  return transaction(db, async (tx) => {
    const stored = await lockForChange(tx, id);
    await sql`
      UPDATE schedules SET deleted_at = now(), next_run_at = NULL, next_occurrence = NULL, updated_at = now()
      WHERE id = ${id}`.execute(tx);
    if (stored.ownNotification) {
      await sql`UPDATE notifications SET status = 'Cancelled', updated_at = now()
        WHERE id = ${stored.notificationId} AND status = 'Recurring'`.execute(tx);
      await notifyPages(tx, { type: "notifications" });
    }
    await recordSchedule(tx, "delete", stored, by);
    return stored.name;
  });
}

/** Skips the next run, named by its day; a repeat changes nothing. Throws conflict if another run is next. */
export async function skipNext(
  db: Db,
  id: number,
  occurrence: string,
  by: By,
  { zone, now }: Clock,
): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await lockForChange(tx, id);
    if (await isSkipped(tx, id, occurrence)) return;
    if (stored.nextOccurrence !== occurrence || !stored.nextRunAt) {
      throw refusal("next-run-changed");
    }
    await sql`
      INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state, by_name)
      VALUES (${id}, ${occurrence}, ${stored.nextRunAt}, 'skipped', ${fullName(by.user)})`.execute(tx);
    const rule = ruleOf(stored, zone);
    if (stored.residentDate) await replan(tx, id, rule, { now, before: stored });
    else await storeNext(tx, id, rule, await nextUnsettled(tx, id, rule, stored.nextRunAt));
    await recordSchedule(tx, "skip", stored, by, { occurrence });
  });
}

/** Undoes the skip of a coming day. Throws conflict if that day is over. */
export async function unskip(
  db: Db,
  id: number,
  occurrence: string,
  by: By,
  { zone, now }: Clock,
): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await lockForChange(tx, id);
    const { rows } = await sql`
      DELETE FROM schedule_occurrences WHERE schedule_id = ${id} AND occurrence = ${occurrence}
        AND state = 'skipped' AND planned_for > ${now} RETURNING 1`.execute(tx);
    if (rows.length === 0) throw refusal("run-not-skipped");
    if (stored.active) await replan(tx, id, ruleOf(stored, zone), { now, before: stored });
    await recordSchedule(tx, "unskip", stored, by, { occurrence });
  });
}

async function isSkipped(tx: Db, id: number, occurrence: string): Promise<boolean> {
  const { rows } = await sql`SELECT FROM schedule_occurrences
    WHERE schedule_id = ${id} AND occurrence = ${occurrence} AND state = 'skipped'`.execute(tx);
  return rows.length > 0;
}
