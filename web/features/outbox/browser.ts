import { notifications } from "#contract/calls/notifications.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { call } from "#web/api/client.ts";
import { reachability } from "#web/api/reachability.ts";
import { isShared, lastPerson, rememberPerson } from "#web/api/this-browser.ts";
import { deliverWaiting, type Post, type Round } from "#web/features/outbox/deliver.ts";
import { createOutbox, type Outbox, type OutboxKey } from "#web/features/outbox/outbox.ts";

const WRITE_LOCK = "porchlight-outbox-write";
const DELIVERY_LOCK = "porchlight-outbox-delivery";
/** A server that takes longer than this counts as unreachable. The client key makes a retry safe. */
const PATIENCE = 30_000;

// A browser may block storage, and a page on plain http has no locks. The types allow for both.
const locks = (navigator as Partial<Navigator>).locks;
const noStorage = {
  getItem: () => null,
  setItem() {
    throw new Error("This browser won't store anything for this page.");
  },
};

function browserStorage(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return localStorage;
  } catch {
    return noStorage;
  }
}

function outboxOf(key: OutboxKey) {
  const outbox = createOutbox({
    key,
    storage: browserStorage(),
    shared: isShared,
    exclusively: async (work) => (locks ? locks.request(WRITE_LOCK, work) : work()),
    random: Math.random,
    now: () => new Date(),
  });
  addEventListener("storage", (event) => {
    // A null key means that storage was cleared.
    if (event.key === key || event.key === null) outbox.reload();
  });
  return outbox;
}

/** The outboxes of this page. All tabs use the same storage. */
export const outboxes = { notifications: outboxOf("notifications"), schedules: outboxOf("schedules") };
const all = Object.values(outboxes);

/** What waits in either. */
export const bothOutboxes: Pick<Outbox, "entries" | "subscribe"> = {
  entries: () => all.flatMap((outbox) => outbox.entries()),
  subscribe(watch) {
    const leaves = all.map((outbox) => outbox.subscribe(watch));
    return () => {
      for (const leave of leaves) leave();
    };
  },
};

/** Sends it only as the person who wrote it, even if someone else has signed in meanwhile, here or in another tab. */
const postAs =
  (userId: number): Post =>
  async (pending) => {
    const options = { patience: PATIENCE, as: userId };
    switch (pending.to) {
      case "send":
        return call(notifications.send, { body: pending.body }, options);
      case "create":
        return call(notifications.create, { body: pending.body }, options);
      case "schedule":
        return call(schedules.create, { body: pending.body }, options);
    }
  };

/** One round of deliveries, unless another tab is already working on it. */
export async function deliverFromHere(userId: number): Promise<Round | undefined> {
  const work = async () => {
    const total: Round = { delivered: [], refused: [], unfinished: false };
    for (const outbox of all) {
      const { delivered, refused, unfinished } = await deliverWaiting(outbox, userId, postAs(userId));
      total.delivered.push(...delivered);
      total.refused.push(...refused);
      total.unfinished ||= unfinished;
    }
    return total;
  };
  if (!locks) return work();
  return locks.request(DELIVERY_LOCK, { ifAvailable: true }, (lock) => (lock ? work() : undefined));
}

/** Called before anything is sent as the person who has just signed in. */
export async function holdAfterChange(userId: number): Promise<void> {
  const before = lastPerson();
  if (before !== null && before !== userId) for (const outbox of all) await outbox.hold();
  rememberPerson(userId);
}

const asked = new Set<() => void>();

/** Tries again now, at a person's request. */
export function tryNow() {
  for (const again of asked) again();
}

/**
 * Signs that the server may be back: the browser's online event, a successful call or event stream, or a person's click.
 */
export function onRetrySignal(again: () => void): () => void {
  asked.add(again);
  const unwatch = reachability.subscribe(() => {
    if (reachability.get()) again();
  });
  addEventListener("online", again);
  return () => {
    asked.delete(again);
    unwatch();
    removeEventListener("online", again);
  };
}
