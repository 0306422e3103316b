import type { CsvDialogProps } from "#web/features/csv/csv-dialog.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

/** The Import/Export CSV dialog, opened on `tab`. */
export const { Dialog: CsvDialog, prefetch: prefetchCsv } = lazyDialog<CsvDialogProps>(
  () => import("#web/features/csv/csv-dialog.tsx"),
);
