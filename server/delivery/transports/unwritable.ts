import { UnfilledFieldsError } from "#server/delivery/content/compile.ts";
import type { Outcome } from "./transport.ts";

/** The outcome of a message that can't be rendered for this recipient. */
export function unwritable(error: unknown): Outcome {
  const code = error instanceof UnfilledFieldsError ? error.code : "unreadable_content";
  const detail = error instanceof Error ? error.message : String(error);
  return { kind: "refused", of: "message", code, detail };
}
