/** The console, for which a browser needs Temporal; not every one has it yet. */
export async function loadConsole() {
  if (!("Temporal" in globalThis)) await import("temporal-polyfill/global");
  return import("#web/app.tsx");
}

/** Fetches it while someone signs in. What fails now is fetched again when it is needed. */
export function fetchConsole() {
  loadConsole().catch(() => undefined);
}
