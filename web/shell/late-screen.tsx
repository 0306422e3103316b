import { use } from "react";
import type { ComponentType } from "react";
import { latePart } from "#web/ui/late-part.ts";

/**
 * A screen whose code arrives with its first visit, or earlier by `preload`. Not the router's own lazy component: that
 * one loads the whole page again when code does not arrive, and with the server away nothing is left of the page, of
 * what is typed in it and of the courier of what waits to be sent.
 */
export function lateScreen(fetchScreen: () => Promise<ComponentType>) {
  const part = latePart(fetchScreen);
  let latest: Promise<unknown> | undefined;
  // The router asks this before each visit; so a try that failed is made again there.
  const preload = async () => {
    latest = part.load();
    await latest;
  };

  function Screen() {
    if (!part.here) use(latest ?? preload());
    return part.here && <part.here />;
  }
  return Object.assign(Screen, { preload });
}
