import { startTransition, useEffect, useState } from "react";

/**
 * True in a later step than `ready`, for what is below the first screenful: to lay out all of it at once would keep a
 * phone busy for too long. What is ready from the start is shown at once, so that Back finds its scroll position.
 */
export function useLater(ready: boolean): boolean {
  const [later, setLater] = useState(ready);
  useEffect(() => {
    if (ready) startTransition(() => setLater(true));
  }, [ready]);
  return later;
}
