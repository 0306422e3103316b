import { ApiError, OfflineError, gatewayFailures } from "#web/api/client.ts";

/**
 * No one answered who could have decided: no network, a timeout, or a gateway whose server is down. Whether the call
 * arrived is unknown. A refusal is different, and so is a call that its caller cancelled.
 */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof ApiError) return gatewayFailures.includes(error.status);
  return error instanceof OfflineError || (error instanceof Error && error.name === "TimeoutError");
}
