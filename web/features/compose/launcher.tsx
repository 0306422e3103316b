import { Plus } from "lucide-react";
import { Suspense, lazy, useEffect } from "react";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import type { ButtonProps } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

const load = () => import("#web/features/compose/compose-dialog.tsx");
const Loaded = lazy(load);

/** Fetches the dialog's code before it is asked for. What fails now is fetched again when it is needed. */
export function prefetchCompose() {
  load().catch(() => undefined);
}

/** The create dialog. Its code arrives with the first opening, or before where a button prefetches it. */
export function ComposeDialog(props: ComposeDialogProps) {
  if (!props.open) return null;
  return (
    <Suspense fallback={<Loading onOpenChange={props.onOpenChange} />}>
      <Loaded {...props} />
    </Suspense>
  );
}

/** "New Notification": loads the dialog's code while the page rests, at the latest when the pointer comes near. */
export function NewNotificationButton(props: Omit<ButtonProps, "children" | "icon" | "variant">) {
  useEffect(() => {
    // Not every browser knows when it is idle; a moment after the page is as good.
    const timer = setTimeout(prefetchCompose, 2000);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Button
      {...props}
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetchCompose}
      onFocus={prefetchCompose}
    >
      New Notification
    </Button>
  );
}

function Loading({ onOpenChange }: Pick<ComposeDialogProps, "onOpenChange">) {
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      title="Create New Notification"
      description="Fill out the form below to send a new notification."
    >
      <div aria-busy className="flex flex-col gap-6 py-1">
        <span className="sr-only">Loading...</span>
        {["h-9", "h-24", "h-9", "h-15"].map((height, index) => (
          <div key={height + String(index)} className="flex flex-col gap-2">
            <Skeleton className="h-4 w-20" />
            <Skeleton className={height} />
          </div>
        ))}
      </div>
    </Dialog>
  );
}
