import type { AddHomesProps } from "#web/features/places/edit/add-homes.tsx";
import type { CorrectHomesProps } from "#web/features/places/edit/correct-homes.tsx";
import type { MergeDialogProps } from "#web/features/places/edit/merge-dialog.tsx";
import type { MoveDialogProps } from "#web/features/places/edit/move-dialog.tsx";
import type { PropertyDialogProps } from "#web/features/places/edit/property-dialog.tsx";
import type { ResidencyDialogProps } from "#web/features/places/edit/residency-dialog.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

/** "Add Property" and "Edit Property". */
export const { Dialog: PropertyDialog, prefetch: prefetchPropertyDialog } = lazyDialog<PropertyDialogProps>(
  () => import("#web/features/places/edit/property-dialog.tsx"),
);
export const { Dialog: MergeDialog } = lazyDialog<MergeDialogProps>(
  () => import("#web/features/places/edit/merge-dialog.tsx"),
);
export const { Dialog: AddHomes } = lazyDialog<AddHomesProps>(
  () => import("#web/features/places/edit/add-homes.tsx"),
);
export const { Dialog: CorrectHomes } = lazyDialog<CorrectHomesProps>(
  () => import("#web/features/places/edit/correct-homes.tsx"),
);
/** "Move in", and changing what is on file about someone's time in a home. */
export const { Dialog: ResidencyDialog } = lazyDialog<ResidencyDialogProps>(
  () => import("#web/features/places/edit/residency-dialog.tsx"),
);
/** "Move to another home". */
export const { Dialog: MoveDialog } = lazyDialog<MoveDialogProps>(
  () => import("#web/features/places/edit/move-dialog.tsx"),
);
