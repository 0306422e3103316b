import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { fanOutSome } from "../fan-out.ts";
import { finishRuns } from "../finish-runs.ts";
import { hintWork } from "../hints.ts";
import { resendSome } from "../resend.ts";
import { activeAccounts } from "../accounts.ts";
import type { Account } from "../accounts.ts";
import type { Transports } from "../open-transports.ts";
import { Announcer } from "./announcer.ts";
import type { Links } from "./cargo.ts";
import { loadCargo } from "./cargo.ts";
import { Contents } from "./contents.ts";
import { Journal } from "./journal.ts";
import { Lane } from "./lane.ts";
import { endLease, renewLease, takeLease } from "./lease.ts";
import { startLoop } from "./loop.ts";
import { probeAccounts } from "./account-health.ts";
import { decideUnconfirmed, reapDeadWorkers } from "./reap.ts";

export type SessionOptions = {
  db: Db;
  transports: Transports;
  links: Links;
  name: string;
  random: () => number;
  times: { leaseMs: number; heartbeatMs: number; pollMs: number; reapMs: number };
  onError: (error: unknown) => void;
  /** A provider is found in another state than before, or in trouble from the beginning. */
  onAccountState: (account: Account) => void;
};

export type Session = {
  /** There may be something new to do. */
  ring(): void;
  /** Resolves when another must take its place: its lease has run out, or does not know all that it holds. */
  over: Promise<void>;
  /**
   * Ends in order: what is on the wire is finished and recorded, the rest handed back. What it had claimed without
   * knowing is then nobody's, and taken over like a dead worker's.
   */
  stop(): Promise<void>;
};

/** One lease and everything that works under it. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const { db, transports, links, random, times, onError, onAccountState } = options;
  const token = await takeLease(db, options.name, times.leaseMs / 1000);
  const announcer = new Announcer(db, onError);
  const journal = new Journal(db, token, { recorded: (moved) => announcer.moved(moved), error: onError });
  const contents = new Contents(db);
  const over = Promise.withResolvers<void>();
  let accounts: ReadonlyMap<string, Account> = await activeAccounts(db);
  for (const account of accounts.values()) if (account.state !== "ok") onAccountState(account);

  const lanes = channels.map(
    (channel) =>
      new Lane({
        db,
        token,
        journal,
        transports,
        load: (deliveries) => loadCargo(deliveries, contents, links),
        random,
        pollMs: times.pollMs,
        account: () => accounts.get(channel),
        onClaimed: async (deliveries, simulated) => {
          announcer.moved(deliveries);
          if (simulated) await announcer.simulated(new Set(deliveries.map(({ runId }) => runId)));
        },
        onError,
        onFault: (error) => {
          onError(error);
          over.resolve();
        },
      }),
  );
  const ringLanes = () => {
    for (const lane of lanes) lane.ring();
  };

  const fanOut = startLoop(async () => {
    const spread = (await fanOutSome(db)) ?? (await resendSome(db));
    if (!spread) return times.pollMs;
    announcer.moved([spread]);
    ringLanes();
    // Other workers have lanes too.
    await hintWork(db);
    return 0;
  }, onError);

  const providerWatch = startLoop(async () => {
    await probeAccounts(db, transports);
    const before = accounts;
    accounts = await activeAccounts(db);
    const changed = [...accounts.values()].filter(({ channel, id, state }) => {
      const known = before.get(channel);
      return known?.id !== id || known.state !== state;
    });
    for (const account of changed) onAccountState(account);
    if (changed.length > 0) ringLanes();
    return times.pollMs;
  }, onError);

  const reaper = startLoop(async () => {
    const moved = [...(await reapDeadWorkers(db, transports, random)), ...(await decideUnconfirmed(db))];
    announcer.moved(moved);
    if (moved.length > 0) ringLanes();
    await finishRuns(db, null);
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
      journal.close();
      over.resolve();
    }
    return times.heartbeatMs;
  }, onError);

  return {
    over: over.promise,
    ring() {
      fanOut.ring();
      ringLanes();
    },
    async stop() {
      await Promise.all([
        fanOut.stop(),
        providerWatch.stop(),
        reaper.stop(),
        ...lanes.map((lane) => lane.stop()),
      ]);
      await journal.flushed();
      await heartbeat.stop();
      await endLease(db, token);
      await hintWork(db);
      await announcer.stop();
    },
  };
}
