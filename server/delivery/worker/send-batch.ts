import type { Reason } from "#contract/delivery-reasons.ts";
import type {
  Transport,
  Failure,
  Outcome,
  OutgoingMessage,
  Recovery,
} from "#server/delivery/transports/transport.ts";
import { span, traceparent, withLogFields } from "#server/telemetry/signals.ts";
import { EMERGENCY } from "../runs/departure.ts";
import { boundedOutcome } from "../transports/bounded.ts";
import { unwritable } from "../transports/unwritable.ts";
import type { PreparedMessages } from "./prepared-messages.ts";
import type { Claimed } from "./claim.ts";
import { decide } from "./decide.ts";
import { onTrial } from "./failure-streak.ts";
import type { OutcomeWriter } from "./outcome-writer.ts";
import type { Change } from "./record.ts";

/** How long after the transport's own timeout we stop expecting an outcome. */
const OVERDUE_MS = 30_000;
/** The process may have been suspended for so long that others have decided about the message meanwhile. */
const STOOD_STILL_MS = 60_000;
/** A fault of ours while loading the content costs no attempt, but is not retried immediately. */
const FAULT_PAUSE_MS = 1000;

type Held = { delivery: Claimed; begun: boolean; beginning: Promise<boolean> | undefined; since: number };

/** `address`: if it was sent. `agoMs`: since it left. */
export type Settled = { address: string | null; runId: number; urgent: boolean; agoMs: number };

type SendBatchOptions = {
  token: number;
  accountId: number;
  /** In milliseconds since 1970. */
  claimStarted: number;
  transport: Transport;
  recovery: Recovery;
  outcomeWriter: OutcomeWriter;
  random: () => number;
  load: (deliveries: readonly Claimed[]) => Promise<PreparedMessages>;
  /** Called with each outcome before it is written. */
  onSettled: (outcome: Outcome, message: Settled) => void;
  /** Why its account is held back: nothing more begins, and messages go back instead. */
  heldBack: () => Failure | null;
  /** The account is on trial with it. */
  onTrial: boolean;
  onError: (error: unknown) => void;
};

/** One call of a transport's `send`, and what happens to each of its deliveries. It is their `Progress`. */
export class SendBatch {
  readonly #options: SendBatchOptions;
  readonly #deliveries: readonly Claimed[];
  readonly #pending = new Map<OutgoingMessage, Held>();
  /** The transport has broken its promise to report in time. */
  #overdue = false;
  #traceparent: string | undefined;
  readonly #givenUp = Promise.withResolvers<void>();
  held: number;
  heldUrgent: number;

  constructor(deliveries: readonly Claimed[], options: SendBatchOptions) {
    this.#options = options;
    this.#deliveries = deliveries;
    this.held = deliveries.length;
    this.heldUrgent = deliveries.filter(isUrgent).length;
  }

  /**
   * Resolves when none of it is in memory anymore: settled, or handed back for someone else to send. Rejects if that is
   * not true of all: the rest then belongs to its lease, for the process that takes over.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { outcomeWriter, load, onError, accountId, claimStarted: startedAt } = this.#options;
    const { messages, broken, traces } = await load(this.#deliveries);
    for (const { delivery, error, final } of broken) {
      withLogFields({ runId: delivery.runId, deliveryId: delivery.id }, () => onError(error));
      const held = { delivery, begun: false, beginning: undefined, since: 0 };
      outcomeWriter.settle(
        final
          ? this.#change(held, unwritable(error))
          : { ...this.#handBack(held, "handed-back"), delayMs: FAULT_PAUSE_MS },
      );
      this.#forget(delivery);
    }
    for (const [message, delivery] of messages) {
      this.#pending.set(message, { delivery, begun: false, beginning: undefined, since: 0 });
    }
    // A span per batch, because one per message would cost more than the message. It belongs to the first run's trace.
    const [parent, ...links] = traces;
    const { channel, runId } = this.#deliveries[0]!;
    const attributes = {
      "porchlight.channel": channel,
      "porchlight.account_id": accountId,
      "porchlight.run_id": runId,
      "messaging.batch.message_count": messages.size,
    };
    await span("send batch", { parent, links, startedAt, attributes }, async () => {
      this.#traceparent = traceparent();
      await span("claim and prepare", { startedAt }, () => Promise.resolve());
      await span("send", {}, () => this.#send([...messages.keys()], signal));
    });
  }

  async #send(messages: readonly OutgoingMessage[], signal: AbortSignal): Promise<void> {
    await Promise.race([this.#options.transport.send(messages, this, signal), this.#givenUp.promise]);
    for (const message of this.#pending.keys()) this.left(message);
  }

  async begun(message: OutgoingMessage): Promise<boolean> {
    const held = this.#pending.get(message);
    if (!held) return false;
    const because = this.#options.heldBack();
    if (because) {
      this.left(message, because);
      return false;
    }
    const asked = performance.now();
    held.beginning = this.#options.outcomeWriter.begin(held.delivery);
    held.begun = await held.beginning;
    held.since = performance.now();
    if (held.begun && held.since - asked > STOOD_STILL_MS) {
      this.left(message);
      return false;
    }
    // Cancelled meanwhile, or the lease was lost.
    if (!held.begun) this.left(message);
    return held.begun && this.#pending.has(message);
  }

  advanced(message: OutgoingMessage): void {
    const held = this.#pending.get(message);
    if (held) held.since = performance.now();
  }

  left(message: OutgoingMessage, because?: Failure): void {
    const held = this.#pending.get(message);
    if (!held) return;
    this.#pending.delete(message);
    this.#options.outcomeWriter.settle(this.#handBack(held, whyLeft(because)));
    this.#forget(held.delivery);
  }

  settled(message: OutgoingMessage, outcome: Outcome): void | Promise<void> {
    const held = this.#pending.get(message);
    if (!held) return undefined;
    // A transport may learn the outcome before it learns that it may begin.
    if (held.beginning && !held.begun) return held.beginning.then(() => this.#settle(message, outcome));
    return this.#settle(message, outcome);
  }

  /**
   * Gives up on messages whose transport did not report in time, and then on the call itself, which may never end
   * either: what it has not begun goes elsewhere. `stoppedAt`: since when nothing may begin anymore. True if there was
   * such a message.
   */
  settleOverdue(stoppedAt: number): boolean {
    const { transport } = this.#options;
    const limit = performance.now() - OVERDUE_MS;
    let longest = 0;
    let hangs = false;
    for (const [message, held] of this.#pending) {
      const timeoutMs = transport.timeoutMs(message);
      longest = Math.max(longest, timeoutMs);
      if (held.begun && held.since < limit - timeoutMs) {
        this.#settle(message, { kind: "uncertain", code: "no_outcome", detail: "The connection hung." });
        this.#overdue = true;
        hangs = true;
      }
    }
    const onTheWire = [...this.#pending.values()].some(({ beginning }) => beginning !== undefined);
    if ((this.#overdue || stoppedAt < limit - longest) && !onTheWire) this.#givenUp.resolve();
    return hangs;
  }

  #settle(message: OutgoingMessage, reported: Outcome): void {
    const held = this.#pending.get(message);
    if (!held) return;
    this.#pending.delete(message);
    const shown = withoutLink(boundedOutcome(reported), message.links.password);
    const outcome = this.#options.onTrial ? onTrial(shown) : shown;
    // At the same moment: the message must not come back to its account before it is known what that says about it.
    this.#options.outcomeWriter.settle(this.#change(held, outcome));
    const { delivery, begun, since } = held;
    const agoMs = begun ? performance.now() - since : 0;
    const address = begun ? message.address : null;
    this.#options.onSettled(shown, { address, runId: delivery.runId, urgent: isUrgent(delivery), agoMs });
    this.#forget(held.delivery);
  }

  #forget(delivery: Claimed): void {
    this.held -= 1;
    if (isUrgent(delivery)) this.heldUrgent -= 1;
  }

  #change({ delivery, begun }: Held, outcome: Outcome): Change {
    const { token, accountId, recovery, random } = this.#options;
    const accepted = outcome.kind === "accepted";
    const verdict = decide(outcome, delivery, recovery, random);
    return {
      id: delivery.id,
      token,
      claim: delivery.claim,
      was: "sending",
      begun,
      ...verdict,
      // What we found out ourselves is not an answer of the account.
      refusedRecipient: verdict.refusedRecipient && begun,
      refusedContent: verdict.refusedContent && begun,
      messageId: accepted ? outcome.messageId : undefined,
      traceparent: this.#traceparent,
      attempt: {
        accountId,
        outcome: outcome.kind,
        code: accepted ? null : outcome.code,
        words: outcome.detail ?? null,
      },
    };
  }

  #handBack({ delivery, begun }: Held, reason: Reason): Change {
    const { token } = this.#options;
    return {
      id: delivery.id,
      token,
      claim: delivery.claim,
      was: "sending",
      begun,
      status: "queued",
      reason,
      detail: null,
      delayMs: null,
    };
  }
}

function isUrgent({ priority }: Claimed): boolean {
  return priority === EMERGENCY;
}

function whyLeft(because: Failure | undefined): Reason {
  if (because === undefined) return "handed-back";
  return because.kind === "throttled" ? "throttled" : "provider-paused";
}

/** A provider may quote the message it refuses. Its words are stored and shown; a one-time link never is. */
function withoutLink(outcome: Outcome, link: string | undefined): Outcome {
  const token = link?.slice(link.lastIndexOf("/") + 1);
  if (!token || outcome.detail === undefined) return outcome;
  return { ...outcome, detail: outcome.detail.replaceAll(token, "••••••••") };
}
