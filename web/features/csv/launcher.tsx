import type { CsvDialogProps } from "#web/features/csv/csv-dialog.tsx";
import { lateDialog } from "#web/ui/late-dialog.tsx";

/** The Import/Export CSV dialog, opened on `tab`. */
export const { Dialog: CsvDialog, prefetch: prefetchCsv } = lateDialog<CsvDialogProps>(
  () => import("#web/features/csv/csv-dialog.tsx"),
);
