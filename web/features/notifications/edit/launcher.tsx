import { Suspense, lazy } from "react";
import type { EditDialogProps } from "#web/features/notifications/edit/edit-dialog.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { SpinnerPage } from "#web/ui/spinner.tsx";

const load = () => import("#web/features/notifications/edit/edit-dialog.tsx");
const Loaded = lazy(load);

/** Fetches the dialog's code before it is asked for. What fails now is fetched again when it is needed. */
export function prefetchEdit() {
  load().catch(() => undefined);
}

/** The edit dialog; its code arrives with the first opening. */
export function EditNotification(props: EditDialogProps) {
  return (
    <Suspense
      fallback={
        <Dialog open onOpenChange={props.onClose} title="Edit Notification">
          <SpinnerPage />
        </Dialog>
      }
    >
      <Loaded {...props} />
    </Suspense>
  );
}
