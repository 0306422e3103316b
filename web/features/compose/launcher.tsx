import { Plus } from "lucide-react";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { useKnownGroups } from "#web/domain/message/known-groups.ts";
import { Button } from "#web/ui/button.tsx";
import type { ButtonProps } from "#web/ui/button.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";

const compose = lazyDialog<ComposeDialogProps>(() => import("#web/features/compose/compose-dialog.tsx"));

/** The create dialog. Its code arrives with the first opening, or before where a button prefetches it. */
export const ComposeDialog = compose.Dialog;

/** "New Notification": the dialog's code and the groups are here when it is pressed. */
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
