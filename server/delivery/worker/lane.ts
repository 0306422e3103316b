import type { Db } from "#server/db/database.ts";
import type { Transport, Outcome } from "#server/delivery/transports/transport.ts";
import type { Account } from "../accounts.ts";
import type { Transports } from "../open-transports.ts";
import type { Cargo } from "./cargo.ts";
import type { Claimed, ClaimQuestion } from "./claim.ts";
import { claim } from "./claim.ts";
import { Flight } from "./flight.ts";
import type { Journal } from "./journal.ts";
import type { Loop } from "./loop.ts";
import { startLoop } from "./loop.ts";
import { Pace } from "./pace.ts";
import { accountWorks, setBackAccount, slowAccount } from "./account-health.ts";

export type LaneOptions = {
  db: Db;
  token: number;
  journal: Journal;
  transports: Transports;
  load: (deliveries: readonly Claimed[]) => Promise<Cargo>;
  random: () => number;
  pollMs: number;
  /** Who serves this lane's channel at present. */
  account: () => Account | undefined;
  /** Deliveries that a claim has moved: into this worker's hands, or out of the queue. */
  onClaimed: (deliveries: readonly Claimed[], simulated: boolean) => Promise<void>;
  onError: (error: unknown) => void;
  /** Something may stand as claimed by this worker that is in nobody's hands: its session must end. */
  onFault: (error: unknown) => void;
};

/** How often a rate-limited provider's bucket is looked into while something waits for it. */
const TOKENS_MS = 100;

/** Keeps one channel busy: claims the next deliveries while the last ones are still on the wire. */
export class Lane {
  readonly #options: LaneOptions;
  readonly #loop: Loop;
  /** Of its own, because it goes on while the lane stops. */
  readonly #watch: Loop;
  readonly #stopping = new AbortController();
  #stoppedAt = Infinity;
  readonly #flights = new Map<Flight, Promise<void>>();
  #pace: { transport: Transport; pace: Pace } | undefined;
  /** The last claim found nothing: free room alone is no reason to ask again. */
  #exhausted = false;
  #suspect: Flight | undefined;
  #missing: number | undefined;

  constructor(options: LaneOptions) {
    this.#options = options;
    this.#loop = startLoop(() => this.#step(), options.onError);
    this.#watch = startLoop(() => {
      for (const flight of this.#flights.keys()) flight.settleOverdue(this.#stoppedAt);
      return Promise.resolve(options.pollMs);
    }, options.onError);
  }

  /** There may be something new to do. */
  ring(): void {
    this.#loop.ring();
  }

  /** Claims no more, lets what is on the wire end, and hands the rest back. */
  async stop(): Promise<void> {
    this.#stoppedAt = performance.now();
    this.#stopping.abort();
    await this.#loop.stop();
    await Promise.all(this.#flights.values());
    await this.#watch.stop();
  }

  async #step(): Promise<number> {
    const { pollMs, transports } = this.#options;
    const account = this.#options.account();
    const transport = account?.state === "ok" ? transports.of(account) : null;
    if (account?.state === "ok" && !transport) this.#tellMissing(account);
    if (!account || !transport) return pollMs;
    const limited = account.ratePerSecond !== null;
    const { capacity } = this.#paceOf(transport);
    const room = this.#hasRoom(capacity);

    // Emergencies have room of their own, and the last tokens, and are not asked to slow down: they never wait until
    // a bulk send makes way.
    const urgent =
      !room || limited || account.slowedSeconds !== null
        ? await this.#take("urgent", capacity - this.#count("heldUrgent"), account, transport)
        : 0;
    const any = room ? await this.#take("any", capacity - this.#count("held"), account, transport) : 0;
    if (!this.#suspect) await this.#take("suspects", 1, account, transport);
    if (room) this.#exhausted = any === 0;
    return limited && any + urgent > 0 ? Math.min(TOKENS_MS, pollMs) : pollMs;
  }

  async #take(
    which: ClaimQuestion["which"],
    limit: number,
    account: Account,
    transport: Transport,
  ): Promise<number> {
    if (limit <= 0 || this.#stopping.signal.aborted) return 0;
    const claimed = await this.#claim({ which, limit, account });
    if (claimed.length === 0) return 0;
    const ours = claimed.filter(({ status }) => status === "sending");
    if (ours.length > 0) {
      const flight = this.#launch(ours, account, transport);
      if (which === "suspects") this.#suspect = flight;
    }
    await this.#options.onClaimed(claimed, account.simulated);
    return claimed.length;
  }

  /** Without an answer it is unknown whether anything was claimed; only the lease's end brings that to light. */
  async #claim(question: Omit<ClaimQuestion, "token">): Promise<Claimed[]> {
    const { db, token, onFault } = this.#options;
    try {
      return await claim(db, { ...question, token });
    } catch (error) {
      onFault(error);
      return [];
    }
  }

  #launch(deliveries: readonly Claimed[], account: Account, transport: Transport): Flight {
    const { token, journal, load, random, onError } = this.#options;
    const { pace } = this.#pace!;
    const flight = new Flight(deliveries, {
      token,
      accountId: account.id,
      transport,
      recovery: this.#options.transports.recoveryOf(account),
      journal,
      random,
      load,
      onError,
      onSettled: (outcome) => {
        pace.settled();
        this.#learn(account, outcome);
        if (!this.#exhausted && this.#hasRoom(pace.capacity)) this.#loop.ring();
      },
      onUnreachable: (words) => {
        setBackAccount(this.#options.db, account.id, "resting", words).catch(onError);
      },
    });
    this.#flights.set(flight, this.#fly(flight));
    return flight;
  }

  async #fly(flight: Flight): Promise<void> {
    try {
      await flight.run(this.#stopping.signal);
    } catch (error) {
      this.#options.onFault(error);
    } finally {
      this.#flights.delete(flight);
      if (this.#suspect === flight) this.#suspect = undefined;
      this.#loop.ring();
    }
  }

  /** What one message's outcome says about the whole account. */
  #learn(account: Account, outcome: Outcome): void {
    const { db, onError } = this.#options;
    if (outcome.kind === "misconfigured")
      setBackAccount(db, account.id, "paused", outcome.detail).catch(onError);
    else if (outcome.kind === "throttled") slowAccount(db, account.id, outcome.retryAfterMs).catch(onError);
    else if (outcome.kind === "accepted" && (account.setbacks > 0 || account.slowedSeconds !== null)) {
      account.setbacks = 0;
      account.slowedSeconds = null;
      accountWorks(db, account.id).catch(onError);
    }
  }

  /** Processes of one installation are to have the same accounts; this one does not. Said once. */
  #tellMissing({ id, name, channel }: Account): void {
    if (this.#missing === id) return;
    this.#missing = id;
    this.#options.onError(
      new Error(`This process has no account for ${name} (${channel}) and sends nothing there.`),
    );
  }

  #hasRoom(capacity: number): boolean {
    return this.#count("held") <= capacity * 0.75;
  }

  #count(what: "held" | "heldUrgent"): number {
    let sum = 0;
    for (const flight of this.#flights.keys()) sum += flight[what];
    return sum;
  }

  #paceOf(transport: Transport): Pace {
    if (this.#pace?.transport !== transport)
      this.#pace = { transport, pace: new Pace(transport.concurrency) };
    return this.#pace.pace;
  }
}
