import { performance } from "node:perf_hooks";

/** Milliseconds. */
export async function time(once: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await once();
  return performance.now() - started;
}

/** The milliseconds of each time, one after the other. */
export async function times(count: number, once: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < count) taken.push(await time(once));
  return taken;
}
