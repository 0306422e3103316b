let reachable = true;
/** The last answer came from a sign-in in front of the server. */
let signInInFront = false;
const watchers = new Set<() => void>();
function setReachable(next: boolean, inFront = false) {
  if (next === reachable && inFront === signInInFront) return;
  reachable = next;
  signInInFront = inFront;
  for (const watch of watchers) watch();
}

/** Whether the server can be reached, as far as the last calls tell; for useSyncExternalStore. */
export const reachability = {
  get: () => reachable,
  set: setReachable,
  /** It can't, because something in front of it wants people to sign in. */
  signInInFront: () => signInInFront,
  subscribe: (watch: () => void) => {
    watchers.add(watch);
    return () => void watchers.delete(watch);
  },
};
