import type { EditDialogProps } from "#web/features/notifications/edit/edit-dialog.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";

/**
 * The edit dialog, with what the create dialog tells of a message. The code of both arrives with the first opening:
 * a notification that is only looked at carries no form.
 */
export const editNotification = lazyDialog<Omit<EditDialogProps, "Truth">>(async () => {
  const [{ default: EditDialog }, { MessageTruth }] = await Promise.all([
    import("#web/features/notifications/edit/edit-dialog.tsx"),
    import("#web/features/compose/message-truth.tsx"),
  ]);
  return { default: (props) => <EditDialog {...props} Truth={MessageTruth} /> };
});
