import { isolated } from "#contract/text/isolate.ts";
import { integrations, type Account } from "#contract/calls/integrations.ts";
import { shell } from "#contract/calls/shell.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { useWrite } from "#web/api/use-write.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = {
  account: Account;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRemoved: () => void;
};

/** Asks before an account and its secrets are gone. */
export function RemoveAccount({ account: { id, name }, open, onOpenChange, onRemoved }: Props) {
  const remove = useWrite(integrations.remove, { refreshes: [integrations.list, shell.state] });
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={
        <>
          Remove “<bdi translate="no">{name}</bdi>”?
        </>
      }
      description="Its saved password or key will be deleted. Messages it sent stay on record. Waiting messages will go through the channel's other accounts."
      confirmLabel="Remove"
      danger
      busy={remove.isPending}
      onConfirm={() =>
        remove.mutate(
          { params: { id } },
          {
            onSuccess: () => {
              toast({ title: "Settings Updated", description: `${isolated(name)} was removed.` });
              onRemoved();
            },
            onError: (error) => {
              if (error instanceof CancelledError) return;
              toast({ title: "Error", description: error.message, variant: "destructive" });
            },
          },
        )
      }
    />
  );
}
