/** The console, with a polyfill for browsers without Temporal. */
export function loadConsole() {
  return "Temporal" in globalThis ? import("#web/app.tsx") : import("#web/app-with-temporal.ts");
}

/** Loads it while someone signs in. If that fails, it is loaded when it is needed. */
export function fetchConsole() {
  loadConsole().catch(() => undefined);
}
