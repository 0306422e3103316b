import type { ScheduleDialogProps } from "#web/features/schedules/edit/schedule-dialog.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";

/** "Create Schedule" and "Edit Schedule". */
export const { Dialog: ScheduleDialog, prefetch: prefetchScheduleDialog } = lazyDialog<ScheduleDialogProps>(
  () => import("#web/features/schedules/edit/schedule-dialog.tsx"),
);
