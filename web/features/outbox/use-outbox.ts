import { useMemo, useSyncExternalStore } from "react";
import { outbox } from "#web/features/outbox/browser.ts";
import { rowOf } from "#web/features/outbox/row.ts";
import type { OutboxRow } from "#web/features/outbox/row.ts";

/** What this person has waiting in this browser, the newest first; the same in every tab. */
export function useOutbox(userId: number): OutboxRow[] {
  const entries = useSyncExternalStore(outbox.subscribe, outbox.entries);
  return useMemo(
    () => entries.filter((entry) => entry.userId === userId).map((entry) => rowOf(entry)),
    [entries, userId],
  );
}
