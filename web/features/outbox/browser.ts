import { notifications } from "#contract/notifications.ts";
import { call, reachability } from "#web/api/client.ts";
import { isShared, lastPerson, rememberPerson } from "#web/api/this-browser.ts";
import { deliverWaiting } from "#web/features/outbox/deliver.ts";
import type { Post, Round } from "#web/features/outbox/deliver.ts";
import { OUTBOX_KEY, createOutbox } from "#web/features/outbox/outbox.ts";

const WRITE_LOCK = "porchlight-outbox-write";
const DELIVERY_LOCK = "porchlight-outbox-delivery";
/** A server that takes longer than this to answer counts as unreachable; the client key makes a retry safe. */
const PATIENCE = 30_000;

// A browser may block storage, and a page on plain http has no locks: the types cover both.
const locks = (navigator as Partial<Navigator>).locks;
const noStorage = {
  getItem: () => null,
  setItem() {
    throw new Error("This browser won’t store anything for this page.");
  },
};

function browserStorage(): Pick<Storage, "getItem" | "setItem"> {
  try {
    return localStorage;
  } catch {
    return noStorage;
  }
}

/** The one outbox of this page; all tabs write to the same storage. */
export const outbox = createOutbox({
  storage: browserStorage(),
  shared: isShared,
  exclusively: async (work) => (locks ? locks.request(WRITE_LOCK, work) : work()),
  random: Math.random,
  now: () => new Date(),
});

addEventListener("storage", (event) => {
  // A null key: everything was cleared.
  if (event.key === OUTBOX_KEY || event.key === null) outbox.reload();
});

/** In the name of the person who wrote it, whoever has signed in meanwhile, here or in another tab. */
const postAs =
  (userId: number): Post =>
  async (pending) => {
    const options = { signal: AbortSignal.timeout(PATIENCE), as: userId };
    return pending.to === "send"
      ? call(notifications.send, { body: pending.body }, options)
      : call(notifications.create, { body: pending.body }, options);
  };

/** One round of deliveries, unless another tab is already working on it. */
export async function deliverFromHere(userId: number): Promise<Round | undefined> {
  const work = () => deliverWaiting(outbox, userId, postAs(userId));
  if (!locks) return work();
  return locks.request(DELIVERY_LOCK, { ifAvailable: true }, (lock) => (lock ? work() : undefined));
}

/** Before anything is sent in the name of the person who has just signed in here. */
export async function holdAfterChange(userId: number): Promise<void> {
  const before = lastPerson();
  if (before !== null && before !== userId) await outbox.hold();
  rememberPerson(userId);
}

const asked = new Set<() => void>();

/** A person asked for another attempt now. */
export function tryNow() {
  for (const again of asked) again();
}

/**
 * Signs that the server may be back: the network's own event, any call or event stream that got through, or a person's
 * click.
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
