import { once } from "node:events";
import type { Check } from "./transport.ts";

/** Ends a connection test after this time, whatever it waits for. `who` then names what didn't answer. */
export function checkWithin(
  ms: number,
  who: string,
  check: (limit: AbortSignal) => Promise<Check>,
): Promise<Check> {
  const limit = AbortSignal.timeout(ms);
  const late = once(limit, "abort").then((): Check => ({
    ok: false,
    of: "unavailable",
    code: "timeout",
    detail: `${who} didn't answer in time.`,
  }));
  return Promise.race([check(limit), late]);
}
