import type { BlockAddressProps } from "#web/features/users/blocked/block-address.tsx";
import type { DetailsDialogProps } from "#web/features/users/details/details-dialog.tsx";
import type { UserDialogProps } from "#web/features/users/edit/user-dialog.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

/** "Add User" and "Edit User". */
export const { Dialog: UserDialog, prefetch: prefetchUserDialog } = lazyDialog<UserDialogProps>(
  () => import("#web/features/users/edit/user-dialog.tsx"),
);

/** "Block Address". */
export const { Dialog: BlockAddress, prefetch: prefetchBlockAddress } = lazyDialog<BlockAddressProps>(
  () => import("#web/features/users/blocked/block-address.tsx"),
);

/** "Details": what is kept of each person. */
export const { Dialog: DetailsDialog, prefetch: prefetchDetailsDialog } = lazyDialog<DetailsDialogProps>(
  () => import("#web/features/users/details/details-dialog.tsx"),
);
