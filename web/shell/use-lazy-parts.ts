import { useEffect } from "react";
import { reachability } from "#web/api/client.ts";
import { lookForUpdate } from "#web/shell/version.ts";
import { loadLazyParts, whenPartMissing } from "#web/ui/lazy-part.ts";

// Safari has no requestIdleCallback; a moment after the first screen does as well.
const IDLE = 2000;

/**
 * Loads all screens and dialogs once the page is idle, so that they are here in an outage. After a failure it looks for a
 * newer version on the server, and tries again when the server is reachable.
 */
export function useLazyParts(wanted: boolean) {
  useEffect(() => whenPartMissing(() => void lookForUpdate()), []);
  useEffect(() => {
    if (!wanted) return undefined;
    const loadAll = () => void loadLazyParts().catch(() => undefined);
    const timer = setTimeout(loadAll, IDLE);
    const unwatch = reachability.subscribe(() => {
      if (reachability.get()) loadAll();
    });
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [wanted]);
}
