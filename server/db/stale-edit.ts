import { refusal } from "#contract/refusals/refusal.ts";

/**
 * Refuses a change to a row that has been changed since. `given` is the `updatedAt` from when the form was filled. A
 * caller without one overwrites. Call it with the locked row. Throws conflict.
 */
export function refuseStale(given: string | undefined, stored: Date, what: string): void {
  if (given === undefined || given === stored.toISOString()) return;
  throw refusal("changed-meanwhile", { what });
}
