import type { RunContent } from "./transport.ts";

/** What a run's messages share, made once and let go with the run's content. */
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
