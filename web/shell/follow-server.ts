import { useQueryClient } from "@tanstack/react-query";
import type { QueryKey } from "@tanstack/react-query";
import { useEffect } from "react";
import { listen } from "#web/api/events.ts";
import type { PageEvent } from "#web/api/events.ts";
import { useUser } from "#web/api/session.ts";
import { throttle } from "#web/shell/throttle.ts";
import { lookForUpdate } from "#web/shell/version.ts";
import { lazyPart } from "#web/ui/lazy-part.ts";

// What an event makes stale names most of the contract, which no screen needs in order to appear.
const rules = lazyPart(async () => ({
  ...(await import("#web/shell/stale-keys.ts")),
  ...(await import("#web/shell/newest-answers.ts")),
}));

// A large run sends an event every second, which includes its figures. Anything that must be fetched waits this long.
const PAUSE = 2500;
const PATIENCE = 10_000;

/** Updates what screens show when the server reports a change, so that no screen has to listen for events itself. */
export function useFollowServer() {
  const staff = useUser()?.role !== "tenant";
  const client = useQueryClient();
  useEffect(() => {
    if (!staff) return undefined;
    const stale = new Map<string, QueryKey>();
    // Of the outdated data, only what is on screen is fetched now, the rest when it is shown again.
    const readAgain = async () => {
      const { readAnew } = await rules.load();
      const keys = [...stale.values()];
      stale.clear();
      await readAnew(client, keys);
    };
    const calm = throttle(readAgain, { pause: PAUSE, patience: PATIENCE, hidden: () => document.hidden });
    const hear = async (event: PageEvent) => {
      const { showProgress, staleKeys } = await rules.load();
      const unknown = event.type === "run" && event.progress ? showProgress(client, event.progress) : [];
      for (const key of [...staleKeys(event), ...unknown]) stale.set(JSON.stringify(key), key);
      calm.nudge();
    };
    const unlisten = listen((event) => {
      // While the code can't be loaded, the server is away, and once it is back everything is read again.
      hear(event).catch(() => undefined);
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
