import { isAway } from "#web/api/client.ts";
import { ApiError, OfflineError } from "#web/api/call-errors.ts";

/**
 * No one answered who could have decided: no network, a timeout, a server that is down, or something in front of it that
 * answers instead. Whether the call arrived is unknown. A refusal is different, and so is a call that its caller cancelled.
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ApiError) {
    // What is too large for a proxy stays too large, however long it waits.
    return isAway(error.status) || (error.code === undefined && error.status !== 413);
  }
  return error instanceof OfflineError || (error instanceof Error && error.name === "TimeoutError");
}
