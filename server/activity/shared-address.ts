import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { DeliveryStatus } from "#contract/delivery.ts";
import { deliveryStatusMeaning, reasonSentence } from "#contract/delivery.ts";

/** One message goes to an address that several share. The others fare as the person does whose message it is. */

/**
 * How the person of `deliveries d` fares: the status of their own message, or of the one that goes to the shared
 * address; 'skipped' where none does any more. Only who shares an address costs a look into the index.
 */
export const fares: RawBuilder<DeliveryStatus> = sql`CASE WHEN d.reason = 'same-address' THEN coalesce(
    (SELECT h.status FROM deliveries h WHERE h.run_id = d.run_id AND h.channel = d.channel
      AND h.address = d.address AND h.status <> 'skipped'), 'skipped')
  ELSE d.status END`;

/** What to say of a message that goes to the address for somebody else, too, and what to do about it. */
export function sharedWords(
  holder: string | null,
  status: DeliveryStatus,
): { sentence: string; next: string } {
  if (status === "skipped") {
    const who = holder ?? "somebody";
    return {
      sentence: `Shares an address with ${who}, but no message goes there for them.`,
      next: "Send again.",
    };
  }
  const { group, sentence } = deliveryStatusMeaning[status];
  return {
    sentence: `${reasonSentence("same-address", holder)} ${sentence}`,
    next:
      group === "unreached"
        ? "Look at the other one's message for the reason. Mend that, or give this person another address, then send again."
        : "",
  };
}
