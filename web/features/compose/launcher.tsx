import { Plus } from "lucide-react";
import { useEffect } from "react";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import type { ButtonProps } from "#web/ui/button.tsx";
import { lateDialog } from "#web/ui/late-dialog.tsx";

/** The create dialog. Its code arrives with the first opening, or before where a button prefetches it. */
export const { Dialog: ComposeDialog, prefetch: prefetchCompose } = lateDialog<ComposeDialogProps>(
  () => import("#web/features/compose/compose-dialog.tsx"),
);

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
