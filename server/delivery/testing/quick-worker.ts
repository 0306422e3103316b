import type { EnvironmentAccount } from "../accounts/accounts.ts";
import type { WorkerOptions } from "../worker/worker.ts";
import { adapterFor, type FakeTransport } from "./fake-transport.ts";

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

/** The environment's account of this name, "mail.example" unless said otherwise. */
export function accountFor(
  transport: FakeTransport,
  {
    channel = transport.channel,
    name = "mail.example",
    weight = 1,
    ...options
  }: Partial<EnvironmentAccount> = {},
): EnvironmentAccount {
  return {
    key: `${transport.kind} ${channel} ${name}`,
    adapter: adapterFor(transport),
    channel,
    name,
    weight,
    settings: {},
    ...options,
  };
}
