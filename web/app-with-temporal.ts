// The console for browsers without Temporal: the polyfill loads before any of the console's code runs.
import "temporal-polyfill/global";
export { default } from "#web/app.tsx";
