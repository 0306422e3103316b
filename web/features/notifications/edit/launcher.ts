import type { EditDialogProps } from "#web/features/notifications/edit/edit-dialog.tsx";
import { lateDialog } from "#web/ui/late-dialog.tsx";

/** The edit dialog; its code arrives with the first opening. */
export const { Dialog: EditNotification, prefetch: prefetchEdit } = lateDialog<EditDialogProps>(
  () => import("#web/features/notifications/edit/edit-dialog.tsx"),
);
