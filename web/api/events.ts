import { EVENTS_KEPT_MS, shell, type ServerEvent } from "#contract/calls/shell.ts";
import { address, callsWait } from "#web/api/client.ts";
import { reachability } from "#web/api/reachability.ts";
import { recheckSession } from "#web/api/session.ts";

const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30_000;
/** A stream that takes longer to open may miss an event that isn't in the page's data yet. */
const SLOW_MS = 2000;

const listeners = new Set<(event: ServerEvent) => void>();
let source: EventSource | undefined;
let wait = FIRST_WAIT;
let timer: ReturnType<typeof setTimeout> | undefined;
/** This tab may have missed an event. */
let missed = false;

function tell(event: ServerEvent) {
  for (const listen of listeners) listen(event);
}

function open() {
  // It would be refused until the person has signed in again.
  if (callsWait()) {
    timer = setTimeout(open, FIRST_WAIT);
    return;
  }
  timer = undefined;
  const began = performance.now();
  // The page has read its data since it was requested, so the server repeats what has happened since.
  const since = missed ? 0 : Math.min(Math.ceil(began) + SLOW_MS, EVENTS_KEPT_MS);
  const opened = new EventSource(address(shell.events.path, { query: { since } }));
  source = opened;
  opened.addEventListener("open", () => {
    wait = FIRST_WAIT;
    reachability.set(true);
    if (missed || performance.now() - began > SLOW_MS) tell({ type: "reconnected" });
    missed = false;
  });
  opened.addEventListener("message", (message: MessageEvent<string>) =>
    tell(JSON.parse(message.data) as ServerEvent),
  );
  opened.addEventListener("error", () => {
    missed = true;
    // The browser reconnects after a dropped connection, but gives up for good after a refusal.
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
 * A browser keeps at most six connections to one server across its tabs. A stream for every hidden tab would leave none
 * for the calls of the visible one.
 */
function openWhileSeen() {
  close();
  if (document.hidden) missed = true;
  else open();
}

/**
 * Listens to the server's events while this tab is visible. One stream serves all listeners and closes with the last.
 */
export function listen(handler: (event: ServerEvent) => void): () => void {
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
