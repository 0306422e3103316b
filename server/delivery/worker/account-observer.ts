import type { Db } from "#server/db/database.ts";
import type { Failure, Outcome } from "#server/delivery/transports/transport.ts";
import type { Account } from "../accounts.ts";
import { accountWorks, recordTrial, setBackAccount, slowAccount } from "./account-health.ts";
import { FailureStreak } from "./failure-streak.ts";
import { pauseRefusing, requeueRefused } from "./refusals.ts";

type Options = {
  db: Db;
  refresh: () => Promise<void>;
  onMoved: (deliveries: readonly { runId: number }[]) => void;
  onSetBack: () => void;
  onError: (error: unknown) => void;
};

/** An acceptance is written down so often: the database need not know each. */
const ACCEPTANCE_MS = 5000;

/** Learns from the outcomes of messages how their account stands, and writes it down. */
export class AccountObserver {
  readonly #options: Options;
  readonly #streak = new FailureStreak();
  #written: Promise<unknown> = Promise.resolve();
  #acceptanceWritten = -Infinity;
  /** Why nothing more begins until it is known again how the account stands. */
  heldBack: Failure | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when what was observed is on disk, and the account as this process knows it was read again. */
  async written(): Promise<void> {
    await this.#written;
  }

  /** It is set back: what comes next is judged afresh. */
  forget(): void {
    this.#streak.forget();
  }

  /** It takes messages. */
  release(): void {
    this.heldBack = null;
  }

  /** `what`: the address of a message that went out, null for one that did not, or "trial". */
  settled(account: Account, outcome: Outcome, what: string | null): void {
    const { db } = this.#options;
    if (what === "trial") return this.#write(() => recordTrial(db, account, outcome));
    if (outcome.kind === "accepted") return this.#accepted(account);
    if (outcome.kind === "misconfigured") {
      this.#write(() => setBackAccount(db, account.id, { state: "paused", what: outcome.detail }));
    } else if (outcome.kind === "unavailable" && outcome.account) {
      this.#write(() => setBackAccount(db, account.id, { state: "resting", what: outcome.detail }));
    } else if (outcome.kind === "throttled") {
      this.#write(() => slowAccount(db, account.id, outcome.retryAfterMs));
    } else if (what !== null && !account.simulated) {
      this.#failed(account, outcome, what);
    }
  }

  /** Whether it is this recipient's or the account's. */
  #failed(account: Account, outcome: Failure, address: string): void {
    const { db, onMoved } = this.#options;
    const setBack = this.#streak.failed(outcome, address);
    if (setBack === null) return;
    this.heldBack = { kind: "unavailable", account: true, code: outcome.code, detail: setBack.what };
    this.#write(async () => {
      if (setBack.state === "resting") return setBackAccount(db, account.id, { ...setBack, onTrial: true });
      // Also of those whom other processes had refused meanwhile, so the database decides.
      await pauseRefusing(db, 0);
      onMoved(await requeueRefused(db));
    });
  }

  /** Whatever was wrong is over, and what it refused before was about those recipients. */
  #accepted(account: Account): void {
    const now = performance.now();
    const known = now - this.#acceptanceWritten < ACCEPTANCE_MS;
    if (known && this.#streak.empty && account.setbacks === 0 && account.slowedSeconds === null) return;
    this.#acceptanceWritten = now;
    this.#streak.forget();
    account.setbacks = 0;
    account.slowedSeconds = null;
    accountWorks(this.#options.db, account.id).catch(this.#options.onError);
  }

  #write(write: () => Promise<void>): void {
    const { refresh, onError, onSetBack } = this.#options;
    onSetBack();
    this.#written = Promise.all([this.#written, write().then(refresh).catch(onError)]);
  }
}
