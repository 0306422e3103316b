import { sql } from "kysely";
import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { replanSoon } from "#server/db/prepared.ts";
import { refreshStatistics } from "#server/db/refresh-statistics.ts";
import { tell } from "#server/telemetry/signals.ts";
import { finishCancelling } from "../cancel-run.ts";
import { FIRST_CHUNK, fanOutSome, nextChunk } from "../fan-out.ts";
import { finishRuns } from "../finish-runs.ts";
import { hintWork, type readWorkHint } from "../hints.ts";
import { resendSome } from "../resend.ts";
import { enabledAccounts, type Account } from "../accounts.ts";
import type { Transports } from "../open-transports.ts";
import { ProgressPublisher } from "./progress-publisher.ts";
import { Alone } from "./alone.ts";
import { prepareMessages, type Links } from "./prepared-messages.ts";
import { Contents } from "./contents.ts";
import { OutcomeWriter } from "./outcome-writer.ts";
import { AccountWorker } from "./account-worker.ts";
import { closeCancellations, openMonths } from "../open-months.ts";
import { startLoop } from "./loop.ts";
import { QueueShares } from "./queue-shares.ts";
import { pullBack } from "./clock-set-back.ts";
import { processIncomingTexts } from "../receipts/incoming-texts.ts";
import { processReceipts } from "../receipts/process.ts";
import { readBounceMailboxes } from "../receipts/read-bounce-mailboxes.ts";
import { reapDeadWorkers } from "./reap.ts";
import { judgeRefusals } from "./refusals.ts";
import { decideUnconfirmed } from "./unconfirmed.ts";

export type WorkerSessionOptions = {
  db: Db;
  transports: Transports;
  links: Links;
  name: string;
  random: () => number;
  times: { leaseMs: number; heartbeatMs: number; pollMs: number; reapMs: number };
  onError: (error: unknown) => void;
  /** Called when a provider's state has changed, or when it is in trouble from the start. */
  onAccountState: (account: Account) => void;
};

export type WorkerSession = {
  /** There may be something new to do. */
  wake(): void;
  /** Another process says what there is to do. */
  heard(hint: ReturnType<typeof readWorkHint>): void;
  /** Resolves when another session must replace this one: its lease ran out, or does not know everything it holds. */
  over: Promise<void>;
  /**
   * Stops cleanly: messages under way are finished and recorded, the rest is handed back. What was claimed without its
   * knowledge belongs to no one and is taken over like a dead worker's. `hurry`: does not wait for late answers.
   */
  stop(hurry: AbortSignal): Promise<void>;
};

/** One lease and everything that runs under it. */
export async function openSession(options: WorkerSessionOptions): Promise<WorkerSession> {
  const { db, transports, links, random, times, onError, onAccountState } = options;
  const token = await takeLease(db, options.name, times.leaseMs / 1000);
  const progressPublisher = new ProgressPublisher(db, onError);
  const outcomeWriter = new OutcomeWriter(db, token, {
    recorded: (moved) => progressPublisher.moved(moved),
    error: onError,
  });
  const contents = new Contents(db);
  const over = Promise.withResolvers<void>();
  let accounts: ReadonlyMap<number, Account> = new Map();
  let months: readonly number[] = [];
  // Simulated deliveries have a separate queue.
  const shares = new Map(
    channels.map((channel) => [channel, { real: new QueueShares(), simulated: new QueueShares() }]),
  );
  const alone = new Alone();
  const accountWorkers = new Map<number, AccountWorker>();
  const ended: Promise<void>[] = [];

  const wakeWorkers = () => {
    for (const accountWorker of accountWorkers.values()) accountWorker.wake();
  };
  /** One for each account that serves. One that no longer serves hands back what it has not begun. */
  const refresh = async () => {
    const before = accounts;
    const known = new Set(months);
    const [enabled, open] = await Promise.all([enabledAccounts(db), openMonths(db)]);
    accounts = new Map(enabled.map((account) => [account.id, account]));
    months = open;
    // Someone retries an old message.
    if (!months.every((month) => known.has(month))) wakeWorkers();
    for (const account of accounts.values()) {
      const known = before.get(account.id);
      if (known ? known.state !== account.state : account.state !== "ok") onAccountState(account);
      if (!accountWorkers.has(account.id) && !stopping) accountWorkers.set(account.id, workerFor(account));
      if (known && known.state !== account.state) accountWorkers.get(account.id)?.wake();
    }
    for (const [id, accountWorker] of accountWorkers) {
      if (accounts.has(id)) continue;
      accountWorkers.delete(id);
      ended.push(accountWorker.stop());
    }
  };
  let stopping = false;

  const workerFor = ({ id, channel, simulated }: Account) =>
    new AccountWorker({
      db,
      token,
      outcomeWriter,
      transports,
      load: (deliveries) => prepareMessages(deliveries, contents, links),
      random,
      pollMs: times.pollMs,
      id,
      account: () => accounts.get(id),
      months: () => months,
      shares: shares.get(channel)![simulated ? "simulated" : "real"],
      alone,
      refresh,
      onMoved: (deliveries) => progressPublisher.moved(deliveries),
      onError,
      onFault: (error) => {
        onError(error);
        over.resolve();
      },
    });
  await refresh();

  const sandboxes = () =>
    [...accounts.values()].flatMap((account) => {
      const accepts = account.simulated && account.state === "ok" && transports.acceptsAtOnce(account);
      return accepts ? [{ id: account.id, channel: account.channel, accepts }] : [];
    });

  /** `others`: what to do when no run needs fan-out. */
  const startFanOut = (emergency: boolean, others?: () => ReturnType<typeof resendSome>) => {
    let most = FIRST_CHUNK;
    let peopleSinceReplan = 0;
    return startLoop(async () => {
      const began = performance.now();
      const fannedOut = await fanOutSome(db, most, { emergency, sandbox: { token, accounts: sandboxes() } });
      if (fannedOut) {
        // The last chunk is smaller than requested.
        if (!fannedOut.done) most = nextChunk(fannedOut.people, performance.now() - began);
        peopleSinceReplan += fannedOut.people;
      }
      const grown = peopleSinceReplan >= FIRST_CHUNK;
      if (grown) {
        peopleSinceReplan = 0;
        replanSoon();
      }
      const moved = fannedOut ?? (await others?.());
      if (!moved) return times.pollMs;
      if (!fannedOut || fannedOut.queued) {
        wakeWorkers();
        // Other processes have workers for the same accounts.
        await hintWork(db, grown ? "grown" : "queue", token);
      } else if (fannedOut.done) {
        await finishRuns(db, [fannedOut.runId]);
      }
      progressPublisher.moved([moved]);
      if (grown) await refreshStatistics(db, ["deliveries", "run_people"], { rough: true });
      return 0;
    }, onError);
  };
  // An emergency does not wait for whatever else is being fanned out.
  const emergencies = startFanOut(true);
  const fanOut = startFanOut(false, () => resendSome(db));

  const accountWatch = startLoop(async () => {
    await refresh();
    return times.pollMs;
  }, onError);

  // No one wakes it: a call comes many times a second, and what a second gathers is applied at once.
  const receipts = startLoop(async () => {
    // First: a STOP waits for no receipt.
    const moreTexts = await processIncomingTexts(db, onError);
    const { moved, late, more } = await processReceipts(db, onError);
    tell("receipts", { deliveries: moved.length, late });
    progressPublisher.moved(moved);
    return more || moreTexts ? 0 : times.pollMs;
  }, onError);

  // Apart from the reaper, because providers may be asked.
  const unconfirmed = startLoop(async () => {
    const moved = await decideUnconfirmed(db, transports);
    progressPublisher.moved(moved);
    if (moved.length > 0) wakeWorkers();
    return times.reapMs;
  }, onError);

  const readings = new AbortController();
  const bounces = startLoop(async () => {
    await readBounceMailboxes(db, accounts.values(), transports, readings.signal);
    return times.reapMs;
  }, onError);

  const reaper = startLoop(async () => {
    await pullBack(db);
    const moved = [...(await reapDeadWorkers(db, transports, random, onError)), ...(await judgeRefusals(db))];
    progressPublisher.moved(moved);
    if (moved.length > 0) wakeWorkers();
    await finishRuns(db, null);
    progressPublisher.moved(await finishCancelling(db));
    await closeCancellations(db);
    contents.forget();
    return times.reapMs;
  }, onError);

  let renewed = performance.now();
  const heartbeat = startLoop(async () => {
    const asked = performance.now();
    const ours = await renewLease(db, token, times.leaseMs / 1000).catch((error: unknown) => {
      onError(error);
      // No answer: the lease may still be ours, unless it has run out meanwhile.
      return performance.now() - renewed < times.leaseMs ? undefined : false;
    });
    if (ours) renewed = asked;
    if (ours === false) {
      outcomeWriter.close();
      over.resolve();
    }
    return times.heartbeatMs;
  }, onError);

  const wakeFanOut = () => {
    emergencies.wake();
    fanOut.wake();
  };
  const wake = () => {
    wakeFanOut();
    accountWatch.wake();
    wakeWorkers();
  };

  return {
    over: over.promise,
    wake,
    heard(hint) {
      if (hint.token === token) return;
      if (hint.what === "any") return wake();
      if (hint.what === "run") return wakeFanOut();
      if (hint.what === "grown") replanSoon();
      wakeWorkers();
    },
    async stop(hurry) {
      stopping = true;
      if (hurry.aborted) outcomeWriter.abandon();
      else hurry.addEventListener("abort", () => outcomeWriter.abandon());
      readings.abort();
      await Promise.all([
        emergencies.stop(),
        fanOut.stop(),
        accountWatch.stop(),
        receipts.stop(),
        bounces.stop(),
        unconfirmed.stop(),
        reaper.stop(),
        ...[...accountWorkers.values()].map((accountWorker) => accountWorker.stop()),
        ...ended,
      ]);
      await outcomeWriter.flushed();
      await heartbeat.stop();
      await endLease(db, token);
      await hintWork(db);
      await progressPublisher.stop();
    },
  };
}

/** A worker's right to what it has claimed. It uses the database's clock, which all workers share. */
export async function takeLease(db: Db, name: string, seconds: number): Promise<number> {
  const { rows } = await sql<{ token: number }>`
    INSERT INTO workers (name, lease_until) VALUES (${name}, now() + ${seconds}::float8 * interval '1 second')
    RETURNING token`.execute(db);
  return rows[0]!.token;
}

/** False: it ran out, others may have taken over, and the token must not be used anymore. */
export async function renewLease(db: Db, token: number, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE workers SET lease_until = now() + ${seconds}::float8 * interval '1 second'
    WHERE token = ${token} AND lease_until > now() RETURNING token`.execute(db);
  return rows.length === 1;
}

/** What couldn't be settled is left to those who take over. */
async function endLease(db: Db, token: number): Promise<void> {
  await sql`DELETE FROM workers WHERE token = ${token}`.execute(db);
}
