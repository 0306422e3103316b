import { sql, type RawBuilder } from "kysely";
import { deliveryStatusMeaning, type Channel, type DeliveryStatus } from "#contract/delivery.ts";
import {
  type Reason,
  addressText,
  reasonSentence,
  sharesMessage,
  sharingReasons,
} from "#contract/delivery-reasons.ts";
import { inMonthsOf } from "#server/db/months.ts";

/**
 * The status that counts for the person of `deliveries d`: that of their own message, or of the message that they share
 * with someone of the same address or home; 'skipped' if none goes there anymore. `ids`: of these deliveries or their
 * runs.
 */
export const effectiveStatus = (ids: readonly number[]): RawBuilder<DeliveryStatus> =>
  sql`CASE WHEN d.reason IN (${sql.join(sharingReasons.map((reason) => sql.lit(reason)))}) THEN coalesce((SELECT h.status FROM deliveries h
    WHERE ${inMonthsOf(sql`h.run_id`, ids)} AND h.id = d.shared_with), 'skipped')
  ELSE d.status END`;

type Shared = { reason: Reason; channel: Channel; detail: string | null; status: DeliveryStatus };

/** What to say about a message that is shared, and what to do about it; null if it isn't. `status`: the effective one. */
export function sharedText({
  reason,
  channel,
  detail: holder,
  status,
}: Shared): { sentence: string; next: string } | null {
  if (!sharesMessage(reason)) return null;
  const atHome = reason === "same-home";
  if (status === "skipped") {
    const who = holder ?? "someone";
    const sentence = atHome
      ? `One message per home: it was meant for ${who}, but wasn't sent.`
      : `Has the same ${addressText(channel)} as ${who}, but no message was sent there for them.`;
    return { sentence, next: "Retry." };
  }
  const { group, sentence } = deliveryStatusMeaning[status];
  const fix = atHome
    ? "Fix that, then retry. If it can't be sent to them, a retry goes to someone else in the home."
    : `Fix that, or give this person another ${addressText(channel)}, then retry.`;
  const said =
    atHome && group !== "reached"
      ? `Shares one message per home with ${holder ?? "someone"}.`
      : reasonSentence(reason, channel, holder);
  return {
    sentence: `${said} ${sentence}`,
    next: group === "unreached" ? `Look at the other person's message for the reason. ${fix}` : "",
  };
}
