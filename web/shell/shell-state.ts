import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { deliveries } from "#contract/deliveries.ts";
import { notifications } from "#contract/notifications.ts";
import { shell } from "#contract/shell.ts";
import { useServerEvent } from "#web/api/events.ts";
import { useUser } from "#web/api/session.ts";
import { useRead, useRefresh } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";

/** What the frame shows: site, zone, providers, unseen failures. */
export function useShellState() {
  return useRead(shell.state);
}

/** Keeps what is on screen true to what the server tells; screens need not listen themselves. */
export function useFollowServer() {
  const staff = useUser()?.role !== "tenant";
  const client = useQueryClient();
  const refresh = useRefresh();
  const { list, recent, detail } = notifications;
  useServerEvent("notifications", () => void refresh(list, recent, detail, shell.state), staff);
  useServerEvent(
    "run",
    () => void refresh(list, recent, detail, deliveries.list, deliveries.timeline, shell.state),
    staff,
  );
  useServerEvent("providers", () => void refresh(shell.state), staff);
  useServerEvent("reconnected", () => void client.invalidateQueries(), staff);
}

/** How many failures this person has not looked at yet. Opening the list is looking. */
export function useUnseenFailures(): number {
  const unseen = useShellState().data?.unseenFailures ?? 0;
  const looking = useLocation({ select: (location) => location.pathname === "/notifications" });
  const { mutate: markSeen, isIdle, reset } = useWrite(shell.seen, { refreshes: [shell.state] });
  useEffect(() => {
    if (!looking) reset();
    else if (unseen > 0 && isIdle) markSeen({});
  }, [looking, unseen, isIdle, markSeen, reset]);
  return unseen;
}
