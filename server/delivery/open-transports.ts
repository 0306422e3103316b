import type { Account, EnvironmentAccount } from "./accounts.ts";
import type { TransportAdapter } from "./transports/adapter.ts";
import type { Recovery, Transport } from "./transports/transport.ts";

/** The transports of this process, each opened when its account is first needed. */
export type Transports = {
  /** Null when this process was not given that account's settings. */
  of(account: Pick<Account, "id" | "kind" | "channel" | "environmentKey" | "settings">): Transport | null;
  recoveryOf(account: Pick<Account, "kind">): Recovery;
  close(): Promise<void>;
};

/** `environment`: the accounts that this process was started with. Their adapters need not be among `adapters`. */
export function openTransports(
  environment: readonly EnvironmentAccount[],
  adapters: readonly TransportAdapter[],
): Transports {
  const opened = new Map<number, Transport>();
  const known = [...environment.map(({ adapter }) => adapter), ...adapters];
  const adapterOf = (kind: string) => known.find((adapter) => adapter.kind === kind);
  const open = ({ kind, channel, environmentKey, settings }: Parameters<Transports["of"]>[0]) => {
    if (environmentKey === null) return adapterOf(kind)?.open(settings, channel);
    const given = environment.find(({ key }) => key === environmentKey);
    return given?.adapter.open(given.settings, channel);
  };
  return {
    of(account) {
      const before = opened.get(account.id);
      if (before) return before;
      const transport = open(account);
      if (transport) opened.set(account.id, transport);
      return transport ?? null;
    },
    recoveryOf: ({ kind }) => adapterOf(kind)?.recovery ?? "blind",
    async close() {
      await Promise.all([...opened.values()].map((transport) => transport.close()));
    },
  };
}
