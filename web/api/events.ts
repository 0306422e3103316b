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
let wasOpen = false;

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
    if (wasOpen) tell({ type: "reconnected" });
    wasOpen = true;
  });
  opened.addEventListener("message", (message: MessageEvent<string>) =>
    tell(JSON.parse(message.data) as ServerEvent),
  );
  opened.addEventListener("error", () => {
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
  wasOpen = false;
  wait = FIRST_WAIT;
}

/** Hears what the server tells this tab. One stream serves all listeners and ends with the last. */
export function listen(handler: (event: PageEvent) => void): () => void {
  listeners.add(handler);
  if (!source && !timer) open();
  return () => {
    listeners.delete(handler);
    if (listeners.size === 0) close();
  };
}
