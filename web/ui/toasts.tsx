import { Suspense, lazy, useSyncExternalStore } from "react";
import { toastStore } from "#web/ui/toast-store.ts";

const Toaster = lazy(() => import("#web/ui/toaster.tsx"));

/** The place of toasts, once a page. What draws them is loaded with the first one. */
export function Toasts() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.get);
  if (toasts.length === 0) return null;
  return (
    <Suspense>
      <Toaster toasts={toasts} />
    </Suspense>
  );
}
