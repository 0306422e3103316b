import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import { recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { channelsTurnedOff } from "#server/audience/person.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { isFailure, missedPeople } from "#server/features/notifications/attention.ts";
import { writeAudit } from "#server/features/sample/audit-lines.ts";
import { addDetails, fillDetails } from "#server/features/sample/details.ts";
import { insertSampleRecords, type SampleRecords } from "#server/features/sample/sample-records.ts";
import { playHistory } from "#server/features/sample/history.ts";
import { addSampleLogo } from "#server/features/sample/sample-logo.ts";
import { sampleGroups } from "#server/features/sample/groups.ts";
import { sentMessages, unsentMessages } from "#server/features/sample/messages.ts";
import { isSampleLoaded, notificationsOfSample } from "#server/features/sample/rows.ts";
import { sampleSchedules } from "#server/features/sample/schedules.ts";
import { sampleTemplates } from "#server/features/sample/templates.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import type { By } from "#server/http/route.ts";

/**
 * Loads the sample property: invented people, groups, templates, schedules and two months of notifications, all in one
 * transaction. The same each time, but for the times, which are relative to `now`. Throws conflict unless the system has
 * no people yet and nothing it sends leaves.
 */
export async function loadSample(db: Db, by: By, now: Date): Promise<void> {
  await transaction(db, async (tx) => {
    await holdUntilCommit(tx, "sample");
    await refuse(tx, by.user.id);
    const clock = { now, zone: await readSetting(tx, "timezone") };
    await addSampleLogo(tx, by.user.id);
    await addDetails(tx);
    const records = await insertSampleRecords(tx, clock, by.user.username);
    await playHistory(tx, records, clock);
    await fillDetails(tx, records.tenants);
    await dealWithEarlier(tx, records, now);
    await leaveUnseen(tx, by.user.id, now);
    await recordAudit(tx, {
      by,
      action: "sample.load",
      subject: { type: "sample" },
    });
    await notifyPages(tx, { type: "notifications" }, { type: "schedules" }, { type: "settings" });
  });
}

async function refuse(tx: Db, userId: number): Promise<void> {
  if (await isSampleLoaded(tx)) throw refusal("sample-loaded-already");
  const { rows } = await sql<{ people: number; accounts: boolean }>`
    SELECT (SELECT count(*) FROM users WHERE deleted_at IS NULL AND id <> ${userId}) AS people,
      EXISTS (SELECT FROM accounts WHERE enabled AND NOT simulated) AS accounts`.execute(tx);
  const { people, accounts } = rows[0]!;
  if (people > 0) {
    throw refusal("sample-beside-people", { people });
  }
  if (accounts) {
    throw refusal("sample-beside-provider");
  }
  const names = sampleGroups.map(({ name }) => name.toLowerCase());
  const taken = await sql<{ name: string }>`
    SELECT name FROM user_groups WHERE lower(name) = ANY(${names}) ORDER BY name LIMIT 1`.execute(tx);
  if (taken.rows[0]) {
    throw refusal("sample-group-taken", { name: taken.rows[0].name });
  }
  const changed = await changedTemplate(tx);
  if (changed) {
    throw refusal("sample-template-changed", { name: changed });
  }
  if ((await channelsTurnedOff(tx)).length > 0) {
    throw refusal("sample-without-channel");
  }
}

/** The name of a built-in template that the sample uses, and that is no longer what its messages fill in. */
async function changedTemplate(tx: Db): Promise<string | undefined> {
  const own = new Set(sampleTemplates.map(({ name }) => name));
  const used = [...sentMessages, ...unsentMessages, ...sampleSchedules].flatMap((one) =>
    "template" in one && !own.has(one.template) ? [one.template] : [],
  );
  const { rows } = await sql<{ name: string }>`
    SELECT used.name FROM unnest(${used}::text[]) used (name)
    WHERE NOT EXISTS (
      SELECT FROM templates t
      WHERE t.name = used.name AND t.slug IS NOT NULL AND t.version = 1 AND t.archived_at IS NULL)
    LIMIT 1`.execute(tx);
  return rows[0]?.name;
}

const newFailures = sql`interval '6 days'`;

/** Someone dismissed the failures before the last days', on the day after each. */
async function dealWithEarlier(tx: Db, { staff }: SampleRecords, now: Date): Promise<void> {
  const { rows } = await sql<{ id: number; at: Date; missed: number }>`
    UPDATE notifications n SET missed_when_dismissed = ${missedPeople}
    WHERE n.id IN ${notificationsOfSample} AND ${isFailure}
      AND n.updated_at < ${now}::timestamptz - ${newFailures}
    RETURNING n.id, n.updated_at + interval '1 day' AS at, n.missed_when_dismissed AS missed`.execute(tx);
  const did = { by: staff[1]!, action: "notification.dismiss", type: "notification" } as const;
  await writeAudit(
    tx,
    rows.map(({ id, at, missed }) => ({ ...did, id, at, detail: { missed } })),
  );
}

/** The last days' failures and replies are new to the person who loads it. */
async function leaveUnseen(tx: Db, userId: number, now: Date): Promise<void> {
  await sql`
    UPDATE users SET failures_seen_at = ${now}::timestamptz - ${newFailures},
      replies_seen_at = ${now}::timestamptz - interval '1 day',
      schedule_failures_seen_at = ${now}::timestamptz - interval '20 days'
    WHERE id = ${userId}`.execute(tx);
}
