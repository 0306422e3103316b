import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { addUpTallies } from "#server/delivery/maintenance.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { removeDetails } from "#server/features/sample/details.ts";
import { removePeople } from "#server/features/sample/remove-people.ts";
import { removeSampleLogo } from "#server/features/sample/sample-logo.ts";
import {
  isSampleLoaded,
  notificationsOfSample,
  readRemoval,
  sampleIds,
  sampleNotifications,
  usedTemplates,
} from "#server/features/sample/rows.ts";
import { detach, isFanningOut, lockUses } from "#server/features/schedules/use-of-recipient.ts";
import type { By } from "#server/http/route.ts";

/**
 * Removes every row that the sample property added, with everything that depends on it. What people made themselves stays,
 * and every notification that went to anyone else: both keep the sample people who got them, as deleted people. Throws
 * not-found, and conflict if the caller is one of the sample's people or a message is going out to one of its groups.
 */
export async function removeSample(db: Db, by: By): Promise<void> {
  await transaction(db, async (tx) => {
    await holdUntilCommit(tx, "sample");
    if (!(await isSampleLoaded(tx))) throw refusal("sample-not-loaded");
    const own = await sql`SELECT FROM sample_rows WHERE kind = 'user' AND id = ${by.user.id}`.execute(tx);
    if (own.rows.length > 0) {
      throw refusal("signed-in-as-sample");
    }
    const removed = await readRemoval(tx);
    await removeNotifications(tx);
    await removeTemplates(tx);
    await removeGroups(tx);
    await sql`DELETE FROM audit WHERE id IN ${sampleIds("audit")}`.execute(tx);
    const places = await placesOfSample(tx);
    await removePeople(tx);
    await removeEmptyPlaces(tx, places);
    await removeDetails(tx);
    await sql`DELETE FROM sample_rows`.execute(tx);
    await removeSampleLogo(tx);
    await addUpTallies(tx);
    await recordAudit(tx, {
      by,
      action: "sample.remove",
      subject: { type: "sample" },
      detail: { ...removed },
    });
    await notifyPages(tx, { type: "notifications" }, { type: "schedules" }, { type: "settings" });
  });
}

/** With the schedules, whose runs are notifications. A worker that still has a message in hand finds no row to write. */
async function removeNotifications(tx: Db): Promise<void> {
  await sql`
    SELECT FROM notifications WHERE id IN ${notificationsOfSample} ORDER BY id FOR UPDATE`.execute(tx);
  // None of these runs can spread to anyone else any more.
  await sql`
    SELECT FROM runs WHERE notification_id IN ${notificationsOfSample} ORDER BY id FOR UPDATE`.execute(tx);
  const { rows } = await sql<{ id: number }>`SELECT id FROM ${sampleNotifications} n`.execute(tx);
  const ids = rows.map(({ id }) => id);
  const runs = await sql<{ id: number }>`
    SELECT id FROM runs WHERE notification_id = ANY(${ids}::bigint[])`.execute(tx);
  const runIds = sql`ANY(${runs.rows.map(({ id }) => id)}::bigint[])`;
  const deliveries = sql`(SELECT id FROM deliveries WHERE run_id = ${runIds})`;
  await sql`DELETE FROM suppressions WHERE (channel, address) IN (
    SELECT channel, address FROM deliveries WHERE run_id = ${runIds} AND user_id IN ${sampleIds("user")})`.execute(
    tx,
  );
  await sql`UPDATE receipts SET delivery_id = NULL WHERE delivery_id IN ${deliveries}`.execute(tx);
  for (const table of ["attempts", "delivery_events", "refusals", "earlier_addresses"]) {
    await sql`DELETE FROM ${sql.table(table)} WHERE delivery_id IN ${deliveries}`.execute(tx);
  }
  const ofRuns = ["deliveries", "run_people", "run_outcomes", "run_counts", "refused_contents", "resends"];
  for (const table of ofRuns) await sql`DELETE FROM ${sql.table(table)} WHERE run_id = ${runIds}`.execute(tx);
  await sql`DELETE FROM runs WHERE id = ${runIds}`.execute(tx);
  await sql`DELETE FROM schedule_occurrences WHERE schedule_id IN ${sampleIds("schedule")}`.execute(tx);
  await sql`DELETE FROM schedules WHERE id IN ${sampleIds("schedule")}`.execute(tx);
  const given = sql`ANY(${ids}::bigint[])`;
  // The site's own schedule that sent such a notification says that its message no longer exists.
  const left = await sql<{ id: number }>`
    UPDATE schedules SET notification_id = NULL WHERE notification_id = ${given} RETURNING id`.execute(tx);
  await sql`DELETE FROM content_versions WHERE notification_id = ${given}`.execute(tx);
  await sql`DELETE FROM notifications WHERE id = ${given}`.execute(tx);
  await checkNextRuns(tx, sql`s.id = ANY(${left.rows.map(({ id }) => id)}::bigint[])`);
}

async function removeTemplates(tx: Db): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM templates WHERE id IN ${sampleIds("template")} AND id NOT IN ${usedTemplates} FOR UPDATE`.execute(
    tx,
  );
  const ids = sql`ANY(${rows.map(({ id }) => id)}::bigint[])`;
  await sql`DELETE FROM template_versions WHERE template_id = ${ids}`.execute(tx);
  await sql`DELETE FROM templates WHERE id = ${ids}`.execute(tx);
}

async function placesOfSample(tx: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT h.property_id AS id FROM residencies r JOIN units h ON h.id = r.unit_id
    WHERE r.person_id IN ${sampleIds("user")}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Homes in which no one else has lived, and properties without others. */
async function removeEmptyPlaces(tx: Db, propertyIds: readonly number[]): Promise<void> {
  const among = sql`ANY(${[...propertyIds]}::bigint[])`;
  await sql`DELETE FROM units h WHERE property_id = ${among}
    AND NOT EXISTS (SELECT FROM residencies r WHERE r.unit_id = h.id)`.execute(tx);
  const empty = sql`property_id = ${among} AND property_id NOT IN (SELECT property_id FROM units)`;
  await sql`DELETE FROM home_changes WHERE ${empty}`.execute(tx);
  await sql`DELETE FROM property_names WHERE ${empty}`.execute(tx);
  await sql`DELETE FROM properties WHERE id = ${among} AND id NOT IN (SELECT property_id FROM property_names)`.execute(
    tx,
  );
}

/** A property's group stays while someone who isn't from the sample lives there. */
async function removeGroups(tx: Db): Promise<void> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT g.id, g.name FROM user_groups g
    WHERE g.id IN ${sampleIds("group")} AND NOT (g.built_in AND EXISTS (SELECT FROM users u
      WHERE u.property = g.rule->>'property' AND u.deleted_at IS NULL AND u.id NOT IN ${sampleIds("user")}))
    ORDER BY g.id FOR UPDATE OF g`.execute(tx);
  for (const { id, name } of rows) {
    if (await isFanningOut(tx, id)) {
      throw refusal("message-going-out", { name });
    }
    const group = { type: "group", id, name } as const;
    await detach(tx, group, await lockUses(tx, group));
    await sql`DELETE FROM user_groups WHERE id = ${id}`.execute(tx);
  }
}
