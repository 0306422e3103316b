import { isolated } from "#contract/text/isolate.ts";
import { fullName } from "#contract/text/full-name.ts";
import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { users, type User } from "#contract/calls/users.ts";
import { useWrite } from "#web/api/use-write.ts";
import { personName } from "#web/domain/avatar.tsx";
import { DeleteRecipient } from "#web/domain/delete-recipient.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = { person: User; onClose: () => void; onDeleted: (person: User) => void };

export function DeleteUser({ person, onClose, onDeleted }: Props) {
  const write = useWrite(users.remove, {
    refreshes: [
      users.list,
      users.properties,
      groups.list,
      groups.detail,
      groups.members,
      notifications.list,
      notifications.recent,
      notifications.detail,
    ],
  });
  return (
    <DeleteRecipient
      title="Delete User"
      kind="user"
      name={fullName(person)}
      recipient="this person"
      consequence="They'll be removed from every list and group and won't be able to sign in. What was sent to them stays on record."
      remove={async (detach) => {
        await write.mutateAsync({ params: { id: person.id }, query: { detach } });
        toast({ title: "User deleted", description: `${isolated(personName(person))} was deleted.` });
        onDeleted(person);
      }}
      busy={write.isPending}
      onClose={onClose}
    />
  );
}
