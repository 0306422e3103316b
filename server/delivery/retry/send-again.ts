import { sql } from "kysely";
import type { Channel, NotificationStatus } from "#contract/delivery.ts";
import { reasonSentence, type Reason } from "#contract/delivery-reasons.ts";
import type { RetryPreview } from "#contract/calls/deliveries.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { refuse } from "#contract/findings.ts";
import { refuseArchived } from "#server/db/archived-months.ts";
import type { Db } from "#server/db/database.ts";
import { readClock } from "#server/messages/clock.ts";
import { check, type Context } from "#server/messages/gate.ts";
import { type Message, messageColumns } from "#server/messages/message.ts";
import { judgedAgain, type RepeatableRun, type RetryOptions } from "./retry-deliveries.ts";
import { addResend, leavesSandbox, isSelected, repeatableRun, resendSome, resendTotals } from "./resend.ts";

const UNREACHED: RetryOptions = { unconfirmed: false, includeReached: false };

/**
 * Retries the undelivered messages of everyone who was not reached, with their current address and consent; `options` may
 * include more. A second click finds nothing left to do. The request is committed first, together with what is written
 * `alongside`, so that a worker continues if this process ends. `stillUnreachable` counts the messages that still
 * cannot be sent. `sandboxOnly`: some are sent, and all of them go to the Sandbox. Throws AppError: not-found, conflict
 * (nothing was sent yet, it was cancelled, or its month is archived).
 */
export async function sendAgain(
  db: Db,
  notificationId: number,
  options: Partial<RetryOptions> = {},
  alongside: (tx: Db) => Promise<void> = () => Promise.resolve(),
): Promise<{ requeued: number; stillUnreachable: number; sandboxOnly: boolean }> {
  const { run, resend } = await db.transaction().execute(async (tx) => {
    const run = await findRun(tx, notificationId, { lock: true });
    await alongside(tx);
    const resend = await addResend(tx, run.id, { ...UNREACHED, ...options });
    // After that, because a month whose archiving begins now waits for the insert, or is seen here.
    await refuseArchived(tx, run.id);
    return { run, resend };
  });
  for (;;) {
    const step = await resendSome(db, resend);
    if (!step || step.done) break;
  }
  const totals = await resendTotals(db, resend);
  return { ...totals, sandboxOnly: totals.requeued > 0 && !(await leavesSandbox(db, resend, run)) };
}

/**
 * What `sendAgain` would do right now, without doing it. People who share an address are in neither number. Throws the
 * same as `sendAgain`.
 */
export async function retryPreview(
  db: Db,
  notificationId: number,
  given: Partial<RetryOptions> = {},
): Promise<RetryPreview> {
  const run = await findRun(db, notificationId, { lock: false });
  await refuseArchived(db, run.id);
  const options = { ...UNREACHED, ...given };
  const { rows } = await sql<{ channel: Channel; reason: Reason | null; count: number }>`
    WITH ${judgedAgain(run, options, isSelected(options))}
    SELECT channel, reason, count(*) AS count FROM judged_again WHERE holder IS NULL
    GROUP BY channel, reason ORDER BY count(*) DESC, channel, reason`.execute(db);
  const sendable = rows.filter(({ reason }) => reason === null);
  return {
    messages: sendable.reduce((sum, { count }) => sum + count, 0),
    sandboxOnly:
      sendable.length > 0 && sendable.every(({ channel }) => run.simulatedChannels.includes(channel)),
    blocked: rows.flatMap(({ channel, reason, count }) =>
      reason === null ? [] : [{ channel, reason, count, sentence: reasonSentence(reason, channel) }],
    ),
  };
}

async function findRun(db: Db, notificationId: number, { lock }: { lock: boolean }): Promise<RepeatableRun> {
  const { rows } = await sql<Message & { status: NotificationStatus; kind: Context["kind"] }>`
    SELECT n.status, n.kind, ${messageColumns("n")} FROM notifications n
    WHERE n.id = ${notificationId} ${lock ? sql`FOR NO KEY UPDATE` : sql``}`.execute(db);
  const [message] = rows;
  if (!message) throw refusal("no-such-notification");
  const run = await repeatableRun(db, sql`r.notification_id = ${notificationId}`, { lock });
  if (!run) throw refusal("nothing-to-repeat", { status: message.status });
  // Who is gone is judged message by message, and who got it is left alone.
  const context = {
    ...(await readClock(db)),
    moment: "sending",
    kind: message.kind,
    gone: [],
    again: true,
  } as const;
  refuse(await check(db, message, { kind: "now" }, context));
  return run;
}
