import { config } from "zod/v4/core";

// The content security policy forbids the code generation that zod would first try, and reports the attempt. zod decides
// when a schema is made, so this comes before the console's code.
config({ jitless: true });

/** The console, with a polyfill for browsers without Temporal. */
export function loadConsole() {
  return "Temporal" in globalThis ? import("#web/app.tsx") : import("#web/app-with-temporal.ts");
}

/** Loads it while someone signs in. If that fails, it is loaded when it is needed. */
export function fetchConsole() {
  loadConsole().catch(() => undefined);
}
