import type { DetailsDialogProps } from "#web/features/details/details-dialog.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

/** "Details": what is kept of each person. */
export const { Dialog: DetailsDialog, prefetch: prefetchDetailsDialog } = lazyDialog<DetailsDialogProps>(
  () => import("#web/features/details/details-dialog.tsx"),
);
