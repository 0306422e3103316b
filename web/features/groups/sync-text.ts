import type { ReplyOf } from "#contract/endpoint.ts";
import type { users } from "#contract/users.ts";

export type SyncReport = Pick<ReplyOf<typeof users.syncGroups>, "created" | "removed" | "message">;

/** So many names still make a sentence; more need a list. */
const NAMED = 3;

/** Whether a toast has no room for the names. */
export function needsList({ created, removed }: SyncReport): boolean {
  return created.length + removed.length > NAMED;
}

export function syncText(report: SyncReport): string {
  if (!needsList(report)) return report.message;
  const count = (groups: readonly string[], what: string) =>
    groups.length > 0 ? `${groups.length.toLocaleString("en-US")} ${what}` : "";
  return (
    [count(report.created, "created"), count(report.removed, "removed")].filter(Boolean).join(", ") + "."
  );
}
