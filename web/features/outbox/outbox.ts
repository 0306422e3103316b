import { MOST_ENTRIES, freeLocalId, readEntries } from "#web/features/outbox/entry.ts";
import type { OutboxEntry, Pending } from "#web/features/outbox/entry.ts";

/** The browser's key, as the specification names it. */
export const OUTBOX_KEY = "notifications";

export type OutboxPorts = {
  storage: Pick<Storage, "getItem" | "setItem">;
  /** Runs `work` while no other tab runs its own: reading, changing and writing back must not interleave. */
  exclusively: (work: () => void) => Promise<void>;
  random: () => number;
  now: () => Date;
};

export type Outbox = {
  /** The same array until something changes. */
  entries: () => readonly OutboxEntry[];
  subscribe: (watch: () => void) => () => void;
  /** Reads again what another tab may have written. */
  reload: () => void;
  /** "full" means that the browser would not store it and nothing was kept. A known client key is replaced. */
  keep: (userId: number, pending: Pending) => Promise<"kept" | "full">;
  remove: (clientKey: string) => Promise<void>;
  /** The server has said no: it waits for a person now, not for the server. */
  refuse: (clientKey: string, refusal: string) => Promise<void>;
};

/** What could not reach the server, kept in the browser until it can. All tabs share it. */
export function createOutbox({ storage, exclusively, random, now }: OutboxPorts): Outbox {
  let text: string | null = null;
  let entries: readonly OutboxEntry[] = [];
  const watchers = new Set<() => void>();

  const reload = () => {
    const found = storage.getItem(OUTBOX_KEY);
    if (found === text) return;
    text = found;
    ({ entries } = readEntries(found));
    for (const watch of watchers) watch();
  };
  reload();

  const change = async (edit: (current: OutboxEntry[]) => OutboxEntry[]) => {
    let failure: unknown;
    await exclusively(() => {
      const { entries: current, foreign } = readEntries(storage.getItem(OUTBOX_KEY));
      try {
        storage.setItem(OUTBOX_KEY, JSON.stringify([...foreign, ...edit(current)]));
      } catch (error) {
        failure = error;
      }
      reload();
    });
    return failure === undefined;
  };

  return {
    entries: () => entries,
    reload,
    subscribe(watch) {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    async keep(userId, { clientKey, call, form, plannedFor }) {
      if (entries.length >= MOST_ENTRIES) return "full";
      const kept = await change((current) => {
        const before = current.find((one) => one.clientKey === clientKey);
        const localId =
          before?.localId ??
          freeLocalId(
            current.map((one) => one.localId),
            random,
          );
        const keptAt = now().toISOString();
        const entry: OutboxEntry = {
          localId,
          clientKey,
          userId,
          keptAt,
          plannedFor,
          call,
          form,
          refusal: null,
        };
        return [entry, ...current.filter((one) => one !== before)];
      });
      return kept ? "kept" : "full";
    },
    async remove(clientKey) {
      reload();
      if (!entries.some((one) => one.clientKey === clientKey)) return;
      await change((current) => current.filter((one) => one.clientKey !== clientKey));
    },
    async refuse(clientKey, refusal) {
      await change((current) =>
        current.map((one) => (one.clientKey === clientKey ? { ...one, refusal } : one)),
      );
    },
  };
}
