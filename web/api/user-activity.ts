/** For this long after the last sign of a person, the page's calls count as that person's activity. */
const ACTIVE_MS = 60_000;

const signs = ["pointerdown", "pointermove", "keydown", "wheel", "click", "input"];

// Opening the page counts as activity.
let lastSign = Date.now();
/** When the page last made a call that counts as activity. */
let lastCall = Date.now();
/** Where the pointer was: browsers also report a move if the page moves under a pointer that rests. */
let lastPlace = "";

/**
 * Treats everything that a person does at `page` as activity: typing and pointing, too. `onUnnoticed` is called if the
 * server has not heard of it for a while, because the page asks for nothing meanwhile. Returns a function that stops it.
 */
export function watchForActivity(page: EventTarget, onUnnoticed = () => {}): () => void {
  const note = (event: Event) => {
    if (event.type === "pointermove") {
      const { screenX, screenY } = event as PointerEvent;
      const place = `${screenX} ${screenY}`;
      if (place === lastPlace) return;
      lastPlace = place;
    }
    lastSign = Date.now();
    if (lastSign - lastCall < ACTIVE_MS) return;
    lastCall = lastSign;
    onUnnoticed();
  };
  for (const sign of signs) page.addEventListener(sign, note, { capture: true, passive: true });
  return () => {
    for (const sign of signs) page.removeEventListener(sign, note, { capture: true });
  };
}

/** A call is made: whether someone is using this page. Requests it makes on its own must not keep a session alive. */
export function noteCall(): boolean {
  const now = Date.now();
  const active = now - lastSign < ACTIVE_MS;
  if (active) lastCall = now;
  return active;
}
