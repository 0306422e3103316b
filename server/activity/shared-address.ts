import { sql, type RawBuilder } from "kysely";
import { deliveryStatusMeaning, type Channel, type DeliveryStatus } from "#contract/delivery.ts";
import { addressText, reasonSentence } from "#contract/delivery-reasons.ts";
import { inMonthsOf } from "#server/db/months.ts";

/**
 * The status that counts for the person of `deliveries d`: that of their own message, or of the message to the address
 * they share; 'skipped' if no message goes there anymore. `ids`: of these deliveries or their runs.
 */
export const effectiveStatus = (ids: readonly number[]): RawBuilder<DeliveryStatus> =>
  sql`CASE WHEN d.reason = 'same-address' THEN coalesce((SELECT h.status FROM deliveries h
    WHERE ${inMonthsOf(sql`h.run_id`, ids)} AND h.id = d.shared_with), 'skipped')
  ELSE d.status END`;

/** What to say about a message to a shared address, and what to do about it. */
export function sharedAddressText(
  channel: Channel,
  holder: string | null,
  status: DeliveryStatus,
): { sentence: string; next: string } {
  if (status === "skipped") {
    const who = holder ?? "someone";
    return {
      sentence: `Has the same ${addressText(channel)} as ${who}, but no message was sent there for them.`,
      next: "Retry.",
    };
  }
  const { group, sentence } = deliveryStatusMeaning[status];
  return {
    sentence: `${reasonSentence("same-address", channel, holder)} ${sentence}`,
    next:
      group === "unreached"
        ? `Look at the other person's message for the reason. Fix that, or give this person another ${addressText(channel)}, then retry.`
        : "",
  };
}
