import { sql } from "kysely";
import { tryUntilCommit } from "#server/db/advisory-locks.ts";
import { recordAudit } from "#server/db/audit.ts";
import { transaction, type Db } from "#server/db/database.ts";
import { channelSet, wants } from "#server/audience/person.ts";
import { notifyPages, notifyPagesOfRuns } from "../hints.ts";
import { E164 } from "../transports/sms/sender-settings.ts";
import type { IncomingText } from "../transports/webhook.ts";
import { answerHelp } from "./help-answer.ts";
import { putOff } from "./put-off.ts";

const BATCH = 50;

/** Keywords that carriers require, as the whole message. */
const stopWords = ["STOP", "STOPALL", "UNSUBSCRIBE", "CANCEL", "END", "QUIT", "REVOKE", "OPTOUT"];
const startWords = ["START", "YES", "UNSTOP"];
const helpWords = ["HELP", "INFO"];

/** The keyword that a text consists of; null: an ordinary reply. Ignores case, spaces, hyphens and final dots. */
export function wordIn(text: string): "stop" | "start" | "help" | null {
  const word = text.replaceAll(/[\s-]+|[.!]+\s*$/g, "").toUpperCase();
  if (stopWords.includes(word)) return "stop";
  if (helpWords.includes(word)) return "help";
  return startWords.includes(word) ? "start" : null;
}

type Open = { id: number; kind: string; text: IncomingText };

/**
 * Processes incoming texts (replies and keywords) in the order of arrival. A failure is reported to `onError` and doesn't
 * hold up the others. Returns whether there may be more.
 */
export async function processIncomingTexts(db: Db, onError: (error: unknown) => void): Promise<boolean> {
  for (let n = 0; n < BATCH; n += 1) if (!(await processNext(db, onError))) return false;
  return true;
}

async function processNext(db: Db, onError: (error: unknown) => void): Promise<boolean> {
  let open: Open | undefined;
  try {
    await transaction(db, async (tx) => {
      if (!(await tryUntilCommit(tx, "incomingTexts"))) return;
      const { rows } = await sql<Open>`
        SELECT r.id, a.kind, r.event AS text FROM receipts r JOIN accounts a ON a.id = r.account_id
        WHERE r.processed_at IS NULL AND r.retry_at <= now() AND r.event ->> 'what' = 'text'
        ORDER BY r.id LIMIT 1`.execute(tx);
      [open] = rows;
      if (!open) return;
      const deliveryId = await act(tx, open);
      await sql`UPDATE receipts SET processed_at = now(), delivery_id = ${deliveryId} WHERE id = ${open.id}`.execute(
        tx,
      );
    });
  } catch (error) {
    if (!open) throw error;
    onError(new Error(`Incoming text ${open.id} can't be acted on`, { cause: error }));
    await putOff(db, open.id);
  }
  return open !== undefined;
}

async function act(tx: Db, { kind, text: { from, text } }: Open): Promise<number | null> {
  const word = wordIn(text);
  if (word === "stop") {
    const people = await turnOff(tx, from);
    if (people === 0 && E164.test(from)) await block(tx, from, kind);
    return note(tx, from, { kind: "unsubscribed", text });
  }
  if (word === "start") await turnOn(tx, from);
  if (word === "help") await answerHelp(tx, { kind, from });
  // START and HELP words also show as replies: "Yes" may answer a question.
  return note(tx, from, { kind: "replied", text });
}

const holder = (from: string) => sql`trim(u.phone) = ${from} AND u.deleted_at IS NULL`;
const bit = sql.lit(channelSet(["sms"]));

/** Turns texts off for everyone with this number. Returns how many people have it. */
async function turnOff(tx: Db, from: string): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    WITH changed AS (
      UPDATE users u SET channels = u.channels # ${bit}, updated_at = now()
      WHERE ${holder(from)} AND ${wants.sms} RETURNING u.id
    ), recorded AS (
      INSERT INTO consents (user_id, channel, allowed, source) SELECT id, 'sms', false, 'texted-stop' FROM changed
    )
    SELECT count(*)::int AS people FROM users u WHERE ${holder(from)}`.execute(tx);
  return rows[0]!.people;
}

/** Undoes STOP, ours or the provider's, for everyone with this number. Doesn't undo an opt-out made any other way. */
async function turnOn(tx: Db, from: string): Promise<void> {
  await sql`
    WITH changed AS (
      UPDATE users u SET channels = u.channels # ${bit}, updated_at = now()
      WHERE ${holder(from)} AND NOT ${wants.sms} AND 'texted-stop' = (
        SELECT c.source FROM consents c WHERE c.user_id = u.id AND c.channel = 'sms' ORDER BY c.id DESC LIMIT 1)
      RETURNING u.id
    )
    INSERT INTO consents (user_id, channel, allowed, source) SELECT id, 'sms', true, 'texted-start' FROM changed`.execute(
    tx,
  );
  const { rows: unblocked } = await sql<{ reason: string }>`
    DELETE FROM suppressions WHERE channel = 'sms' AND address = ${from} AND kind = 'unsubscribe'
    RETURNING reason`.execute(tx);
  await sql`DELETE FROM refusals WHERE channel = 'sms' AND address = ${from} AND code = 'unsubscribed'`.execute(
    tx,
  );
  for (const { reason } of unblocked) await auditUnblocked(tx, from, reason);
}

async function auditUnblocked(tx: Db, from: string, reason: string): Promise<void> {
  const { rows } = await sql<{ id: number }>`SELECT u.id FROM users u WHERE ${holder(from)}`.execute(tx);
  for (const { id } of rows) {
    await recordAudit(tx, {
      by: null,
      action: "user.unblock-address",
      subject: { type: "user", id },
      detail: { channel: "sms", address: from, reason },
    });
  }
}

/** Blocks a number that isn't on file, in case it is added later. */
async function block(tx: Db, from: string, source: string): Promise<void> {
  await sql`
    INSERT INTO suppressions (channel, address, reason, source, kind)
    VALUES ('sms', ${from}, 'They texted STOP.', ${source}, 'unsubscribe')
    ON CONFLICT (channel, address) DO NOTHING`.execute(tx);
}

/**
 * Adds the event to the timeline of the newest text sent to this number, and notifies open pages. Returns null if nothing
 * was ever sent there: then only the provider's call is on record.
 */
async function note(
  tx: Db,
  from: string,
  event: { kind: "unsubscribed" | "replied"; text: string },
): Promise<number | null> {
  const { rows } = await sql<{ id: number; runId: number }>`
    WITH newest AS (
      SELECT d.id, d.run_id FROM deliveries d
      JOIN runs r ON r.id = d.run_id JOIN notifications n ON n.id = r.notification_id AND n.kind = 'message'
      WHERE d.channel = 'sms' AND d.address = ${from} AND d.status <> 'skipped' AND d.attempts > 0
      ORDER BY d.id DESC LIMIT 1
    )
    INSERT INTO delivery_events (delivery_id, at, kind, detail)
    SELECT id, clock_timestamp(), ${event.kind}, ${event.text} FROM newest
    RETURNING delivery_id AS id, (SELECT run_id FROM newest) AS "runId"`.execute(tx);
  const [found] = rows;
  if (!found) return null;
  await notifyPagesOfRuns(tx, [found.runId]);
  await notifyPages(tx, { type: "notifications" });
  return found.id;
}
