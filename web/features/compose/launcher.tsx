import { Plus } from "lucide-react";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { Button } from "#web/ui/button.tsx";
import type { ButtonProps } from "#web/ui/button.tsx";
import { lateDialog } from "#web/ui/late-dialog.tsx";

const compose = lateDialog<ComposeDialogProps>(() => import("#web/features/compose/compose-dialog.tsx"));

/** The create dialog. Its code arrives with the first opening, or before where a button prefetches it. */
export const ComposeDialog = compose.Dialog;

/** "New Notification": the dialog's code is here when it is pressed. */
export function NewNotificationButton(props: Omit<ButtonProps, "children" | "icon" | "variant">) {
  return (
    <Button
      {...props}
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={compose.prefetch}
      onFocus={compose.prefetch}
    >
      New Notification
    </Button>
  );
}
