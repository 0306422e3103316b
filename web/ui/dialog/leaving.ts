/** Asks the person, and calls `leave` if they agree. */
type Guard = (leave: () => void) => void;

const guards = new Set<Guard>();

/** Asked before the person leaves, until the returned function is called. */
export function guardLeaving(guard: Guard): () => void {
  guards.add(guard);
  return () => void guards.delete(guard);
}

/** Leaves at once if nothing would be lost. Of several guards, the latest asks: it belongs to what is in front. */
export function leaveIfAllowed(leave: () => void): void {
  const ask = [...guards].at(-1);
  if (ask) ask(leave);
  else leave();
}
