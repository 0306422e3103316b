import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { deliveries } from "#contract/deliveries.ts";
import { notifications } from "#contract/notifications.ts";
import { shell } from "#contract/shell.ts";
import { users } from "#contract/users.ts";
import { listen } from "#web/api/events.ts";
import type { PageEvent } from "#web/api/events.ts";
import { useUser } from "#web/api/session.ts";
import { readKey } from "#web/api/use-read.ts";
import { calmly } from "#web/shell/calmly.ts";
import { readAnew, showProgress } from "#web/shell/newest-answers.ts";
import { lookForUpdate } from "#web/shell/version.ts";

// A run of thousands tells of itself every second. Its figures come with the news; what must be asked for waits so long.
const PAUSE = 2500;
const PATIENCE = 10_000;

type Key = readonly unknown[];

/** The reads that an event makes old. */
function staleKeys(event: PageEvent): Key[] {
  const { list, recent, detail } = notifications;
  switch (event.type) {
    case "run": {
      const ofIt = { params: { id: event.notificationId } };
      const messages = [
        readKey(deliveries.list, ofIt),
        readKey(deliveries.timeline),
        readKey(users.deliveries),
      ];
      return event.progress ? messages : [...messages, readKey(list), readKey(recent), readKey(detail, ofIt)];
    }
    case "notifications":
      return [
        readKey(list),
        readKey(recent),
        readKey(detail),
        readKey(users.deliveries),
        readKey(shell.state),
      ];
    case "providers":
      return [readKey(shell.state)];
    case "reconnected":
      return [[]];
    default:
      return event satisfies never;
  }
}

/** Keeps what is on screen true to what the server tells; screens need not listen themselves. */
export function useFollowServer() {
  const staff = useUser()?.role !== "tenant";
  const client = useQueryClient();
  useEffect(() => {
    if (!staff) return undefined;
    const stale = new Map<string, Key>();
    // Of what is old only what is on screen is read again; the rest when it is next shown.
    const readAgain = () => {
      const keys = [...stale.values()];
      stale.clear();
      return readAnew(client, keys);
    };
    const calm = calmly(readAgain, { pause: PAUSE, patience: PATIENCE, hidden: () => document.hidden });
    const unlisten = listen((event) => {
      if (event.type === "run" && event.progress) showProgress(client, event.progress);
      for (const key of staleKeys(event)) stale.set(JSON.stringify(key), key);
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
