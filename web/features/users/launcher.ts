import type { UserDialogProps } from "#web/features/users/edit/user-dialog.tsx";
import { lateDialog } from "#web/ui/late-dialog.tsx";

/** "Add User" and "Edit User". */
export const { Dialog: UserDialog, prefetch: prefetchUserDialog } = lateDialog<UserDialogProps>(
  () => import("#web/features/users/edit/user-dialog.tsx"),
);
