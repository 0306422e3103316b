import { useEffect, useRef, useState } from "react";
import type { NotificationRow } from "#contract/notifications.ts";
import { announcement, quarter } from "#web/features/notifications/progress.ts";

type Run = Pick<NotificationRow, "id" | "title" | "status" | "progress">;

/** Tells a screen reader politely how runs on screen get on: at every quarter and at the end, not at every number. */
export function RunAnnouncer({ runs }: { runs: readonly Run[] }) {
  const announced = useRef(new Map<number, number>());
  const [words, setWords] = useState("");
  useEffect(() => {
    for (const { id, title, status, progress } of runs) {
      if (!progress) continue;
      const before = announced.current.get(id);
      const now = quarter(progress);
      announced.current.set(id, now);
      // What had ended before it came on screen is no news.
      if (before !== undefined && now > before) setWords(announcement(title, status, progress));
    }
  }, [runs]);
  return <output className="sr-only">{words}</output>;
}
