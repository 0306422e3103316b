import { details } from "#contract/calls/details.ts";
import { isolated } from "#contract/text/isolate.ts";
import { people } from "#contract/text/count-text.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import type { KeptDetail } from "#web/features/users/details/details-dialog.tsx";
import { refreshes } from "#web/features/users/details/kinds.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

export function DeleteDetail({ detail, onClose }: { detail: KeptDetail; onClose: () => void }) {
  const write = useWrite(details.remove, { refreshes });
  const remove = async () => {
    try {
      await write.mutateAsync({ params: { id: detail.id } });
      toast({ title: "Detail deleted", description: `“${isolated(detail.label)}” was deleted.` });
    } catch (error) {
      toast({ title: "The detail was not deleted", description: reasonOf(error), variant: "destructive" });
    }
    onClose();
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        <>
          Delete <bdi translate="no">{detail.label}</bdi>?
        </>
      }
      description={
        detail.people === 0
          ? "No one has it."
          : `${people(detail.people)} ${detail.people === 1 ? "loses" : "lose"} what is on file. This action cannot be undone. What was sent stays.`
      }
      confirmLabel="Delete"
      danger
      busy={write.isPending}
      onConfirm={() => void remove()}
    />
  );
}
