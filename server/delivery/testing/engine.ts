import { sql } from "kysely";
import { vi } from "vitest";
import type { Db } from "#server/db/database.ts";
import type { Channel } from "../channels/channel.ts";
import { openChannels, recordAccounts } from "../providers.ts";
import type { Account, Channels } from "../providers.ts";
import { startWorker } from "../worker.ts";
import type { Worker, WorkerOptions } from "../worker.ts";
import { FakeChannel } from "./fake-channel.ts";

export const linksFor = (token: string) => ({
  unsubscribe: `https://maple.example/u/${token}`,
  preferences: `https://maple.example/p/${token}`,
});

export const quiet: WorkerOptions["log"] = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export function accountFor(channel: Channel, ratePerSecond?: number): Account {
  return {
    channel: channel.kind,
    kind: channel.provider,
    name: "mail.example",
    ratePerSecond,
    open: () => channel,
  };
}

export type Engine = {
  channel: FakeChannel;
  channels: Channels;
  worker: Worker;
};

/** A worker on quick times whose email goes to `channel`. */
export async function startEngine(
  { db, url }: { db: Db; url: string },
  channel: FakeChannel,
  options: { ratePerSecond?: number; times?: WorkerOptions["times"] } = {},
): Promise<Engine> {
  const accounts = [accountFor(channel, options.ratePerSecond)];
  await recordAccounts(db, accounts);
  await sql`UPDATE providers SET state = 'ok', retry_at = NULL WHERE source = 'environment'`.execute(db);
  const channels = openChannels(
    accounts,
    (kind) => new FakeChannel({ kind, provider: "sandbox", recovery: "keyed" }),
  );
  const worker = startWorker({
    db,
    listenUrl: url,
    channels,
    linksFor,
    log: quiet,
    random: () => 0.02,
    times: { leaseMs: 2000, heartbeatMs: 500, pollMs: 100, reapMs: 200, ...options.times },
  });
  return { channel, channels, worker };
}

/** Waits until `probe` holds. */
export function until(probe: () => Promise<void> | void, timeout = 10_000): Promise<void> {
  return vi.waitFor(probe, { timeout, interval: 20 });
}
