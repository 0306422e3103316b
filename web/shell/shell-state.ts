import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { shell } from "#contract/shell.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";

/** What the frame shows: site, zone, providers, unseen failures. */
export function useShellState() {
  return useRead(shell.state);
}

/** How many failures this person has not looked at yet. Opening the list is looking. */
export function useUnseenFailures(): number {
  const unseen = useShellState().data?.unseenFailures ?? 0;
  const looking = useLocation({ select: (location) => location.pathname === "/notifications" });
  const { mutate: markSeen, isIdle, reset } = useWrite(shell.seen, { refreshes: [shell.state] });
  useEffect(() => {
    // Failures that come while somebody looks are looked at as well.
    if (!looking || unseen === 0) reset();
    else if (isIdle) markSeen({});
  }, [looking, unseen, isIdle, markSeen, reset]);
  return unseen;
}
