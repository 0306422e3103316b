import type { Db } from "#server/db/database.ts";
import type { Failure, Outcome } from "#server/delivery/transports/transport.ts";
import type { Account } from "../accounts/accounts.ts";
import { accountWorks, recordTrial, setBackAccount, slowAccount } from "./account-health.ts";
import { FailureStreak } from "./failure-streak.ts";
import type { OutcomeWriter } from "./outcome-writer.ts";
import type { Settled } from "./send-batch.ts";
import { holdRefused, pauseRefusing, requeueRefused } from "./refusals.ts";

type Options = {
  db: Db;
  outcomeWriter: Pick<OutcomeWriter, "written">;
  refresh: () => Promise<void>;
  onMoved: (deliveries: readonly { runId: number }[]) => void;
  onSetBack: () => void;
  onError: (error: unknown) => void;
};

/** How often an acceptance is recorded; the database need not know each one. */
const ACCEPTANCE_MS = 5000;

/** Learns from message outcomes how their account is doing, and records it. */
export class AccountObserver {
  readonly #options: Options;
  readonly #streak = new FailureStreak();
  /** What is being written, by kind. */
  readonly #writing = new Map<string, Promise<void>>();
  #acceptanceWritten = -Infinity;
  #writingAcceptance = false;
  /** Why nothing more is begun until the account's state is known again. */
  heldBack: Failure | null = null;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves when the observations are on disk and this process has read the account's state again. */
  async written(): Promise<void> {
    await Promise.all(this.#writing.values());
  }

  /** It is set back: what comes next is judged from scratch. */
  forget(): void {
    this.#streak.forget();
  }

  /** It accepts messages. */
  release(): void {
    this.heldBack = null;
  }

  /** The outcome of the message that an account on trial was tested with. */
  tried(account: Account, outcome: Outcome): void {
    this.#write("trial", () => recordTrial(this.#options.db, account, outcome));
  }

  settled(account: Account, outcome: Outcome, { address, runId, agoMs }: Omit<Settled, "urgent">): void {
    const { db } = this.#options;
    if (outcome.kind === "accepted") return this.#accepted(account, agoMs);
    if (outcome.kind === "misconfigured") {
      this.#write("paused", () => setBackAccount(db, account.id, { state: "paused", what: outcome.detail }));
    } else if (outcome.kind === "unavailable" && outcome.account) {
      this.#write("resting", () =>
        setBackAccount(db, account.id, { state: "resting", what: outcome.detail }),
      );
    } else if (outcome.kind === "throttled") {
      this.#write("throttled", () => slowAccount(db, account.id, outcome.retryAfterMs));
    } else if (address !== null && !account.simulated) {
      this.#failed(account, outcome, address, runId);
    }
  }

  /** Whether the problem is this recipient's or the account's. */
  #failed(account: Account, outcome: Failure, address: string, runId: number): void {
    const { db, outcomeWriter, onMoved } = this.#options;
    const setBack = this.#streak.failed(outcome, address, runId);
    if (setBack === null) return;
    this.heldBack = { kind: "unavailable", account: true, code: outcome.code, detail: setBack.what };
    const { state, what, because } = setBack;
    this.#write(`streak: ${state}`, async () => {
      if (state === "resting") return setBackAccount(db, account.id, { state, what, because, onTrial: true });
      // They are judged by what is on record.
      await outcomeWriter.written();
      // Other processes may have been refused too, so the database decides.
      if (state === "refuses-content") return onMoved(await holdRefused(db));
      await pauseRefusing(db, 0);
      onMoved(await requeueRefused(db));
    });
  }

  /** Whatever was wrong is over, and earlier refusals were about those recipients. */
  #accepted(account: Account, agoMs: number): void {
    const now = performance.now();
    const known = now - this.#acceptanceWritten < ACCEPTANCE_MS;
    if (known && this.#streak.empty && account.setbacks === 0 && account.slowedSeconds === null) return;
    this.#streak.forget();
    // Of the many accepted at the same moment.
    if (this.#writingAcceptance) return;
    this.#acceptanceWritten = now;
    this.#writingAcceptance = true;
    accountWorks(this.#options.db, account.id, agoMs)
      .then((over) => {
        if (over) Object.assign(account, { setbacks: 0, slowedSeconds: null });
      })
      .catch(this.#options.onError)
      .finally(() => (this.#writingAcceptance = false));
  }

  /** Of the many messages that notice the same at once, one writes it down. */
  #write(kind: string, write: () => Promise<void>): void {
    const { refresh, onError, onSetBack } = this.#options;
    onSetBack();
    if (this.#writing.has(kind)) return;
    const writing = write().then(refresh).catch(onError);
    this.#writing.set(
      kind,
      writing.finally(() => this.#writing.delete(kind)),
    );
  }
}
