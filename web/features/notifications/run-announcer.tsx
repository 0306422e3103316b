import { useEffect, useRef, useState } from "react";
import type { NotificationRow } from "#contract/calls/notifications.ts";
import { announcement, quarter } from "#web/features/notifications/progress.ts";

type Run = Pick<NotificationRow, "id" | "title" | "status" | "progress">;

/**
 * Announces the progress of runs on screen to a screen reader: at every quarter and at the end, not at every number.
 */
export function RunAnnouncer({ runs }: { runs: readonly Run[] }) {
  const announced = useRef(new Map<number, number>());
  const [words, setWords] = useState("");
  useEffect(() => {
    for (const { id, title, status, progress } of runs) {
      if (!progress) continue;
      const before = announced.current.get(id);
      const now = quarter(progress);
      announced.current.set(id, now);
      // Runs that ended before they were shown are not announced.
      if (before !== undefined && now > before) setWords(announcement(title, status, progress));
    }
  }, [runs]);
  return <output className="sr-only">{words}</output>;
}
