import { groups } from "#contract/groups.ts";
import { users } from "#contract/users.ts";
import type { User } from "#contract/users.ts";
import { useWrite } from "#web/api/use-write.ts";
import { personName } from "#web/ui/avatar.tsx";
import { Confirm } from "#web/ui/confirm.tsx";
import { toast } from "#web/ui/toast-store.ts";

type Props = { person: User | undefined; onClose: () => void; onDeleted: (person: User) => void };

/** Asks once more, in the written words, and then takes the person off every list. */
export function DeleteUser({ person, onClose, onDeleted }: Props) {
  const write = useWrite(users.remove, {
    refreshes: [users.list, users.properties, groups.list, groups.members],
  });
  if (!person) return null;
  const onConfirm = async () => {
    try {
      await write.mutateAsync({ params: { id: person.id } });
      toast({ title: "User deleted", description: `${personName(person)} was deleted.` });
      onDeleted(person);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      toast({ variant: "destructive", title: "Error", description: `Failed to delete user: ${message}` });
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
      title="Delete User"
      description={
        <>
          <p>
            {`Are you sure you want to delete ${person.firstName} ${person.lastName}? This action cannot be undone.`}
          </p>
          <p className="mt-2 text-sm">
            They leave every list and group and can no longer sign in. What was sent to them stays on record.
          </p>
        </>
      }
      confirmLabel="Delete"
      danger
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}
