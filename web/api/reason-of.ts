import { isAway } from "#web/api/client.ts";
import { ApiError, OfflineError } from "#web/api/call-errors.ts";

/** What a failure says about itself, or `otherwise` if it says nothing. */
export function reasonOf(error: unknown, otherwise = "Something went wrong"): string {
  return (error instanceof Error && error.message) || otherwise;
}

/** What a failure says about itself, without the HTTP status. */
export function reasonWithoutStatus(error: unknown, otherwise?: string): string {
  return error instanceof ApiError ? error.reason : reasonOf(error, otherwise);
}

/**
 * What the answer says to people, or `otherwise` if it says nothing. A gateway that answers for a server that is down
 * knows nothing of the call.
 */
export function sentenceOf(error: unknown, otherwise: string): string {
  if (error instanceof OfflineError) return error.message;
  if (!(error instanceof ApiError)) return otherwise;
  if (error.isSentence) return error.reason;
  return isAway(error.status) ? new OfflineError().message : otherwise;
}
