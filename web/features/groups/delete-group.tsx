import { useState } from "react";
import { groups, type Group } from "#contract/groups.ts";
import { notifications } from "#contract/notifications.ts";
import { scheduledUses, type ScheduledUse } from "#contract/scheduled-uses.ts";
import { users } from "#contract/users.ts";
import { ApiError } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { Confirm } from "#web/ui/confirm.tsx";
import { ScheduledList } from "#web/domain/scheduled-list.tsx";
import { toast } from "#web/ui/toast-store.ts";

type Props = { group: Group; onClose: () => void };

/** Asks for confirmation; if something scheduled uses the group, lists it and asks a second time. */
export function DeleteGroup({ group, onClose }: Props) {
  const [uses, setUses] = useState<ScheduledUse[]>([]);
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
  const inUse = uses.length > 0;

  const onConfirm = async () => {
    try {
      await write.mutateAsync({ params: { id: group.id }, query: { detach: inUse } });
      toast({ title: "User group deleted", description: `“${group.name}” was deleted. Its members stay.` });
      onClose();
    } catch (error) {
      const found = error instanceof ApiError ? scheduledUses(error.fields) : [];
      if (found.length > 0) return setUses(found);
      const message = reasonOf(error);
      toast({
        variant: "destructive",
        title: "Error",
        description: `Failed to delete user group: ${message}`,
      });
      onClose();
    }
  };

  return (
    <Confirm
      // The second question replaces the first, with the focus on Cancel again.
      key={inUse ? "in use" : "first"}
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        inUse ? (
          <>
            “<bdi>{group.name}</bdi>” is in use
          </>
        ) : (
          "Delete Group"
        )
      }
      description={
        inUse ? (
          <>
            <p>{uses.length === 1 ? "This is scheduled to go to it:" : "These are scheduled to go to it:"}</p>
            <ScheduledList scheduled={uses} />
          </>
        ) : (
          <>
            <p>
              Are you sure you want to delete <bdi>{group.name}</bdi>? This action cannot be undone.
            </p>
            <p className="mt-2 text-sm">
              Only the group is deleted. Its members and what was sent to them stay.
            </p>
          </>
        )
      }
      confirmLabel={inUse ? "Delete anyway" : "Delete"}
      danger
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}
