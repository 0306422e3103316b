import type { SheetImportProps } from "#web/features/csv/sheet/sheet-import.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

/** The import of a spreadsheet that was uploaded, in the whole window. */
export const { Dialog: SheetImport } = lazyDialog<SheetImportProps>(
  () => import("#web/features/csv/sheet/sheet-import.tsx"),
);
