import { use } from "react";
import type { ComponentType } from "react";
import { lazyPart } from "#web/ui/lazy-part.ts";

/**
 * A screen whose code is loaded with the first visit, or earlier by `preload`. Not the router's own lazy component:
 * when code cannot be loaded, that one reloads the whole page, and while the server is down nothing would be left of
 * the page, of what is typed in it, and of the outbox.
 */
export function lazyScreen(importScreen: () => Promise<ComponentType>) {
  const part = lazyPart(importScreen);
  let latest: Promise<unknown> | undefined;
  // The router calls this before each visit, so a failed attempt is repeated there.
  const preload = async () => {
    latest = part.load();
    await latest;
  };

  function Screen() {
    if (!part.loaded) use(latest ?? preload());
    return part.loaded && <part.loaded />;
  }
  return Object.assign(Screen, { preload });
}
