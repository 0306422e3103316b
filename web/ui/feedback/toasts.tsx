import { useEffect, useState, useSyncExternalStore } from "react";
import { toastStore } from "#web/ui/feedback/toast-store.ts";

const load = () => import("#web/ui/feedback/toaster.tsx");
type Toaster = Awaited<ReturnType<typeof load>>["default"];

/** Loads the toaster in advance, because the first toast may say that the server cannot be reached. */
export function prefetchToasts() {
  load().catch(() => undefined);
}

/** Where toasts appear, once per page. The toaster is loaded with the first one. If that fails, the page still works. */
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
