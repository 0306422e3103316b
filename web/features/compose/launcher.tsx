import { useNavigate } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { ComposeDialogProps } from "#web/features/compose/compose-dialog.tsx";
import { useKnownGroups } from "#web/domain/message/known-groups.ts";
import { Button, type ButtonProps } from "#web/ui/page/button.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

const compose = lazyDialog<ComposeDialogProps>(() => import("#web/features/compose/compose-dialog.tsx"));

/** The create dialog. Its code loads with the first opening, or earlier if a button prefetches it. */
export const ComposeDialog = compose.Dialog;

type Props = Pick<ButtonProps, "variant" | "icon" | "children">;

/** Opens the create dialog over the current screen. Loads its code and the groups before it is pressed. */
export function NewNotificationButton({
  variant = "ink",
  icon = <Plus aria-hidden />,
  children = "New Notification",
}: Props) {
  useKnownGroups();
  const navigate = useNavigate();
  return (
    <Button
      variant={variant}
      icon={icon}
      onPointerEnter={compose.prefetch}
      onFocus={compose.prefetch}
      onClick={() =>
        void navigate({
          to: ".",
          search: (screen: object) => ({ ...screen, write: "new" as const }),
          resetScroll: false,
        })
      }
    >
      {children}
    </Button>
  );
}
