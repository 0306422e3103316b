import { Plus } from "lucide-react";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { useKnownGroups } from "#web/domain/message/known-groups.ts";
import { Button } from "#web/ui/button.tsx";
import type { ButtonProps } from "#web/ui/button.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";

const compose = lazyDialog<ComposeDialogProps>(() => import("#web/features/compose/compose-dialog.tsx"));

/** The create dialog. Its code loads with the first opening, or earlier if a button prefetches it. */
export const ComposeDialog = compose.Dialog;

/** "New Notification": loads the dialog's code and the groups before it is pressed. */
export function NewNotificationButton(props: Omit<ButtonProps, "children" | "icon" | "variant">) {
  useKnownGroups();
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
