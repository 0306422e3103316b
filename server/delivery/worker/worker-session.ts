import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { replanSoon } from "#server/db/prepared.ts";
import { emit } from "#server/telemetry/signals.ts";
import { finishCancelling } from "../runs/cancel-run.ts";
import { finishRuns } from "../runs/finish-runs.ts";
import { expireUnserved } from "../runs/expiry.ts";
import { hintWork, type readWorkHint } from "../hints.ts";
import { resendSome } from "../retry/resend.ts";
import type { Account } from "../accounts/accounts.ts";
import type { Transports } from "../accounts/open-transports.ts";
import { ProgressPublisher } from "./progress-publisher.ts";
import { prepareMessages, type Links } from "./prepared-messages.ts";
import { Contents } from "./contents.ts";
import { hedged } from "./hedge.ts";
import { OutcomeWriter } from "./outcome-writer.ts";
import { AccountWorkers, readServing } from "./account-workers.ts";
import { fanOutStep } from "./fan-out-step.ts";
import { closeCancellations } from "../open-months.ts";
import { movingWith, startLoop, type Loop, type Turn } from "./loop.ts";
import { clampFutureTimes } from "./clock-set-back.ts";
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
  times: { leaseMs: number; heartbeatMs: number; pollMs: number; reapMs: number; stuckMs: number };
  onError: (error: unknown) => void;
  /** See `AccountWorkers`. */
  onAccountState: (account: Account) => void;
};

export type WorkerSession = {
  /** There may be something new to do. */
  wake(): void;
  /** Another process says what there is to do. */
  onHint(hint: ReturnType<typeof readWorkHint>): void;
  /** Resolves when another session must replace this one: its lease ran out, or does not know everything it holds. */
  over: Promise<void>;
  /**
   * Stops cleanly: messages under way are finished and recorded, the rest is handed back. What was claimed without its
   * knowledge belongs to no one and is taken over like a dead worker's. `hurry`: does not wait for late answers.
   */
  stop(hurry: AbortSignal): Promise<void>;
};

/** How many times longer than a step of anything else one may take that reads mailboxes. */
const MAILBOX_TIMES = 5;

/** One lease and everything that runs under it. */
export async function openSession(options: WorkerSessionOptions): Promise<WorkerSession> {
  const { db, transports, links, random, times, onError, onAccountState } = options;
  // Before there is a lease: if it fails, nothing is left behind.
  const serving = await readServing(db);
  const token = await takeLease(db, options.name, times.leaseMs / 1000);
  const { stuckMs } = times;
  const progressPublisher = new ProgressPublisher(db, { onError, stuckMs });
  const onMoved = (moved: readonly { runId: number }[]) => progressPublisher.moved(moved);
  const outcomeWriter = new OutcomeWriter(db, token, { recorded: onMoved, error: onError });
  const contents = new Contents(db);
  const over = Promise.withResolvers<void>();
  const onFault = (error: unknown) => {
    onError(error);
    over.resolve();
  };
  const accountWorkers = new AccountWorkers(
    {
      db,
      token,
      outcomeWriter,
      transports,
      load: (deliveries) => prepareMessages(deliveries, contents, links),
      random,
      pollMs: times.pollMs,
      claimMs: times.leaseMs / 2,
      onMoved,
      onError,
      onFault,
      stuckMs,
      onAccountState,
    },
    serving,
  );

  const loops: Loop[] = [];
  const start = (name: string, step: (db: Db, turn: Turn) => Promise<number>, patience = stuckMs) => {
    const loop = startLoop((turn) => step(movingWith(db, turn), turn), { name, onError, stuckMs: patience });
    loops.push(loop);
    return loop;
  };

  const fansOut = { token, pollMs: times.pollMs, accountWorkers, onMoved };
  // An emergency does not wait for whatever else is being fanned out.
  const emergencies = start("emergency fan-out", fanOutStep(fansOut, { emergency: true }));
  const fanOut = start("fan-out", fanOutStep(fansOut, { emergency: false, others: resendSome }));

  // All accounts follow it, so one that hangs ends the session like theirs.
  const accountWatch = startLoop(
    async () => {
      await accountWorkers.refresh();
      return times.pollMs;
    },
    { name: "accounts", onError, stuckMs, onStuck: onFault },
  );
  loops.push(accountWatch);

  // No one wakes it: a call comes many times a second, and what a second gathers is applied at once.
  start("receipts", async (db) => {
    // First: a STOP waits for no receipt.
    const moreTexts = await processIncomingTexts(db, onError);
    const { moved, late, more } = await processReceipts(db, onError);
    emit("receipts", { deliveries: moved.length, late });
    onMoved(moved);
    return more || moreTexts ? 0 : times.pollMs;
  });

  // Each in a loop of its own, so that one that is slow or keeps failing stops no other.
  const regularly = (
    name: string,
    duty: (db: Db, turn: Turn) => Promise<void>,
    { patience = stuckMs, pause = times.reapMs }: { patience?: number; pause?: number } = {},
  ) =>
    start(
      name,
      async (db, turn) => {
        await duty(db, turn);
        return pause;
      },
      patience,
    );
  const requeued = (moved: readonly { runId: number }[]) => {
    onMoved(moved);
    if (moved.length > 0) accountWorkers.wake();
  };
  const readMailboxes = (db: Db, { signal }: Turn) =>
    readBounceMailboxes(db, accountWorkers.accounts.values(), transports, signal);
  // A read has its own limit, which is shorter.
  regularly("bounce mailboxes", readMailboxes, { patience: stuckMs * MAILBOX_TIMES });
  regularly("unconfirmed messages", async (db) => requeued(await decideUnconfirmed(db, transports)));
  regularly("takeover", async (db) => requeued(await reapDeadWorkers(db, transports, random, onError)));
  regularly("refusals", async (db) => requeued(await judgeRefusals(db)));
  regularly("clock", clampFutureTimes);
  regularly("finished runs", (db) => finishRuns(db, null));
  regularly("cancellations", async (db) => onMoved(await finishCancelling(db)));
  // Rarely: where no account takes any, it reads what waits.
  regularly("expiry", async (db) => onMoved(await expireUnserved(db)), { pause: 12 * times.reapMs });
  regularly("closed cancellations", closeCancellations);
  regularly("contents", async () => contents.forget());

  // Not among the loops: the lease is renewed until what they leave is on disk.
  let renewed = performance.now();
  const heartbeat = startLoop(
    async () => {
      const asked = performance.now();
      const ours = await hedged(() => renewLease(db, token, times.leaseMs / 1000)).catch((error: unknown) => {
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
    },
    { name: "lease", onError, stuckMs },
  );

  const wakeFanOut = () => {
    emergencies.wake();
    fanOut.wake();
  };
  const wake = () => {
    wakeFanOut();
    accountWatch.wake();
    accountWorkers.wake();
  };

  return {
    over: over.promise,
    wake,
    onHint(hint) {
      if (hint.token === token) return;
      if (hint.what === "any") return wake();
      if (hint.what === "run") return wakeFanOut();
      if (hint.what === "grown") replanSoon();
      accountWorkers.wake();
    },
    async stop(hurry) {
      if (hurry.aborted) outcomeWriter.abandon();
      else hurry.addEventListener("abort", () => outcomeWriter.abandon());
      await Promise.all([...loops.map((loop) => loop.stop()), accountWorkers.stop()]);
      await outcomeWriter.flushed();
      await heartbeat.stop();
      try {
        await endLease(db, token);
        await hintWork(db);
      } finally {
        await progressPublisher.stop();
      }
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
