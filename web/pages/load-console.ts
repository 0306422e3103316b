// What zod's `config({ jitless: true })` sets, without zod itself, which would be a tenth of the sign-in page. The content
// security policy forbids the code generation that zod would first try, and reports the attempt. zod decides when a schema
// is made, so this comes before the console's code.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });

/** The console, with a polyfill for browsers without Temporal. */
export function loadConsole() {
  return "Temporal" in globalThis ? import("#web/app.tsx") : import("#web/app-with-temporal.ts");
}

/** Loads it while someone signs in. If that fails, it is loaded when it is needed. */
export function fetchConsole() {
  loadConsole().catch(() => undefined);
}
