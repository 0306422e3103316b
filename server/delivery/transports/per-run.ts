import type { RunContent } from "./transport.ts";

/** Caches what a run's messages share, for as long as the run's content is in memory. */
export function perRun<Shared extends object>(
  prepare: (content: RunContent) => Shared,
): (content: RunContent) => Shared {
  const prepared = new WeakMap<RunContent, Shared>();
  return (content) => {
    const known = prepared.get(content) ?? prepare(content);
    prepared.set(content, known);
    return known;
  };
}
