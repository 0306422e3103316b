import { AppError } from "#contract/errors.ts";

/**
 * Refuses a change that was made on a row that has changed since. `given` is the `updatedAt` that the form was filled
 * with: a caller that names none overwrites. Ask it of the locked row. Throws conflict.
 */
export function refuseStale(given: string | undefined, stored: Date, what: string): void {
  if (given === undefined || given === stored.toISOString()) return;
  throw new AppError("conflict", `Someone else changed this ${what}. Reload and make your change again.`);
}
