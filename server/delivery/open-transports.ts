import type { Account, EnvironmentAccount } from "./accounts.ts";
import type { TransportAdapter } from "./transports/adapter.ts";
import type { Recovery, Transport } from "./transports/transport.ts";

/** This process's transports, each opened when its account is first needed. */
export type Transports = {
  /** Null when this process lacks that account's settings. An account whose settings changed is opened again. */
  of(account: Pick<Account, "id" | "kind" | "channel" | "environmentKey" | "settings">): Transport | null;
  recoveryOf(account: Pick<Account, "kind">): Recovery;
  acceptsAtOnce(account: Pick<Account, "kind">): TransportAdapter["acceptsAtOnce"];
  close(): Promise<void>;
};

/** `environment`: the accounts this process was started with. Their adapters need not be in `adapters`. */
export function openTransports(
  environment: readonly EnvironmentAccount[],
  adapters: readonly TransportAdapter[],
): Transports {
  const opened = new Map<number, { transport: Transport; settings: string }>();
  const closing = new Set<Promise<void>>();
  const known = [...environment.map(({ adapter }) => adapter), ...adapters];
  const adapterOf = (kind: string) => known.find((adapter) => adapter.kind === kind);
  const open = ({ kind, channel, environmentKey, settings }: Parameters<Transports["of"]>[0]) => {
    if (environmentKey === null) return adapterOf(kind)?.open(settings, channel);
    const given = environment.find(({ key }) => key === environmentKey);
    return given?.adapter.open(given.settings, channel);
  };
  /** Finishes what it has begun; the rest goes back to the queue. */
  const retire = (transport: Transport) => {
    const closed = transport.close().finally(() => closing.delete(closed));
    closing.add(closed);
  };
  return {
    of(account) {
      // The environment's accounts are used as this process was started with them, whatever another process has
      // recorded.
      const settings = account.environmentKey === null ? JSON.stringify(account.settings) : "";
      const before = opened.get(account.id);
      if (before?.settings === settings) return before.transport;
      const transport = open(account);
      if (!transport) return null;
      opened.set(account.id, { transport, settings });
      if (before) retire(before.transport);
      return transport;
    },
    recoveryOf: ({ kind }) => adapterOf(kind)?.recovery ?? "blind",
    acceptsAtOnce: ({ kind }) => adapterOf(kind)?.acceptsAtOnce,
    async close() {
      for (const { transport } of opened.values()) retire(transport);
      await Promise.all(closing);
    },
  };
}
