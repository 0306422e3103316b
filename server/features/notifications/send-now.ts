import { isolated } from "#contract/text/isolate.ts";
import { sql } from "kysely";
import type { Reach } from "#contract/calls/audience.ts";
import { channelMeaning } from "#contract/delivery.ts";
import { AppError, fieldError } from "#contract/errors.ts";
import { noChannels } from "#contract/calls/notification-fields.ts";
import type { Db } from "#server/db/database.ts";
import { recordAudit } from "#server/db/audit.ts";
import { nobodyIn } from "#server/audience/audience.ts";
import { reach, reachesAnybody, type ReachQuestion } from "#server/audience/reach.ts";
import { startRunAtOnce } from "#server/delivery/runs/start-run.ts";
import { readStored, type StoredNotification, usedFields } from "#server/features/notifications/queries.ts";
import { refuseGone } from "#server/audience/recipients.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import type { By } from "#server/http/route.ts";

/**
 * Starts a notification because a person says so, in the caller's transaction. A person is told at once if no one can
 * be reached; the scheduler, which no one watches, records it for each recipient instead. `savedEarlier`: its recipients
 * may have been deleted since. `day`: see `startRun`.
 */
export async function sendNow(
  tx: Db,
  id: number,
  by: By,
  { savedEarlier = false, day }: { savedEarlier?: boolean; day?: string | undefined } = {},
): Promise<void> {
  const stored = await readStored(tx, id, "FOR NO KEY UPDATE");
  if (!stored) throw new AppError("not-found", "Notification not found");
  if (stored.content.trim() === "") {
    const sentence = "Either template or custom message is required";
    throw fieldError("invalid-input", "content", sentence);
  }
  if (stored.channels.length === 0) throw fieldError("invalid-input", "channels", noChannels);
  if (savedEarlier) await refuseGone(tx, stored.audience);
  const question = { audience: stored.audience, channels: stored.channels, fields: usedFields(stored) };
  const organization = readOrganization;
  const { runId, queued, done } = await startRunAtOnce(tx, id, { organization }, by.user.id, day);
  if (!queued && (done || !(await reachesAnybody(tx, question)))) throw await whyNobody(tx, stored, question);
  await recordAudit(tx, {
    by,
    action: "notification.send",
    subject: { type: "notification", id },
    // In the end the run knows who got it; until then no one has been counted.
    detail: { run: runId, to: stored.audience_text, channels: stored.channels },
  });
}

/**
 * Whether all that a started notification sends goes to the Sandbox. Looks at people instead of messages, which are
 * written only later.
 */
export async function isSandboxOnly(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql<ReachQuestion>`
    SELECT r.audience, ARRAY(SELECT unnest(r.channels) EXCEPT SELECT unnest(r.simulated_channels)) AS channels,
      ARRAY(SELECT jsonb_array_elements_text(v.compiled -> 'fields')) AS fields
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id
    WHERE r.notification_id = ${id} AND r.simulated_channels <> '{}'`.execute(db);
  return rows[0] !== undefined && !(await reachesAnybody(db, rows[0]));
}

/** The refusal in words. Everyone is counted only now. */
async function whyNobody(tx: Db, stored: StoredNotification, question: ReachQuestion): Promise<AppError> {
  const { people, unreachable } = await reach(tx, question);
  const ways = stored.channels.map((channel) => channelMeaning[channel].spoken).join(" or ");
  const sentence =
    people === 0
      ? nobodyIn(stored.audience, stored.audience_text)
      : `No one in ${stored.audience_text} can be reached by ${ways}. ${examplesOf(unreachable)}`.trim();
  return fieldError("empty-audience", "recipients", sentence);
}

const EXAMPLES = 3;

/** The reasons of the first few by name, and how many more there are. For a single person the name is left out. */
function examplesOf({ first, total }: Reach["unreachable"]): string {
  const reasons = first.slice(0, EXAMPLES).map(({ name, reasons }) => {
    const sentences = [...new Set(reasons.map(({ sentence }) => sentence))].join(" ");
    return total === 1 ? sentences : `${isolated(name)}: ${sentences}`;
  });
  const more = total - reasons.length;
  return [...reasons, ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}
