import { sql } from "kysely";
import { tryUntilCommit } from "#server/db/advisory-locks.ts";
import { recordAudit } from "#server/db/audit.ts";
import { transaction, type Db } from "#server/db/database.ts";
import { liftOptOut, optOut } from "#server/audience/opt-outs.ts";
import { notifyPages, notifyPagesOfRuns } from "../hints.ts";
import { E164 } from "../transports/sms/sender-settings.ts";
import type { IncomingText } from "../transports/webhook.ts";
import { keywordIn, soundsLikeStop } from "../transports/sms/opt-out-words.ts";
import { answerHelp, confirmOptOut } from "./answer-keyword.ts";
import { putOff } from "./put-off.ts";

const BATCH = 50;

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

async function act(tx: Db, { kind, text }: Open): Promise<number | null> {
  const { from, text: words } = text;
  const said = keywordIn(words);
  const keyword = text.keyword ?? said?.keyword;
  // What the provider recognized, it has answered.
  const asked = text.keyword === undefined && said && { kind, from, language: said.language };
  switch (keyword) {
    case "stop":
      if (E164.test(from) && (await stop(tx, from, kind)) && asked) await confirmOptOut(tx, asked);
      return note(tx, from, { kind: "unsubscribed", text: words });
    case "start":
    case "yes":
      await start(tx, from, keyword);
      break;
    case "help":
      if (asked) await answerHelp(tx, asked);
      break;
    case undefined:
      if (E164.test(from) && soundsLikeStop(words)) await stop(tx, from, kind, words);
      break;
    default:
      return keyword satisfies never;
  }
  // START and HELP words also show as replies: "Yes" may answer a question.
  return note(tx, from, { kind: "replied", text: words });
}

/** Everyone with this number gets no more texts, now or later. Returns whether they got any before. */
async function stop(tx: Db, from: string, account: string, words?: string): Promise<boolean> {
  const source = words === undefined ? "texted-stop" : "texted-words";
  return optOut(tx, { channel: "sms", address: from }, { source, account, ...(words && { words }) });
}

/** Undoes STOP, ours or the provider's. START also undoes what the number's only holder turned off themselves. */
async function start(tx: Db, from: string, keyword: "start" | "yes"): Promise<void> {
  const wish = keyword === "start" ? ({ own: "alone" } as const) : ({ only: "texted" } as const);
  const lifted = await liftOptOut(tx, { channel: "sms", address: from }, { source: "texted-start", ...wish });
  if (lifted.reason === null) return;
  for (const id of lifted.people) {
    await recordAudit(tx, {
      by: null,
      action: "user.unblock-address",
      subject: { type: "user", id },
      detail: { channel: "sms", address: from, reason: lifted.reason },
    });
  }
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
