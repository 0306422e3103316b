/** Fetches the console while somebody signs in. What fails now is fetched again when it is needed. */
export function fetchConsole() {
  import("#web/app.tsx").catch(() => undefined);
}
