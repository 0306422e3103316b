import pLimit from "p-limit";
import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { enabledAccounts, type Account } from "../accounts/accounts.ts";
import type { Sandbox } from "../runs/accepted-at-once.ts";
import { openMonths } from "../open-months.ts";
import { AccountWorker, type AccountWorkerOptions } from "./account-worker.ts";
import { Quarantine } from "./quarantine.ts";
import { QueueShares } from "./queue-shares.ts";

/** The accounts that are enabled, and where there can be something to claim. */
type Serving = { accounts: ReadonlyMap<number, Account>; months: readonly number[] };

export async function readServing(db: Db): Promise<Serving> {
  const [enabled, months] = await Promise.all([enabledAccounts(db), openMonths(db)]);
  return { accounts: new Map(enabled.map((account) => [account.id, account])), months };
}

type AccountWorkersOptions = Omit<
  AccountWorkerOptions,
  "id" | "account" | "months" | "shares" | "quarantine" | "refresh"
> & {
  /** Called when a provider's state has changed, or when it is in trouble from the start. */
  onAccountState: (account: Account) => void;
};

/** One worker for each account that serves. One that no longer serves hands back what it has not begun. */
export class AccountWorkers {
  readonly #options: AccountWorkersOptions;
  readonly #workers = new Map<number, AccountWorker>();
  readonly #ended: Promise<void>[] = [];
  /** Simulated deliveries have a separate queue. */
  readonly #shares = new Map(
    channels.map((channel) => [channel, { real: new QueueShares(), simulated: new QueueShares() }]),
  );
  readonly #quarantine = new Quarantine();
  #serving: Serving = { accounts: new Map(), months: [] };
  readonly #reads = pLimit(1);
  #nextRead: Promise<void> | undefined;
  #stopping = false;

  constructor(options: AccountWorkersOptions, serving: Serving) {
    this.#options = options;
    this.#follow(serving);
  }

  get accounts(): ReadonlyMap<number, Account> {
    return this.#serving.accounts;
  }

  /** Those that take simulated messages while they are fanned out. */
  get sandbox(): Sandbox {
    const { token, transports } = this.#options;
    const accounts = [...this.accounts.values()].flatMap((account) => {
      const accepts = account.simulated && account.state === "ok" && transports.acceptsAtOnce(account);
      return accepts ? [{ id: account.id, channel: account.channel, accepts }] : [];
    });
    return { token, accounts };
  }

  wake(): void {
    for (const worker of this.#workers.values()) worker.wake();
  }

  /** Reads the state of all accounts. A read under way may be too early for who asks now, and they share the next one. */
  refresh(): Promise<void> {
    this.#nextRead ??= this.#reads(async () => {
      this.#nextRead = undefined;
      this.#follow(await readServing(this.#options.db));
    });
    return this.#nextRead;
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...[...this.#workers.values()].map((worker) => worker.stop()), ...this.#ended]);
  }

  #follow(serving: Serving): void {
    const before = this.#serving;
    this.#serving = serving;
    // Someone retries an old message.
    if (!serving.months.every((month) => before.months.includes(month))) this.wake();
    for (const account of serving.accounts.values()) {
      const known = before.accounts.get(account.id);
      if (known ? known.state !== account.state : account.state !== "ok")
        this.#options.onAccountState(account);
      if (!this.#workers.has(account.id) && !this.#stopping)
        this.#workers.set(account.id, this.#workerFor(account));
      if (known && known.state !== account.state) this.#workers.get(account.id)?.wake();
    }
    for (const [id, worker] of this.#workers) {
      if (serving.accounts.has(id)) continue;
      this.#workers.delete(id);
      this.#ended.push(worker.stop());
    }
  }

  #workerFor({ id, channel, simulated }: Account): AccountWorker {
    return new AccountWorker({
      ...this.#options,
      id,
      account: () => this.#serving.accounts.get(id),
      months: () => this.#serving.months,
      shares: this.#shares.get(channel)![simulated ? "simulated" : "real"],
      quarantine: this.#quarantine,
      refresh: () => this.refresh(),
    });
  }
}
