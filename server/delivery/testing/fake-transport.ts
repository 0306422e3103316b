import * as z from "zod";
import { channels, type Channel } from "#contract/delivery.ts";
import { SendQueue } from "#server/delivery/transports/send-queue.ts";
import { transportAdapter, type TransportAdapter } from "#server/delivery/transports/adapter.ts";
import type {
  Transport,
  Check,
  Failure,
  Outcome,
  OutgoingMessage,
  Progress,
  Recovery,
} from "#server/delivery/transports/transport.ts";

/** What the fake provider does with one message. `hang`: it begins and never answers. */
type Behavior = (message: OutgoingMessage) => Outcome | "hang" | Promise<Outcome | "hang">;

type FakeOptions = {
  channel?: Channel;
  kind?: string;
  simulated?: boolean;
  recovery?: Recovery;
  concurrency?: number;
  behavior?: Behavior;
  check?: () => Check;
};

export const ACCEPTED: Outcome = { kind: "accepted", messageId: "provider-1" };

/** A provider in memory that keeps the port's promises. `received` is what really reached it, in order. */
export class FakeTransport implements Transport {
  readonly channel: Channel;
  readonly kind: string;
  readonly simulated: boolean;
  readonly recovery: Recovery;
  readonly concurrency: number;
  readonly received: OutgoingMessage[] = [];
  /** The most messages that were on the wire at one time. */
  most = 0;
  behavior: Behavior;
  checkAnswer: () => Check;
  checks = 0;
  readonly #queue = new SendQueue();
  #busy = 0;

  constructor(options: FakeOptions = {}) {
    this.channel = options.channel ?? "email";
    this.kind = options.kind ?? "fake";
    this.simulated = options.simulated ?? false;
    this.recovery = options.recovery ?? "blind";
    this.concurrency = options.concurrency ?? 4;
    this.behavior = options.behavior ?? (() => ACCEPTED);
    this.checkAnswer = options.check ?? (() => ({ ok: true, detail: "Connected" }));
  }

  send(messages: readonly OutgoingMessage[], progress: Progress, signal: AbortSignal): Promise<void> {
    const finished = this.#queue.add(messages, progress, signal);
    while (this.#busy < this.concurrency && this.#queue.ready) void this.#work();
    return finished;
  }

  timeoutMs(): number {
    return 1000;
  }

  check(): Promise<Check> {
    this.checks += 1;
    return Promise.resolve(this.checkAnswer());
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #work(): Promise<void> {
    this.#busy += 1;
    for (let job = this.#queue.take(); job; job = this.#queue.take()) {
      const { message, call } = job;
      if ((await call.progress.begun?.(message)) !== false) {
        this.most = Math.max(this.most, this.#busy);
        const outcome = await this.behavior(message);
        if (outcome === "hang") continue;
        if (outcome.kind === "accepted" || outcome.kind === "uncertain") this.received.push(message);
        if (isAccounts(outcome)) this.#queue.leaveAll(outcome);
        await call.progress.settled(message, outcome);
      }
      this.#queue.done(job);
    }
    this.#busy -= 1;
  }
}

/** What concerns the whole account: everything else is left alone. */
function isAccounts(outcome: Outcome): outcome is Failure {
  const { kind } = outcome;
  return (
    kind === "throttled" || kind === "misconfigured" || (kind === "unavailable" && outcome.account === true)
  );
}

/** An adapter whose every account is this one. */
export function adapterFor(transport: FakeTransport): TransportAdapter {
  const { kind, simulated, recovery } = transport;
  return transportAdapter({
    kind,
    label: kind,
    channels,
    simulated,
    recovery,
    settings: z.object({}),
    open: () => transport,
  });
}
