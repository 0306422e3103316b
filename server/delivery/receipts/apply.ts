import type { DeliveryStatus } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import type { Receipt } from "../transports/webhook.ts";
import { receiptKinds } from "../transports/webhook.ts";

/** A delivery as far as a receipt can change it. */
export type Standing = {
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  /** Tries without an answer since it was queued. */
  unconfirmed: number;
  messageId: string | null;
  acceptedAt: Date | null;
  deliveredAt: Date | null;
  openedAt: Date | null;
  clickedAt: Date | null;
};

export type Applied = {
  standing: Standing;
  /** What its timeline says; null where it says so already. */
  event: Receipt["what"] | null;
  /** The address that it went to is not used again. */
  suppress: boolean;
};

/** The order of several that arrive together, whatever order they came in. */
export function inOrder(a: Receipt, b: Receipt): number {
  return receiptKinds.indexOf(a.what) - receiptKinds.indexOf(b.what) || a.at.getTime() - b.at.getTime();
}

/**
 * What a receipt makes of a delivery. States only move forward: what arrived, bounced or failed stays so, and what
 * comes later is an event. A message whose answer was lost is settled by whatever the provider says about it.
 * `earlier`: the receipt is about the message before someone retried it.
 *
 * | from | accepted, delayed, opened, clicked, complained | delivered | bounced, failed |
 * |---|---|---|---|
 * | accepted | – | delivered | bounced, failed |
 * | uncertain, failed as unconfirmed | accepted | delivered | bounced, failed |
 * | queued, expired or cancelled after a try without an answer | accepted | delivered | – |
 * | any other | – | – | – |
 */
export function apply(standing: Standing, receipt: Receipt, earlier = false): Applied {
  const { what, at, messageId } = receipt;
  const suppress = receipt.suppress === true || what === "complained" || what === "unsubscribed";
  // The message was sent again since, by a person or under another id.
  if (earlier || (messageId && standing.messageId && messageId !== standing.messageId)) {
    return { standing, event: what === "accepted" ? null : what, suppress };
  }
  const moved = move(standing, receipt);
  const told = {
    ...moved,
    // What moves nothing may be about an earlier try, and the next one has another id.
    messageId: standing.messageId ?? (moved === standing ? null : (messageId ?? null)),
    openedAt: standing.openedAt ?? (what === "opened" ? at : null),
    clickedAt: standing.clickedAt ?? (what === "clicked" ? at : null),
  };
  const known =
    (what === "accepted" && moved === standing) ||
    (what === "opened" && standing.openedAt !== null) ||
    (what === "clicked" && standing.clickedAt !== null);
  return { standing: told, event: known ? null : what, suppress };
}

function move(standing: Standing, receipt: Receipt): Standing {
  const open = openTo(standing);
  if (open === "nothing") return standing;
  const { what, at, detail = null } = receipt;
  const accepted = { acceptedAt: standing.acceptedAt ?? at };
  switch (what) {
    case "delivered":
      return { ...standing, ...accepted, status: "delivered", reason: null, detail, deliveredAt: at };
    case "bounced":
    case "failed":
      if (open === "good news") return standing;
      return { ...standing, ...accepted, status: what, reason: reasonOf(receipt), detail };
    case "accepted":
    case "delayed":
    case "opened":
    case "clicked":
    case "complained":
      if (standing.status === "accepted") return standing;
      return { ...standing, ...accepted, status: "accepted", reason: null, detail: null };
    case "unsubscribed":
      return standing;
    default:
      return what satisfies never;
  }
}

/** Good news alone settles what is queued once more: bad news would be of the try before. */
function openTo({ status, reason, unconfirmed }: Standing): "anything" | "good news" | "nothing" {
  switch (status) {
    case "accepted":
    case "uncertain":
      return "anything";
    case "failed":
      return reason === "unconfirmed" ? "anything" : "nothing";
    case "queued":
    case "expired":
    case "cancelled":
      return unconfirmed > 0 ? "good news" : "nothing";
    default:
      return "nothing";
  }
}

function reasonOf({ code = "", suppress }: Receipt): Reason {
  if (/\b[45]\.2\.2\b/.test(code)) return "mailbox-full";
  if (code === "unsubscribed") return "unsubscribed";
  return suppress ? "no-such-address" : "undelivered";
}
