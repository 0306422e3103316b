import { useQueryClient } from "@tanstack/react-query";
import type { QueryKey } from "@tanstack/react-query";
import { useEffect } from "react";
import { listen } from "#web/api/events.ts";
import { useUser } from "#web/api/session.ts";
import { throttle } from "#web/shell/throttle.ts";
import { readAnew, showProgress } from "#web/shell/newest-answers.ts";
import { staleKeys } from "#web/shell/stale-keys.ts";
import { lookForUpdate } from "#web/shell/version.ts";

// A run of thousands tells of itself every second. Its figures come with the news; what must be asked for waits so long.
const PAUSE = 2500;
const PATIENCE = 10_000;

/** Keeps what screens show of notifications, deliveries and accounts true to what the server tells: none listens itself. */
export function useFollowServer() {
  const staff = useUser()?.role !== "tenant";
  const client = useQueryClient();
  useEffect(() => {
    if (!staff) return undefined;
    const stale = new Map<string, QueryKey>();
    // Of what is old only what is on screen is read again; the rest when it is next shown.
    const readAgain = () => {
      const keys = [...stale.values()];
      stale.clear();
      return readAnew(client, keys);
    };
    const calm = throttle(readAgain, { pause: PAUSE, patience: PATIENCE, hidden: () => document.hidden });
    const unlisten = listen((event) => {
      const unknown = event.type === "run" && event.progress ? showProgress(client, event.progress) : [];
      for (const key of [...staleKeys(event), ...unknown]) stale.set(JSON.stringify(key), key);
      calm.nudge();
      if (event.type === "reconnected") void lookForUpdate();
    });
    document.addEventListener("visibilitychange", calm.nudge);
    return () => {
      unlisten();
      calm.stop();
      document.removeEventListener("visibilitychange", calm.nudge);
    };
  }, [staff, client]);
}
