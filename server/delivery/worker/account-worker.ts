import type { Db } from "#server/db/database.ts";
import type { Transport } from "#server/delivery/transports/transport.ts";
import { emit, withLogFields } from "#server/telemetry/signals.ts";
import type { Account } from "../accounts/accounts.ts";
import type { Transports } from "../accounts/open-transports.ts";
import type { Quarantine } from "./quarantine.ts";
import type { PreparedMessages } from "./prepared-messages.ts";
import { claim, whatIsDue, type Claimed, type ClaimQuestion } from "./claim.ts";
import { hedged, isSilent } from "./hedge.ts";
import { SendBatch } from "./send-batch.ts";
import type { OutcomeWriter } from "./outcome-writer.ts";
import { startLoop, type Loop } from "./loop.ts";
import { Pace } from "./pace.ts";
import type { QueueShares } from "./queue-shares.ts";
import { beginTrial, probeAccount, trialWaits } from "./account-health.ts";
import { UrgentPause } from "./urgent-pause.ts";
import { AccountObserver } from "./account-observer.ts";

export type AccountWorkerOptions = {
  db: Db;
  token: number;
  outcomeWriter: OutcomeWriter;
  transports: Transports;
  load: (deliveries: readonly Claimed[]) => Promise<PreparedMessages>;
  random: () => number;
  pollMs: number;
  /** A claim can't be repeated, so one without an answer for this long is a fault. */
  claimMs: number;
  id: number;
  /** The account's current state; undefined once it no longer serves. */
  account: () => Account | undefined;
  /** Where there can be something to claim (`openMonths`). */
  months: () => readonly number[];
  /** Shared with the channel's other accounts. */
  shares: QueueShares;
  /** Shared with all accounts of this process. */
  quarantine: Quarantine;
  /** Reads the state of all accounts. */
  refresh: () => Promise<void>;
  /** Called for deliveries that a claim has moved, to this worker or out of the queue. */
  onMoved: (deliveries: readonly { runId: number }[]) => void;
  onError: (error: unknown) => void;
  /** See `startLoop`. */
  stuckMs: number;
  /** Rows may be claimed by this worker without it knowing, so its session must end. */
  onFault: (error: unknown) => void;
};

/** How often a rate-limited provider's token bucket is checked while something waits for it. */
const TOKENS_MS = 100;

/** Keeps one account busy: claims the next deliveries while the last ones are still being sent. */
export class AccountWorker {
  readonly #options: AccountWorkerOptions;
  readonly #loop: Loop;
  /** Of its own, because it goes on while the worker stops. */
  readonly #watch: Loop;
  readonly #stopping = new AbortController();
  #stoppedAt = Infinity;
  readonly #batches = new Map<SendBatch, { transport: Transport; sent: Promise<void> }>();
  #pace: { transport: Transport; pace: Pace } | undefined;
  /** The last claim found nothing: free room alone is no reason to ask again. */
  #exhausted = false;
  /** The last claim got all that it asked for, so there is probably more. */
  #more = false;
  #suspect: SendBatch | undefined;
  /** What a claim asks for may be in this process's hands before its answer is here. */
  #claiming = 0;
  readonly #member = {
    held: () => this.#count("held") - this.#count("heldUrgent") + this.#claiming,
    wake: () => this.wake(),
  };
  #missing = false;
  #outOfRate = false;
  readonly #urgentPause = new UrgentPause();
  readonly #observer: AccountObserver;
  readonly #id: number;

  constructor(options: AccountWorkerOptions) {
    this.#options = options;
    this.#id = options.id;
    options.quarantine.join(this.#member);
    this.#observer = new AccountObserver({
      ...options,
      // Nothing is claimed for it before what was observed is written down and known here.
      onSetBack: () => options.shares.leave(this.#id),
    });
    const watch = () => {
      for (const [batch, { transport }] of this.#batches) {
        if (batch.settleOverdue(this.#stoppedAt)) this.#replace(transport);
      }
      return Promise.resolve(options.pollMs);
    };
    const supervised = { onError: options.onError, stuckMs: options.stuckMs };
    [this.#loop, this.#watch] = withLogFields({ accountId: options.id }, () => [
      startLoop(() => this.#step(), {
        ...supervised,
        name: `account ${options.id}`,
        onStuck: options.onFault,
      }),
      startLoop(watch, { ...supervised, name: `watch of account ${options.id}` }),
    ]);
  }

  /** There may be something new to do. */
  wake(): void {
    this.#loop.wake();
  }

  /** Claims no more, lets what is on the wire end, and hands the rest back. */
  async stop(): Promise<void> {
    this.#stoppedAt = performance.now();
    this.#stopping.abort();
    this.#options.shares.leave(this.#id);
    await this.#loop.stop();
    await Promise.all([...this.#batches.values()].map(({ sent }) => sent));
    this.#options.quarantine.leave(this.#member);
    await this.#watch.stop();
  }

  async #step(): Promise<number> {
    const { pollMs, transports, shares, quarantine, db, months } = this.#options;
    await this.#observer.written();
    const account = this.#options.account();
    const transport = account && transports.of(account);
    if (account && !transport) this.#reportMissing(account);
    if (account && transport && account.state !== "ok") {
      this.#observer.forget();
      if (account.onTrial) await this.#try(account, transport);
      else await probeAccount(db, account, transport);
    }
    if (!account || !transport || account.state !== "ok") {
      shares.leave(this.#id);
      this.#more = false;
      if (!this.#suspect) quarantine.end(this.#member);
      return pollMs;
    }
    this.#observer.release();
    const limited = account.ratePerSecond !== null;
    const capacity = this.#paceOf(transport).measure();
    const due = await hedged(() => whatIsDue(db, { account, months: months(), more: this.#more }));
    if (!this.#suspect) await this.#sendSuspects(account, transport, due.suspects);
    const room = this.#hasRoom(capacity) && !quarantine.wanted;
    if (account.slowedSeconds !== null || this.#outOfRate) shares.leave(this.#id);
    else shares.join(this.#id, account.weight, capacity, this.#member.wake);
    const share = shares.has(this.#id) ? shares.allowance(this.#id) : Infinity;

    // Emergencies have room of their own, and the last tokens, and are not asked to slow down: they never wait until
    // a bulk send makes way. One that asked us to slow down leaves them to those that did not; without any, it gets one
    // at a time.
    const slowed = this.#slowed(account);
    if (due.urgent && (slowed ? shares.none && this.#urgentPause.over : !room || limited || share < 1)) {
      const most = slowed ? 1 : capacity;
      await this.#take("urgent", most - this.#count("heldUrgent"), account, transport);
    }
    const limit = Math.min(share, capacity - this.#count("held"));
    const any =
      due.any && room && !quarantine.wanted ? await this.#take("any", limit, account, transport) : 0;
    shares.claimed(this.#id, any);
    // Fewer than it asked for: it may be out of its rate, and the others go on without it.
    if (room && limit >= 1) {
      this.#outOfRate = limited && any < limit;
      this.#more = any >= limit;
    }
    if (room) this.#exhausted = any === 0;
    return limited && (due.any || due.urgent) ? Math.min(TOKENS_MS, pollMs) : pollMs;
  }

  /** One at a time, once this process holds nothing else. */
  async #sendSuspects(account: Account, transport: Transport, due: boolean): Promise<void> {
    const { quarantine } = this.#options;
    if (this.#slowed(account)) return quarantine.end(this.#member);
    if (!quarantine.isTurnOf(this.#member)) {
      if (!due || quarantine.wanted) return;
      quarantine.begin(this.#member);
    } else if (quarantine.over) {
      return quarantine.end(this.#member);
    }
    if (!quarantine.quiet) return;
    await this.#take("suspects", 1, account, transport);
    if (!this.#suspect) quarantine.end(this.#member);
  }

  /** Hands one message to an account whose answers set it back. */
  async #try(account: Account, transport: Transport): Promise<void> {
    const { db } = this.#options;
    if (this.#batches.size > 0 || !(await beginTrial(db, account))) return;
    this.#paceOf(transport);
    if ((await this.#take("trial", 1, account, transport)) === 0) await trialWaits(db, account);
  }

  #slowed({ slowedSeconds }: Account): boolean {
    return slowedSeconds !== null;
  }

  async #take(
    which: ClaimQuestion["which"],
    limit: number,
    account: Account,
    transport: Transport,
  ): Promise<number> {
    if (limit <= 0 || this.#stopping.signal.aborted) return 0;
    const shared = which === "any" || which === "trial";
    if (shared) this.#claiming = limit;
    const claimStarted = Date.now();
    const claimed = await this.#claim({ which, limit, account, months: this.#options.months() });
    this.#claiming = 0;
    if (claimed.length === 0) {
      if (shared && this.#options.quarantine.wanted) this.#options.quarantine.wakeAll();
      return 0;
    }
    const ours = claimed.filter(({ status }) => status === "sending");
    if (ours.length > 0) {
      const batch = this.#launch(ours, { account, transport, claimStarted, onTrial: which === "trial" });
      if (which === "suspects") this.#suspect = batch;
    }
    this.#options.onMoved(claimed);
    return claimed.length;
  }

  /** Without an answer it is unknown whether anything was claimed; only the lease's end brings that to light. */
  async #claim(question: Omit<ClaimQuestion, "token">): Promise<Claimed[]> {
    const { db, token, claimMs, outcomeWriter, onFault } = this.#options;
    try {
      return await outcomeWriter.bulk(async () => {
        const claimed = claim(db, { ...question, token });
        if (await isSilent(claimed, claimMs)) throw new Error("A claim got no answer");
        return claimed;
      });
    } catch (error) {
      onFault(error);
      return [];
    }
  }

  #launch(
    deliveries: readonly Claimed[],
    {
      account,
      onTrial,
      ...given
    }: { account: Account; transport: Transport; claimStarted: number; onTrial: boolean },
  ): SendBatch {
    const { token, outcomeWriter, load, random, onError } = this.#options;
    const { pace } = this.#pace!;
    const batch = new SendBatch(deliveries, {
      token,
      accountId: account.id,
      ...given,
      recovery: this.#options.transports.recoveryOf(account),
      outcomeWriter,
      random,
      load,
      onError,
      heldBack: () => (onTrial ? null : this.#observer.heldBack),
      onTrial,
      onSettled: (outcome, message) => {
        if (message.address !== null) pace.settled();
        if (message.urgent) this.#urgentPause.settled(outcome);
        const { id: accountId, name, channel } = account;
        const noDevice = outcome.kind === "refused" && outcome.noDevice;
        emit("attempt", {
          channel,
          accountId,
          account: name,
          outcome: noDevice ? "no-device" : outcome.kind,
        });
        if (onTrial) this.#observer.tried(account, outcome);
        else this.#observer.settled(account, outcome, message);
        if (!this.#exhausted && this.#hasRoom(pace.measure())) this.#loop.wake();
      },
    });
    this.#batches.set(batch, { transport: given.transport, sent: this.#follow(batch) });
    return batch;
  }

  async #follow(batch: SendBatch): Promise<void> {
    try {
      await batch.run(this.#stopping.signal);
    } catch (error) {
      this.#options.onFault(error);
    } finally {
      this.#batches.delete(batch);
      if (this.#suspect === batch) this.#suspect = undefined;
      if (this.#options.quarantine.wanted) this.#options.quarantine.wakeAll();
      this.#loop.wake();
    }
  }

  /** It hasn't moved for longer than any message takes, so it might never again, and others go through a new one. */
  #replace(transport: Transport): void {
    const account = this.#options.account();
    if (!account || !this.#options.transports.replace(account, transport)) return;
    const { name } = account;
    this.#options.onError(new Error(`${name} hung in the middle of a message, so it gets new connections.`));
  }

  /** Processes of one installation must have the same accounts; this one doesn't. Reported once. */
  #reportMissing({ name, channel }: Account): void {
    if (this.#missing) return;
    this.#missing = true;
    this.#options.onError(
      new Error(`This process has no account for ${name} (${channel}), so it sends nothing through it.`),
    );
  }

  #hasRoom(capacity: number): boolean {
    return this.#count("held") <= capacity * 0.75;
  }

  #count(what: "held" | "heldUrgent"): number {
    let sum = 0;
    for (const batch of this.#batches.keys()) sum += batch[what];
    return sum;
  }

  #paceOf(transport: Transport): Pace {
    if (this.#pace?.transport !== transport)
      this.#pace = { transport, pace: new Pace(transport.concurrency) };
    return this.#pace.pace;
  }
}
