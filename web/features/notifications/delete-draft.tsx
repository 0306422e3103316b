import { notifications, type NotificationRow } from "#contract/calls/notifications.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { CancelRun } from "#web/features/notifications/cancel-run.tsx";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = { draft: NotificationRow; onClose: () => void; onDeleted?: () => void };

/** Asks for confirmation before a draft is deleted. */
export function DeleteDraft({ draft, onClose, onDeleted }: Props) {
  const { list, recent, remove } = notifications;
  const write = useWrite(remove, { refreshes: [list, recent] });
  const onConfirm = async () => {
    try {
      const { message } = await write.mutateAsync({ params: { id: draft.id } });
      toast({ title: "Draft deleted", description: message });
      onDeleted?.();
    } catch (error) {
      const why = reasonOf(error);
      const description = `Failed to delete notification: ${why}`;
      toast({ variant: "destructive", title: "Error", description });
    } finally {
      onClose();
    }
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Delete Draft"
      description={
        <p>
          Are you sure you want to delete <bdi translate="no">{draft.title}</bdi>? This action cannot be
          undone.
        </p>
      }
      confirmLabel="Delete"
      danger
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}

/** The confirmation of a row's last action: a draft is deleted, a planned or running one is cancelled. */
export function CancelOrDelete({ row, onClose }: { row: NotificationRow | undefined; onClose: () => void }) {
  if (row?.status === "Draft") return <DeleteDraft draft={row} onClose={onClose} />;
  return <CancelRun row={row} onClose={onClose} />;
}
