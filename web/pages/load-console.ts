/** The console, for which a browser needs Temporal; not every one has it yet. */
export function loadConsole() {
  return "Temporal" in globalThis ? import("#web/app.tsx") : import("#web/app-with-temporal.ts");
}

/** Fetches it while someone signs in. What fails now is fetched again when it is needed. */
export function fetchConsole() {
  loadConsole().catch(() => undefined);
}
