import { useEffect, useState, useSyncExternalStore } from "react";
import { toastStore } from "#web/ui/toast-store.ts";

const load = () => import("#web/ui/toaster.tsx");
type Toaster = Awaited<ReturnType<typeof load>>["default"];

/** Fetches what draws toasts before there is one: the first may be the one which says that the server is away. */
export function prefetchToasts() {
  load().catch(() => undefined);
}

/** The place of toasts, once a page. What draws them is loaded with the first one; without it the page goes on. */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  const [drawing, setDrawing] = useState<{ Toaster: Toaster }>();
  useEffect(() => {
    if (drawing) return undefined;
    const fetchIt = () => {
      if (toastStore.get().length === 0) return;
      load().then(
        ({ default: Toaster }) => setDrawing({ Toaster }),
        // The next toast tries again.
        () => undefined,
      );
    };
    fetchIt();
    return toastStore.subscribe(fetchIt);
  }, [drawing]);
  return drawing && toasts.length > 0 ? <drawing.Toaster toasts={toasts} /> : null;
}
