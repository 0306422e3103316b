/** For so long after the last sign of a person, the page's calls are taken for that person's doing. */
const ACTIVE_MS = 60_000;

const signs = ["pointerdown", "keydown", "wheel", "click", "input"];

// Opening the page is a sign, too.
let lastSign = Date.now();

/** Takes everything that a person does at `page` for a sign. Answers how to stop. */
export function watchForActivity(page: EventTarget): () => void {
  const note = () => {
    lastSign = Date.now();
  };
  for (const sign of signs) page.addEventListener(sign, note, { capture: true, passive: true });
  return () => {
    for (const sign of signs) page.removeEventListener(sign, note, { capture: true });
  };
}

/** Whether someone is at this page. What the page asks by itself meanwhile must not keep a session alive. */
export function isUserActive(): boolean {
  return Date.now() - lastSign < ACTIVE_MS;
}
