import { useState } from "react";
import { groups } from "#contract/groups.ts";
import { notifications } from "#contract/notifications.ts";
import { scheduledUses, type ScheduledUse } from "#contract/scheduled-uses.ts";
import { users, type User } from "#contract/users.ts";
import { ApiError } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { personName } from "#web/domain/avatar.tsx";
import { Confirm } from "#web/ui/confirm.tsx";
import { ScheduledList } from "#web/domain/scheduled-list.tsx";
import { toast } from "#web/ui/toast-store.ts";

type Props = { person: User; onClose: () => void; onDeleted: (person: User) => void };

/**
 * Asks for confirmation with the specified sentence, then deletes the person. If something is scheduled for them, lists
 * it and asks a second time.
 */
export function DeleteUser({ person, onClose, onDeleted }: Props) {
  const [uses, setUses] = useState<ScheduledUse[]>([]);
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
  const inUse = uses.length > 0;

  const onConfirm = async () => {
    try {
      await write.mutateAsync({ params: { id: person.id }, query: { detach: inUse } });
      toast({ title: "User deleted", description: `${personName(person)} was deleted.` });
      onDeleted(person);
      onClose();
    } catch (error) {
      const found = error instanceof ApiError ? scheduledUses(error.fields) : [];
      if (found.length > 0) return setUses(found);
      const message = reasonOf(error);
      toast({ variant: "destructive", title: "Error", description: `Failed to delete user: ${message}` });
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
      title="Delete User"
      description={
        <>
          <p>
            Are you sure you want to delete{" "}
            <bdi>
              {person.firstName} {person.lastName}
            </bdi>
            ? This action cannot be undone.
          </p>
          {inUse ? (
            <>
              <p className="mt-2 text-sm">
                {uses.length === 1
                  ? "This is scheduled for this person:"
                  : "These are scheduled for this person:"}
              </p>
              <ScheduledList scheduled={uses} />
            </>
          ) : (
            <p className="mt-2 text-sm">
              They'll be removed from every list and group and won't be able to sign in. What was sent to them
              stays on record.
            </p>
          )}
        </>
      }
      confirmLabel={inUse ? "Delete anyway" : "Delete"}
      danger
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}
