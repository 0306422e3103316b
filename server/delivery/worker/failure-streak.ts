import { type AccountReason, accountReasonText } from "#contract/refusals/account-reasons.ts";
import type { Failure, Outcome } from "#server/delivery/transports/transport.ts";

/** What a series of failures says about the account. `what`: as text for people. */
type SetBack = { state: "paused" | "resting" | "refuses-content"; what: string; because: AccountReason };

/** This many different recipients got the same answer from the server. */
export const SAME_ANSWER = 5;
/** A silent server: each further message would be in doubt, or occupy a connection for half a minute. */
const NO_ANSWER = 3;
const AN_HOUR_MS = 3_600_000;

type Streak = { addresses: Set<string>; since: number };

/**
 * Distinguishes a server that refuses, delays or ignores all of us from one that does so to single recipients. If
 * several different recipients are affected and none was accepted in between, it is about the account.
 */
export class FailureStreak {
  readonly #streaks = new Map<string, Streak>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  get empty(): boolean {
    return this.#streaks.size === 0;
  }

  /** It accepted a message, or was already set back. */
  forget(): void {
    this.#streaks.clear();
  }

  /** The outcome of a message to this address; null while it says nothing about the account. */
  failed(outcome: Failure, address: string, runId: number): SetBack | null {
    const kind = meaningOf(outcome);
    if (kind === null) return null;
    const key = `${outcome.kind} ${outcome.code} ${kind.state === "refuses-content" ? runId : ""}`;
    const known = this.#streaks.get(key);
    const streak =
      known && this.#now() - known.since < AN_HOUR_MS
        ? known
        : { addresses: new Set<string>(), since: this.#now() };
    this.#streaks.set(key, streak);
    streak.addresses.add(address);
    const count = streak.addresses.size;
    if (count < kind.enough) return null;
    const because = { code: kind.code, params: { count, detail: outcome.detail } };
    return { state: kind.state, what: accountReasonText(because), because };
  }
}

type Meaning = { state: SetBack["state"]; enough: number; code: AccountReason["code"] };

function meaningOf(outcome: Failure): Meaning | null {
  switch (outcome.kind) {
    case "refused":
      if (outcome.noDevice) return null;
      return outcome.of === "recipient"
        ? { state: "paused", enough: SAME_ANSWER, code: "refused-in-a-row" }
        : { state: "refuses-content", enough: SAME_ANSWER, code: "refuses-content" };
    case "unavailable": {
      // A greylisting server delays each recipient for a while and then accepts the retry.
      if (outcome.account === true || /gr[ae]y/i.test(outcome.detail)) return null;
      const answered = /^\d/.test(outcome.code);
      return {
        state: "resting",
        enough: answered ? SAME_ANSWER : NO_ANSWER,
        code: answered ? "deferred-in-a-row" : "unanswered-in-a-row",
      };
    }
    case "uncertain":
      return { state: "resting", enough: NO_ANSWER, code: "unconfirmed-in-a-row" };
    case "throttled":
    case "misconfigured":
      return null;
    default:
      return outcome satisfies never;
  }
}

/** The message an account is tried with: if it is refused or delayed, that may still be about the account. */
export function onTrial(outcome: Outcome): Outcome {
  if (outcome.kind === "unavailable") return { ...outcome, account: true };
  if (outcome.kind !== "refused" || outcome.of !== "recipient" || outcome.noDevice) return outcome;
  return { kind: "misconfigured", code: outcome.code, detail: outcome.detail };
}
