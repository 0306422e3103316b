import { isolated } from "#contract/text/isolate.ts";
import { groups, type Group } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { users } from "#contract/calls/users.ts";
import { useWrite } from "#web/api/use-write.ts";
import { DeleteRecipient } from "#web/domain/delete-recipient.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = { group: Group; onClose: () => void };

export function DeleteGroup({ group, onClose }: Props) {
  const write = useWrite(groups.remove, {
    refreshes: [
      groups.list,
      groups.detail,
      users.list,
      users.detail,
      notifications.list,
      notifications.recent,
      notifications.detail,
    ],
  });
  return (
    <DeleteRecipient
      title="Delete Group"
      kind="user group"
      name={group.name}
      recipient="this group"
      consequence="Only the group is deleted. Its members and what was sent to them stay."
      remove={async (detach) => {
        await write.mutateAsync({ params: { id: group.id }, query: { detach } });
        toast({
          title: "User group deleted",
          description: `“${isolated(group.name)}” was deleted. Its members stay.`,
        });
      }}
      busy={write.isPending}
      onClose={onClose}
    />
  );
}
