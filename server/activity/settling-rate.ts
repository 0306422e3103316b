import type { Db } from "#server/db/database.ts";

/** How fast a run settles deliveries, from what this process saw of it in the last half minute. */

const WINDOW_MS = 30_000;
/** Readings closer together than this give no reliable rate. */
const SHORTEST_MS = 2000;

type Seen = { at: number; done: number };
const looks = new WeakMap<Db, Map<number, Seen[]>>();

/**
 * Deliveries per second. For a run that this process has just started to watch: the average since it began. Null if it
 * began only a moment ago, or more than half a minute ago.
 */
export function settlingRate(
  db: Db,
  { runId, done, elapsedSeconds }: { runId: number; done: number; elapsedSeconds: number },
  now: number = performance.now(),
): number | null {
  const runs = looks.get(db) ?? new Map<number, Seen[]>();
  looks.set(db, runs);
  for (const [id, seen] of runs) if (now - seen.at(-1)!.at > WINDOW_MS) runs.delete(id);
  // A retry lowers the count.
  const before = (runs.get(runId) ?? []).filter((seen) => now - seen.at <= WINDOW_MS && seen.done <= done);
  runs.set(runId, [...before, { at: now, done }]);
  const [first] = before;
  if (first && now - first.at >= SHORTEST_MS) return ((done - first.done) * 1000) / (now - first.at);
  const elapsedMs = elapsedSeconds * 1000;
  return done > 0 && elapsedMs >= SHORTEST_MS && elapsedMs <= WINDOW_MS ? done / elapsedSeconds : null;
}
