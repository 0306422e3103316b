import type { DeliveryStatus } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import { suppressedReason } from "../runs/suppressed.ts";
import { receiptKinds, type Receipt } from "../transports/webhook.ts";

/** The part of a delivery that a receipt can change. */
export type DeliveryState = {
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  /** Attempts without an answer since it was queued. */
  unconfirmed: number;
  messageId: string | null;
  acceptedAt: Date | null;
  deliveredAt: Date | null;
  openedAt: Date | null;
  clickedAt: Date | null;
};

type Applied = {
  state: DeliveryState;
  /** The event to add to its timeline; null if the timeline has it already. */
  event: Receipt["what"] | null;
  /** Suppress the address that it went to. */
  suppress: boolean;
};

/** Sorts receipts for one delivery into the order in which they apply, regardless of the order of arrival. */
export function inOrder(a: Receipt, b: Receipt): number {
  return receiptKinds.indexOf(a.what) - receiptKinds.indexOf(b.what) || a.at.getTime() - b.at.getTime();
}

/**
 * Applies a receipt to a delivery. States only move forward: delivered, bounced and failed are final, and later receipts
 * only add events. A message whose answer was lost is settled by the first receipt for it.
 * `earlier`: the receipt is for an earlier message, before someone retried it.
 *
 * | from | accepted, delayed, opened, clicked, complained | delivered | bounced, failed |
 * |---|---|---|---|
 * | accepted | – | delivered | bounced, failed |
 * | uncertain, failed as unconfirmed | accepted | delivered | bounced, failed |
 * | queued, expired or cancelled after an attempt without an answer | accepted | delivered | – |
 * | any other | – | – | – |
 */
export function apply(state: DeliveryState, receipt: Receipt, earlier = false): Applied {
  const { what, at, messageId } = receipt;
  const suppress = receipt.suppress === true || what === "complained" || what === "unsubscribed";
  // The message has been resent since, by a person or under another id.
  if (earlier || (messageId && state.messageId && messageId !== state.messageId)) {
    return { state, event: what === "accepted" ? null : what, suppress };
  }
  const moved = move(state, receipt);
  const updated = {
    ...moved,
    // A receipt that changes nothing may be for an earlier attempt, whose id differs.
    messageId: state.messageId ?? (moved === state ? null : (messageId ?? null)),
    openedAt: state.openedAt ?? (what === "opened" ? at : null),
    clickedAt: state.clickedAt ?? (what === "clicked" ? at : null),
  };
  const duplicate =
    (what === "accepted" && moved === state) ||
    (what === "opened" && state.openedAt !== null) ||
    (what === "clicked" && state.clickedAt !== null);
  return { state: updated, event: duplicate ? null : what, suppress };
}

function move(state: DeliveryState, receipt: Receipt): DeliveryState {
  const open = openTo(state);
  if (open === "nothing") return state;
  const { what, at, detail = null } = receipt;
  const accepted = { acceptedAt: state.acceptedAt ?? at };
  switch (what) {
    case "delivered":
      return { ...state, ...accepted, status: "delivered", reason: null, detail, deliveredAt: at };
    case "bounced":
    case "failed":
      if (open === "good news") return state;
      return { ...state, ...accepted, status: what, reason: reasonOf(receipt), detail };
    case "accepted":
    case "delayed":
    case "opened":
    case "clicked":
    case "complained":
      if (state.status === "accepted") return state;
      return { ...state, ...accepted, status: "accepted", reason: null, detail: null };
    case "unsubscribed":
      return state;
    default:
      return what satisfies never;
  }
}

/** A requeued message is only settled by good news: bad news would be about the previous attempt. */
function openTo({ status, reason, unconfirmed }: DeliveryState): "anything" | "good news" | "nothing" {
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

function reasonOf({ code, suppress }: Receipt): Reason {
  if (/\b[45]\.2\.2\b/.test(code ?? "")) return "mailbox-full";
  return suppress ? suppressedReason(code) : "undelivered";
}
