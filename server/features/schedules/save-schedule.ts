import { sql } from "kysely";
import type { BodyOf } from "#contract/endpoint.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { finding, Refusal } from "#contract/findings.ts";
import { fullName } from "#contract/text/full-name.ts";
import { audienceText } from "#contract/calls/notifications.ts";
import { occurrenceOn } from "#contract/recurrence.ts";
import { textsAndDates } from "#contract/text/relative-date.ts";
import { SCHEDULED_NOTIFICATION_OFFSET } from "#contract/calls/schedule-replies.ts";
import type { schedules } from "#contract/calls/schedules.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { refuseStale } from "#server/db/stale-edit.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { replan, unplan } from "#server/delivery/schedules/plan.ts";
import { forgetProblem } from "#server/delivery/schedules/run-due.ts";
import { connectedAmong } from "#server/messages/channels.ts";
import {
  lockSchedule,
  ruleOf,
  storedRule,
  type StoredSchedule,
} from "#server/delivery/schedules/schedule.ts";
import type { IdempotencyKey } from "#server/features/notifications/idempotency.ts";
import { resolveRecipients } from "#server/audience/recipients.ts";
import { type Clock, noSuchSchedule } from "#server/features/schedules/queries.ts";
import {
  complete,
  refuseForOwn,
  refuseUnfit,
  type Written,
} from "#server/features/schedules/written-schedule.ts";
import type { By, SessionUser } from "#server/http/route.ts";

type Created = Omit<BodyOf<typeof schedules.create>, "clientKey">;
type Updated = BodyOf<typeof schedules.update>;

/**
 * What the same call by this person created earlier; null if it created nothing. Throws already-taken for another call.
 */
export async function readEarlier(
  db: Db,
  user: SessionUser,
  { key, bodyHash }: IdempotencyKey,
): Promise<number | null> {
  const { rows } = await sql<{ id: number; name: string; hash: Buffer | null }>`
    SELECT id, name, client_key_hash AS hash FROM schedules
    WHERE created_by = ${user.id} AND client_key = ${key}`.execute(db);
  const [stored] = rows;
  if (!stored || stored.hash?.equals(bodyHash)) return stored?.id ?? null;
  throw refusal("schedule-saved-already", { name: stored.name });
}

/** Creates a schedule and returns its id; null if the key was used before. */
export async function createSchedule(
  db: Db,
  body: Created,
  { by, clock, key }: { by: By; clock: Clock; key: IdempotencyKey | null },
): Promise<number | null> {
  return transaction(db, async (tx) => {
    const audience = await resolveRecipients(tx, body.recipients);
    const { written, source } = await complete(tx, body, { audience, stored: null });
    await refuseUnfit(tx, written, clock, source);
    const { resident_date, day_offset, date_audience, ...rule } = storedRule(written);
    const { rows } = await sql<{ id: number }>`
      INSERT INTO schedules (name, recurrence, day_of_week, day_of_month, date, resident_date, day_offset,
        date_audience, time, end_time, zone, active, template_id, notification_id, channels, audience, audience_text, class, per_home, skip_if, field_values, connected_channels,
        client_key, client_key_hash, created_by, created_by_name)
      VALUES (${written.name}, ${rule.recurrence}, ${written.dayOfWeek}, ${written.dayOfMonth}, ${written.date},
        ${resident_date}, ${day_offset}, ${date_audience}, ${written.time}, ${written.endTime}, ${written.zone}, ${written.active}, ${written.templateId},
        ${written.notificationId}, ${written.channels}, ${rule.audience}, ${audienceText(audience)},
        ${written.class}, ${written.perHome}, ${written.skipIf && JSON.stringify(written.skipIf)}, ${JSON.stringify(written.fieldValues)}, ${await connectedAmong(tx, written.channels)},
        ${key?.key ?? null}, ${key?.bodyHash ?? null}, ${by.user.id}, ${fullName(by.user)})
      ON CONFLICT (created_by, client_key) DO NOTHING RETURNING id`.execute(tx);
    const id = rows[0]?.id;
    if (id === undefined) return null;
    if (written.active) await planNextRun(tx, id, written, { clock, before: null });
    await recordSchedule(tx, "create", { id, name: written.name }, by);
    return id;
  });
}

/**
 * Changes a schedule. Throws not-found, and a conflict if someone else changed it. What a call omits stays as it is.
 */
export async function updateSchedule(db: Db, id: number, body: Updated, by: By, clock: Clock): Promise<void> {
  await transaction(db, async (tx) => {
    const stored = await lockForChange(tx, id);
    refuseStale(body.updatedAt, stored.updatedAt, "schedule");
    const keeps = body.recipients.length === 1 && body.recipients[0] === stored.audienceText.trim();
    const audience = keeps ? stored.audience : await resolveRecipients(tx, body.recipients);
    const { written, source } = await complete(tx, body, { audience, stored });
    if (stored.ownNotification) refuseForOwn(stored, written);
    await refuseUnfit(tx, written, clock, source);
    // A recurring notification holds its texts itself, where it is edited as well; its schedule holds the dates.
    const { texts, dates } = textsAndDates(written.fieldValues);
    const { audience: storedAudience, date_audience, ...rule } = storedRule(written);
    await tx
      .updateTable("schedules")
      .set({
        name: stored.ownNotification && written.name === stored.name ? sql<string>`name` : written.name,
        ...rule,
        day_of_week: written.dayOfWeek,
        day_of_month: written.dayOfMonth,
        date: written.date,
        time: written.time,
        end_time: written.endTime,
        zone: written.zone,
        active: written.active,
        skip_if: written.skipIf && JSON.stringify(written.skipIf),
        field_values: JSON.stringify(stored.ownNotification ? dates : written.fieldValues),
        connected_channels: await connectedAmong(tx, written.channels),
        updated_at: sql<Date>`now()`,
        ...(!stored.ownNotification && {
          template_id: written.templateId,
          notification_id: written.notificationId,
          channels: written.channels,
          class: written.class,
          per_home: written.perHome,
          audience: storedAudience,
          date_audience,
          audience_text: audienceText(audience),
        }),
      })
      .where("id", "=", id)
      .execute();
    if (stored.ownNotification) await updateOwnNotification(tx, stored, { ...written, texts }, by);
    await forgetProblem(tx, id);
    await planNextRun(tx, id, written, { clock, before: stored });
    const changes = changesBetween<Partial<Written>>(stored, written);
    await recordSchedule(tx, "update", { id, name: written.name }, by, { changes });
  });
}

/**
 * Locks a schedule, and before it the notification it repeats, in the same order as an edit of that notification.
 * Throws not-found.
 */
export async function lockForChange(tx: Db, id: number): Promise<StoredSchedule> {
  await sql`
    SELECT FROM notifications WHERE id = (
      SELECT notification_id FROM schedules WHERE id = ${id} AND own_notification AND deleted_at IS NULL
    ) FOR NO KEY UPDATE`.execute(tx);
  const stored = await lockSchedule(tx, sql`s.id = ${id}`);
  if (stored) return stored;
  const isNotification = await sql`
    SELECT FROM notifications WHERE id = ${id - SCHEDULED_NOTIFICATION_OFFSET} AND kind = 'message' AND status = 'Scheduled'`.execute(
    tx,
  );
  if (isNotification.rows.length === 0) throw noSuchSchedule();
  throw refusal("a-scheduled-notification");
}

/** Works out the next run, or none while it is paused. Throws date-in-the-past if it should run and cannot. */
export async function planNextRun(
  tx: Db,
  id: number,
  written: Omit<Written, "name" | "audience" | "channels" | "fieldValues">,
  { clock, before }: { clock: Clock; before: StoredSchedule | null },
): Promise<void> {
  if (!written.active) {
    await unplan(tx, id);
    return;
  }
  const rule = ruleOf(written, clock.zone);
  const next = await replan(tx, id, rule, { now: clock.now, before: before?.active ? before : null });
  const ranOut = before?.active === true && before.nextRunAt === null;
  const sameRule = before !== null && JSON.stringify(ruleOf(before, clock.zone)) === JSON.stringify(rule);
  if (next || (ranOut && sameRule) || !written.date) return;
  const settled = await sql`
    SELECT FROM schedule_occurrences WHERE schedule_id = ${id} AND occurrence = ${written.date}`.execute(tx);
  if (settled.rows.length > 0) throw new Refusal(finding("already-ran", "date", {}));
  const at = occurrenceOn(rule, written.date).start.toISOString();
  throw new Refusal(finding("day-passed", "date", { at, zone: rule.zone, now: clock.now.toISOString() }));
}

async function updateOwnNotification(
  tx: Db,
  { notificationId }: StoredSchedule,
  { audience, channels, class: urgency, perHome, texts }: Written & { texts: Record<string, string> },
  { user }: By,
): Promise<void> {
  await sql`
    UPDATE notifications SET audience = ${JSON.stringify(audience)}, audience_text = ${audienceText(audience)},
      channels = ${channels}, class = coalesce(${urgency}, class),
      per_home = coalesce(${perHome}, per_home), field_values = field_values || ${JSON.stringify(texts)}::jsonb,
      edited_by = ${user.id}, edited_at = now(), updated_at = now()
    WHERE id = ${notificationId}
      AND (audience IS DISTINCT FROM ${JSON.stringify(audience)}::jsonb OR channels IS DISTINCT FROM ${channels}::text[]
        OR class <> ${urgency} OR per_home <> ${perHome}
        OR NOT field_values @> ${JSON.stringify(texts)}::jsonb)`.execute(tx);
}

export async function recordSchedule(
  tx: Db,
  what:
    | "create"
    | "update"
    | "delete"
    | "pause"
    | "activate"
    | "run"
    | "skip"
    | "unskip"
    | "send"
    | "dismiss",
  { id, name }: { id: number; name: string },
  by: By,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await recordAudit(tx, {
    by,
    action: `schedule.${what}`,
    subject: { type: "schedule", id },
    detail: { name, ...detail },
  });
  await notifyPages(tx, { type: "schedules" });
}
