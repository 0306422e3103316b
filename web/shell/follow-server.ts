import { useQueryClient, type QueryClient, type QueryKey } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ServerEvent } from "#contract/calls/shell.ts";
import { listen } from "#web/api/events.ts";
import { useMay } from "#web/api/session.ts";
import { throttle } from "#web/shell/throttle.ts";
import { lookForUpdate } from "#web/shell/version.ts";
import { lazyPart } from "#web/ui/browser/lazy-part.ts";

// What an event makes stale names most of the contract, which no screen needs in order to appear.
const rules = lazyPart(async () => ({
  ...(await import("#web/shell/stale-keys.ts")),
  ...(await import("#web/shell/newest-answers.ts")),
}));

// A large run sends an event every second, which includes its figures. Anything that must be fetched waits this long.
const PAUSE = 2500;
const SLOW_PAUSE = 10_000;
const PATIENCE = 10_000;

/**
 * Updates what screens show when the server reports a change, so that no screen has to listen for events itself. Rendered
 * beside the screen, so that events are heard once its queries exist.
 */
export function FollowServer() {
  const inConsole = useMay("console");
  const client = useQueryClient();
  useEffect(() => {
    if (!inConsole) return undefined;
    const calm = reader(client, PAUSE);
    const slow = reader(client, SLOW_PAUSE);
    const hear = async (event: ServerEvent) => {
      const { showProgress, slowKeys, staleKeys } = await rules.load();
      const unknown = event.type === "run" && event.progress ? showProgress(client, event.progress) : [];
      calm.add([...staleKeys(event), ...unknown]);
      slow.add(slowKeys(event));
    };
    const unlisten = listen((event) => {
      // While the code can't be loaded, the server is away, and once it is back everything is read again.
      hear(event).catch(() => undefined);
      if (event.type === "reconnected") void lookForUpdate();
    });
    const onVisible = () => {
      calm.trigger();
      slow.trigger();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      unlisten();
      calm.stop();
      slow.stop();
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [inConsole, client]);
  return null;
}

/** Collects stale queries and reads them again, with a pause in between. */
function reader(client: QueryClient, pause: number) {
  const stale = new Map<string, QueryKey>();
  // Of the outdated data, only what is on screen is fetched now, the rest when it is shown again.
  const readAgain = async () => {
    const { readAnew } = await rules.load();
    const keys = [...stale.values()];
    stale.clear();
    await readAnew(client, keys);
  };
  const calm = throttle(readAgain, { pause, patience: PATIENCE, hidden: () => document.hidden });
  const trigger = () => {
    if (stale.size > 0) calm.trigger();
  };
  const add = (keys: readonly QueryKey[]) => {
    for (const key of keys) stale.set(JSON.stringify(key), key);
    trigger();
  };
  return { add, trigger, stop: calm.stop };
}
