// The console for browsers that have no Temporal yet: it is there before any of the console's code runs.
import "temporal-polyfill/global";
export { default } from "#web/app.tsx";
