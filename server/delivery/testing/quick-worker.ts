import type { Transport } from "#server/delivery/transports/transport.ts";
import type { ConfiguredAccount } from "../accounts.ts";
import type { WorkerOptions } from "../worker.ts";

/** What a worker in a test is given. No test library here: a child process uses it too. */

export const quick = { pollMs: 100, reapMs: 200 };

/** For who waits until a lease runs out. A busy machine may be late for so short a one. */
export const shortLease = { leaseMs: 2000, heartbeatMs: 500 };

export const quiet: WorkerOptions["log"] = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export const linksFor = (token: string) => ({
  unsubscribe: `https://maple.example/u/${token}`,
  preferences: `https://maple.example/p/${token}`,
});

export function accountFor(transport: Transport, ratePerSecond?: number): ConfiguredAccount {
  return {
    key: `${transport.provider} mail.example`,
    channel: transport.kind,
    kind: transport.provider,
    name: "mail.example",
    ratePerSecond,
    open: () => transport,
  };
}
