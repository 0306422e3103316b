import type { ServerEvent, shell } from "#contract/shell.ts";
import { reachability } from "#web/api/client.ts";
import { recheckSession } from "#web/api/session.ts";

const stream = { method: "GET", path: "/api/events" } as const satisfies Pick<
  typeof shell.events,
  "method" | "path"
>;

/** `reconnected` is ours: while the stream was down, anything may have changed. */
export type PageEvent = ServerEvent | { type: "reconnected" };

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;

const listeners = new Set<(event: PageEvent) => void>();
let source: EventSource | undefined;
let wait = FIRST_WAIT;
let timer: ReturnType<typeof setTimeout> | undefined;
/** Something may have been told that this tab did not hear. */
let missed = false;

function tell(event: PageEvent) {
  for (const listen of listeners) listen(event);
}

function open() {
  timer = undefined;
  const opened = new EventSource(stream.path);
  source = opened;
  opened.addEventListener("open", () => {
    wait = FIRST_WAIT;
    reachability.set(true);
    if (missed) tell({ type: "reconnected" });
    missed = false;
  });
  opened.addEventListener("message", (message: MessageEvent<string>) =>
    tell(JSON.parse(message.data) as ServerEvent),
  );
  opened.addEventListener("error", () => {
    missed = true;
    // The browser comes back by itself after a cut, but gives up for good after a refusal.
    if (opened.readyState !== EventSource.CLOSED) return reachability.set(false);
    opened.close();
    void recheckSession();
    timer = setTimeout(open, wait);
    wait = Math.min(wait * 2, LONGEST_WAIT);
  });
}

function close() {
  clearTimeout(timer);
  source?.close();
  timer = undefined;
  source = undefined;
  wait = FIRST_WAIT;
}

/**
 * A browser keeps no more than six connections to one server, over all its tabs: a stream for each tab that no one sees
 * would leave none for the calls of the one that someone uses.
 */
function openWhileSeen() {
  close();
  if (document.hidden) missed = true;
  else open();
}

/** Hears what the server tells, while this tab is seen. One stream serves all listeners and ends with the last. */
export function listen(handler: (event: PageEvent) => void): () => void {
  if (listeners.size === 0) {
    missed = false;
    document.addEventListener("visibilitychange", openWhileSeen);
    openWhileSeen();
  }
  listeners.add(handler);
  return () => {
    listeners.delete(handler);
    if (listeners.size > 0) return;
    document.removeEventListener("visibilitychange", openWhileSeen);
    close();
  };
}
