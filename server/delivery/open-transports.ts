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
  const known = [...adapters, ...environment.map(({ adapter }) => adapter)];
  const adapterOf = (kind: string) => known.find((adapter) => adapter.kind === kind);
  const settingsOf = ({ environmentKey, settings }: Pick<Account, "environmentKey" | "settings">) =>
    environmentKey === null ? settings : environment.find(({ key }) => key === environmentKey)?.settings;
  return {
    of(account) {
      const before = opened.get(account.id);
      if (before) return before;
      const settings = settingsOf(account);
      const transport = settings && adapterOf(account.kind)?.open(settings, account.channel);
      if (transport) opened.set(account.id, transport);
      return transport ?? null;
    },
    recoveryOf: ({ kind }) => adapterOf(kind)?.recovery ?? "blind",
    async close() {
      await Promise.all([...opened.values()].map((transport) => transport.close()));
    },
  };
}
