import { Plus } from "lucide-react";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import type { ButtonProps } from "#web/ui/button.tsx";
import { lateDialog } from "#web/ui/late-dialog.tsx";

/** The create dialog. Its code arrives with the first opening, or before where a button prefetches it. */
export const { Dialog: ComposeDialog, prefetch: prefetchCompose } = lateDialog<ComposeDialogProps>(
  () => import("#web/features/compose/compose-dialog.tsx"),
);

/** "New Notification": the dialog's code is here when it is pressed. */
export function NewNotificationButton(props: Omit<ButtonProps, "children" | "icon" | "variant">) {
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
