import type { GroupDialogProps } from "#web/features/groups/edit/group-dialog.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

/** "New Group" and "Edit Group". */
export const { Dialog: GroupDialog, prefetch: prefetchGroupDialog } = lazyDialog<GroupDialogProps>(
  () => import("#web/features/groups/edit/group-dialog.tsx"),
);
