import { notifications } from "#contract/notifications.ts";
import { call, reachability } from "#web/api/client.ts";
import { isShared, lastPerson, rememberPerson } from "#web/api/this-browser.ts";
import { deliverWaiting, type Post, type Round } from "#web/features/outbox/deliver.ts";
import { OUTBOX_KEY, createOutbox } from "#web/features/outbox/outbox.ts";

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

/** The outbox of this page. All tabs use the same storage. */
export const outbox = createOutbox({
  storage: browserStorage(),
  shared: isShared,
  exclusively: async (work) => (locks ? locks.request(WRITE_LOCK, work) : work()),
  random: Math.random,
  now: () => new Date(),
});

addEventListener("storage", (event) => {
  // A null key means that storage was cleared.
  if (event.key === OUTBOX_KEY || event.key === null) outbox.reload();
});

/** Sends it only as the person who wrote it, even if someone else has signed in meanwhile, here or in another tab. */
const postAs =
  (userId: number): Post =>
  async (pending) => {
    const options = { patience: PATIENCE, as: userId };
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

/** Called before anything is sent as the person who has just signed in. */
export async function holdAfterChange(userId: number): Promise<void> {
  const before = lastPerson();
  if (before !== null && before !== userId) await outbox.hold();
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
