import {
  MOST_ENTRIES,
  freeLocalId,
  readEntries,
  type OutboxEntry,
  type Pending,
} from "#web/features/outbox/entry.ts";

const HELD = "Someone else has signed in on this browser since you wrote this. Check it, then send it.";

/** The keys in browser storage, as specified. */
export type OutboxKey = "notifications" | "schedules";

type OutboxPorts = {
  key: OutboxKey;
  storage: Pick<Storage, "getItem" | "setItem">;
  /** Other people use this browser, too, so nothing more is kept in it. */
  shared: () => boolean;
  /** Runs `work` while no other tab runs theirs, so that read-modify-write cycles cannot interleave. */
  exclusively: (work: () => void) => Promise<void>;
  random: () => number;
  now: () => Date;
};

export type Outbox = {
  /** The same array until something changes. */
  entries: () => readonly OutboxEntry[];
  subscribe: (watch: () => void) => () => void;
  /** Reads what another tab may have written. */
  reload: () => void;
  /** "full": the browser refused to store it, so nothing was kept. Replaces an entry with the same client key. */
  keep: (userId: number, pending: Pending) => Promise<"kept" | "full">;
  remove: (clientKey: string) => Promise<void>;
  /** For a person who discards it. False if it is being sent, so it stays. */
  discard: (clientKey: string) => Promise<boolean>;
  /** Marks it as being sent. False if it has been discarded, here or in another tab. */
  begin: (clientKey: string) => Promise<boolean>;
  /** The server did not accept it for now, so it waits again. `obstacle` is what was answered; null for no answer. */
  pause: (clientKey: string, obstacle: string | null) => Promise<void>;
  /** Someone else has used this browser, so every waiting entry needs a look by its author first. */
  hold: () => Promise<void>;
  /** The server refused it, so it waits for a person instead of for the server. */
  refuse: (clientKey: string, refusal: string) => Promise<void>;
};

/** What could not reach the server, kept in the browser until it can. All tabs share it. */
export function createOutbox({ key, storage, shared, exclusively, random, now }: OutboxPorts): Outbox {
  let text: string | null = null;
  let entries: readonly OutboxEntry[] = [];
  const watchers = new Set<() => void>();

  const reload = () => {
    const found = storage.getItem(key);
    if (found === text) return;
    text = found;
    ({ entries } = readEntries(found));
    for (const watch of watchers) watch();
  };
  reload();

  const change = async (edit: (current: OutboxEntry[]) => OutboxEntry[]) => {
    let failure: unknown;
    await exclusively(() => {
      const { entries: current, foreign } = readEntries(storage.getItem(key));
      try {
        storage.setItem(key, JSON.stringify([...foreign, ...edit(current)]));
      } catch (error) {
        failure = error;
      }
      reload();
    });
    return failure === undefined;
  };

  const alter = async (clientKey: string, edit: (entry: OutboxEntry) => OutboxEntry) =>
    change((current) => current.map((one) => (one.clientKey === clientKey ? edit(one) : one)));

  return {
    entries: () => entries,
    reload,
    subscribe(watch) {
      watchers.add(watch);
      return () => void watchers.delete(watch);
    },
    async keep(userId, { clientKey, call, form, plannedFor, replaces }) {
      if (shared() || entries.length >= MOST_ENTRIES) return "full";
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
          ...(replaces && { replaces }),
          call,
          form,
          refusal: null,
          obstacle: null,
          underWay: false,
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
    async discard(clientKey) {
      let underWay = false;
      await change((current) =>
        current.filter((one) => {
          if (one.clientKey !== clientKey) return true;
          ({ underWay } = one);
          return underWay;
        }),
      );
      return !underWay;
    },
    async begin(clientKey) {
      let begun = false;
      await alter(clientKey, (entry) => {
        begun = entry.refusal === null;
        return begun ? { ...entry, underWay: true } : entry;
      });
      return begun;
    },
    async pause(clientKey, obstacle) {
      await alter(clientKey, (entry) => ({ ...entry, obstacle, underWay: false }));
    },
    async hold() {
      reload();
      if (!entries.some(({ refusal }) => refusal === null)) return;
      await change((current) => current.map((one) => ({ ...one, refusal: one.refusal ?? HELD })));
    },
    async refuse(clientKey, refusal) {
      await alter(clientKey, (entry) => ({ ...entry, refusal, underWay: false }));
    },
  };
}
