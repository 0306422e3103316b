import { sql } from "kysely";
import { refusal } from "#contract/refusals/refusal.ts";
import { finding, type Finding, Refusal } from "#contract/findings.ts";
import type { Db } from "#server/db/database.ts";
import { recordAudit } from "#server/db/audit.ts";
import { neededFields, withPersonal } from "#server/audience/details.ts";
import { nobodyIn } from "#server/audience/audience.ts";
import { reach, reachesAnybody, type ReachQuestion } from "#server/audience/reach.ts";
import { type Start, startRunAtOnce } from "#server/delivery/runs/start-run.ts";
import { readStored, type StoredNotification, usedFields } from "#server/features/notifications/queries.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import type { By } from "#server/http/route.ts";

/**
 * Starts a notification because a person says so, in the caller's transaction. A person is told at once if no one can
 * be reached; the scheduler, which no one watches, records it for each recipient instead. `start`: see `startRun`. Returns
 * what there is to say about it although it starts.
 */
export async function sendNow(
  tx: Db,
  id: number,
  by: By,
  start: Omit<Start, "startedBy"> = {},
): Promise<Finding[]> {
  const stored = await readStored(tx, id, "FOR NO KEY UPDATE");
  if (!stored) throw refusal("no-such-notification");
  const { runId, queued, done, warnings } = await startRunAtOnce(
    tx,
    id,
    { organization: readOrganization },
    { ...start, startedBy: by.user.id },
  );
  const question = {
    audience: stored.audience,
    channels: stored.channels,
    skipIf: stored.skipIf,
    fields: await withPersonal(tx, usedFields(stored), {
      typed: stored.fieldValues,
      valuesId: stored.valuesId,
    }),
    notificationId: id,
  };
  if (!queued && (done || !(await reachesAnybody(tx, question)))) throw await whyNobody(tx, stored, question);
  await recordAudit(tx, {
    by,
    action: "notification.send",
    subject: { type: "notification", id },
    // In the end the run knows who got it; until then no one has been counted.
    detail: { run: runId, to: stored.audience_text, channels: stored.channels },
  });
  return warnings;
}

/**
 * Whether all that a started notification sends goes to the Sandbox. Looks at people instead of messages, which are
 * written only later.
 */
export async function isSandboxOnly(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql<ReachQuestion>`
    SELECT r.audience, r.notification_id AS "notificationId", ARRAY(SELECT unnest(r.channels) EXCEPT SELECT unnest(r.simulated_channels)) AS channels,
      ${neededFields(sql`v.compiled`)} AS fields
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.notification_id = ${id} AND r.simulated_channels <> '{}'`.execute(db);
  return rows[0] !== undefined && !(await reachesAnybody(db, rows[0]));
}

const EXAMPLES = 3;

/** Everyone is counted only now. */
async function whyNobody(tx: Db, stored: StoredNotification, question: ReachQuestion): Promise<Refusal> {
  const { people, settled, unreachable } = await reach(tx, question);
  if (people === 0 && settled > 0) return new Refusal(finding("all-settled", null, { people: settled }));
  if (people === 0) {
    return new Refusal({ ...nobodyIn(stored.audience, stored.audience_text), field: "recipients" });
  }
  const examples = unreachable.first.slice(0, EXAMPLES).map(({ name, reasons }) => ({
    name,
    sentences: [...new Set(reasons.map(({ sentence }) => sentence))],
  }));
  return new Refusal(
    finding("unreachable", "recipients", {
      audience: stored.audience_text,
      channels: stored.channels,
      examples,
      more: unreachable.total - examples.length,
    }),
  );
}
