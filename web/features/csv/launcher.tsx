import { Suspense, lazy } from "react";
import type { CsvDialogProps } from "#web/features/csv/csv-dialog.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

const load = () => import("#web/features/csv/csv-dialog.tsx");
const Loaded = lazy(load);

/** Fetches the dialog's code before it is asked for. What fails now is fetched again when it is needed. */
export function prefetchCsv() {
  load().catch(() => undefined);
}

/** The Import/Export CSV dialog, opened on `tab`. Its code arrives with the first opening. */
export function CsvDialog(props: CsvDialogProps) {
  if (!props.open) return null;
  return (
    <Suspense fallback={<Loading onOpenChange={props.onOpenChange} />}>
      <Loaded {...props} />
    </Suspense>
  );
}

function Loading({ onOpenChange }: Pick<CsvDialogProps, "onOpenChange">) {
  return (
    <Dialog open onOpenChange={onOpenChange} title="Import/Export CSV">
      <output className="flex flex-col gap-5 py-1">
        <span className="sr-only">Loading...</span>
        <Skeleton className="h-10" />
        <Skeleton className="h-40" />
      </output>
    </Dialog>
  );
}
