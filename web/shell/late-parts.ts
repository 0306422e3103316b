import { useEffect } from "react";
import { reachability } from "#web/api/client.ts";
import { lookForUpdate } from "#web/shell/version.ts";
import { fetchLateParts, whenPartMissing } from "#web/ui/late-part.ts";

// Not every browser knows when it is idle; a moment after the first screen is as good.
const IDLE = 2000;

/**
 * Fetches all screens and dialogs while the page rests, so that an outage finds them here. What does not arrive is
 * tried again when the server is back, unless the server has a newer version, which is looked for then.
 */
export function useLateParts(wanted: boolean) {
  useEffect(() => whenPartMissing(() => void lookForUpdate()), []);
  useEffect(() => {
    if (!wanted) return undefined;
    const fetchThem = () => void fetchLateParts().catch(() => undefined);
    const timer = setTimeout(fetchThem, IDLE);
    const unwatch = reachability.subscribe(() => {
      if (reachability.get()) fetchThem();
    });
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [wanted]);
}
