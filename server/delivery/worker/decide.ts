import {
  type Channel,
  channelMeaning,
  classPolicy,
  type DeliveryStatus,
  messageClasses,
} from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import type { Outcome, Recovery } from "#server/delivery/transports/transport.ts";
import { suppressedReason } from "../runs/suppressed.ts";

/** The history of a delivery, as far as it decides what comes next. */
export type History = { channel: Channel; priority: number; failures: number; unconfirmed: number };

/** What an outcome changes about a delivery. */
type Verdict = {
  status: Extract<DeliveryStatus, "queued" | "accepted" | "delivered" | "failed" | "uncertain">;
  reason: Reason | null;
  detail: string | null;
  /** When it may be tried or looked at again; null: no change. */
  delayMs: number | null;
  /** Makes the next pause longer. */
  failure: boolean;
  /** Counts against the limit of attempts without an answer. */
  unconfirmed: boolean;
  /** The provider refused this recipient; `bounced`: for good, so the address may be suppressed. */
  refusedRecipient: boolean;
  /** The provider refused the message itself. */
  refusedContent: boolean;
  bounced: boolean;
};

export const FIRST_MS = 2000;
export const LONGEST_MS = 15 * 60_000;
/**
 * How long a receipt may still settle what the provider did not answer. Providers find a message that we look up only
 * minutes after they accepted it; by then they do.
 */
export const RECEIPT_WAIT_MS = 10 * 60_000;

/**
 * At most 2 s, 6 s, 18 s … 15 min, and at least half of that: scattered, so that messages that failed together do not
 * retry together, and never at once.
 */
export function backoffMs(failures: number, random: () => number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 3 ** failures);
  return Math.round((longest * (1 + random())) / 2);
}

export function decide(
  outcome: Outcome,
  history: History,
  recovery: Recovery,
  random: () => number,
): Verdict {
  const stays = {
    reason: null,
    detail: null,
    delayMs: null,
    failure: false,
    unconfirmed: false,
    refusedRecipient: false,
    refusedContent: false,
    bounced: false,
  };
  switch (outcome.kind) {
    case "accepted":
      return {
        ...stays,
        status: outcome.delivered ? "delivered" : "accepted",
        detail: outcome.detail ?? null,
      };
    case "refused":
      return {
        ...stays,
        status: "failed",
        reason: refusalReason(outcome),
        detail: outcome.detail,
        refusedRecipient: outcome.of === "recipient" && !outcome.noDevice,
        refusedContent: outcome.of === "message",
        bounced: outcome.suppress ?? false,
      };
    case "throttled":
      // The account has to wait, not the message: another account takes it at once.
      return { ...stays, status: "queued", reason: "throttled", detail: outcome.detail };
    case "misconfigured":
      return { ...stays, status: "queued", reason: "provider-paused", detail: outcome.detail };
    case "unavailable":
      // This message revealed a problem of the account: another account takes it at once, or it waits for this one.
      if (outcome.account)
        return { ...stays, status: "queued", reason: "provider-paused", detail: outcome.detail };
      return { ...stays, ...tryAgain(outcome.detail, history, random) };
    case "uncertain":
      // The provider recognizes a repeated message by its key, so repeating is safe.
      if (recovery === "keyed") return { ...stays, ...tryAgain(outcome.detail, history, random) };
      // A provider that can be asked is asked each time.
      if (history.unconfirmed > 0 && recovery !== "queryable") {
        return {
          ...stays,
          status: "failed",
          reason: "unconfirmed",
          detail: outcome.detail,
          unconfirmed: true,
        };
      }
      return {
        ...stays,
        status: "uncertain",
        reason: "unconfirmed",
        detail: outcome.detail,
        delayMs: RECEIPT_WAIT_MS,
        unconfirmed: true,
      };
    default:
      return outcome satisfies never;
  }
}

/** Retried until its time runs out: whatever the fault is, it may end before that. */
function tryAgain(detail: string, { failures }: History, random: () => number) {
  const delayMs = backoffMs(failures, random);
  return { status: "queued", reason: "retrying", detail, delayMs, failure: true } as const;
}

/** May a message that got no answer be sent a second time? The policy of its class decides. */
export function mayRepeat({ channel, priority }: Pick<History, "channel" | "priority">): boolean {
  const known = messageClasses.find((name) => classPolicy[name].priority === priority);
  return (
    channelMeaning[channel].recognizesCopies || classPolicy[known ?? "general"].repeatUnconfirmed === "always"
  );
}

function refusalReason({ of, code, suppress, noDevice }: Extract<Outcome, { kind: "refused" }>): Reason {
  if (noDevice) return "no-device";
  if (of === "message") return "content-refused";
  if (/\b5\.2\.2\b/.test(code)) return "mailbox-full";
  if (suppress) return suppressedReason(code);
  if (code === "invalid_address" || /\b5\.1\.\d+\b/.test(code)) return "no-such-address";
  return "refused";
}
