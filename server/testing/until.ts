import { vi } from "vitest";

/**
 * Waits until `probe` no longer throws, and answers what it answered. What another process or the database is to do
 * may take long on a busy machine: the patience decides only how long a failure takes.
 */
export function until<T>(probe: () => T | Promise<T>, timeout = 30_000): Promise<T> {
  return vi.waitFor(probe, { timeout, interval: 20 });
}
