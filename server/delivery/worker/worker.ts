import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#server/db/database.ts";
import { listen } from "#server/db/listen.ts";
import { WORK_CHANNEL } from "#server/db/notify-channels.ts";
import { emit } from "#server/telemetry/signals.ts";
import { stateText, type Account } from "../accounts/accounts.ts";
import { readWorkHint } from "../hints.ts";
import type { Transports } from "../accounts/open-transports.ts";
import type { Links } from "./prepared-messages.ts";
import { withoutRepeats } from "../without-repeats.ts";
import { STUCK_MS } from "./loop.ts";
import { openSession, type WorkerSession, type WorkerSessionOptions } from "./worker-session.ts";

export type WorkerOptions = Links & {
  db: Db;
  /** Connection string for the LISTEN connection. */
  listenUrl: string;
  transports: Transports;
  log: Record<"info" | "warn" | "error", (fields: Record<string, unknown>, message: string) => void>;
  /** In milliseconds; each has a default. */
  times?: Partial<WorkerSessionOptions["times"]>;
  /** From 0 to 1; scatters retries. */
  random?: () => number;
};

export type Worker = {
  /** Stops cleanly: messages under way are finished and recorded, other claimed ones are handed back. */
  stop(): Promise<void>;
};

const TIMES = { leaseMs: 30_000, heartbeatMs: 8000, pollMs: 1000, reapMs: 5000, stuckMs: STUCK_MS };
const REOPEN_MS = 1000;

/**
 * Fans out runs and sends their deliveries, beside any number of other workers on the same database. Starts as soon as
 * the database answers. The caller closes `transports` after `stop`.
 */
export function startWorker({
  db,
  listenUrl,
  transports,
  linksFor,
  mintOneTimeLinks,
  log,
  times,
  random = Math.random,
}: WorkerOptions): Worker {
  const onError = withoutRepeats("error", (error, times) =>
    log.error(
      { err: error, times, runId: (error as { runId?: number }).runId },
      "the delivery worker hit an error and keeps running",
    ),
  );
  const onAccountState = (account: Account) => {
    const { id, channel, name, state } = account;
    if (state === "unchecked") return;
    const fields = { accountId: id, channel, account: name, state, reason: stateText(account) };
    if (state === "ok") log.info(fields, "a provider accepts messages");
    else log.warn(fields, "a provider isn't accepting messages; they wait");
  };
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => {
    stopping.signal.addEventListener("abort", () => resolve());
  });
  let session: WorkerSession | undefined;

  const listener = listen(listenUrl, WORK_CHANNEL, {
    onMessage: (payload) => session?.onHint(readWorkHint(payload)),
    onConnected: () => session?.wake(),
    onError: withoutRepeats("warn", (error, times) =>
      log.warn({ err: error, times }, "the worker's listening connection broke; polling until it is back"),
    ),
  });

  const open = () =>
    openSession({
      db,
      transports,
      links: { linksFor, mintOneTimeLinks },
      random,
      onError,
      onAccountState,
      name: `${hostname()} ${process.pid}`,
      times: { ...TIMES, ...times },
    });

  const run = async () => {
    const ending: Promise<void>[] = [];
    while (!stopping.signal.aborted) {
      try {
        session = await open();
        await Promise.race([session.over, stopped]);
        ending.push(session.stop(stopping.signal).catch(onError));
        if (!stopping.signal.aborted) {
          emit("leaseLost", {});
          log.warn({}, "the worker is starting over with a new lease");
        }
      } catch (error) {
        onError(error);
      }
      // Whatever the fault is, it must not cause a storm of sessions.
      await Promise.race([sleep(REOPEN_MS), stopped]);
    }
    await Promise.all(ending);
  };
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await listener.stop();
      await running;
    },
  };
}
