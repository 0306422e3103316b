/** For this long after the last sign of a person, the page's calls count as that person's activity. */
const ACTIVE_MS = 60_000;

const signs = ["pointerdown", "keydown", "wheel", "click", "input"];

// Opening the page counts as activity.
let lastSign = Date.now();

/** Treats everything that a person does at `page` as activity. Returns a function that stops it. */
export function watchForActivity(page: EventTarget): () => void {
  const note = () => {
    lastSign = Date.now();
  };
  for (const sign of signs) page.addEventListener(sign, note, { capture: true, passive: true });
  return () => {
    for (const sign of signs) page.removeEventListener(sign, note, { capture: true });
  };
}

/** Whether someone is using this page. Requests the page makes on its own must not keep a session alive. */
export function isUserActive(): boolean {
  return Date.now() - lastSign < ACTIVE_MS;
}
