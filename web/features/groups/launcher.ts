import type { GroupDialogProps } from "#web/features/groups/edit/group-dialog.tsx";
import { lateDialog } from "#web/ui/late-dialog.tsx";

/** "New Group" and "Edit Group". */
export const { Dialog: GroupDialog, prefetch: prefetchGroupDialog } = lateDialog<GroupDialogProps>(
  () => import("#web/features/groups/edit/group-dialog.tsx"),
);
