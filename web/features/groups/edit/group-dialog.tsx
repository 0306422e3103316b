import { useQuery } from "@tanstack/react-query";
import { groups } from "#contract/groups.ts";
import type { Group } from "#contract/groups.ts";
import { readKey } from "#web/api/use-read.ts";
import { GroupFormDialog } from "#web/features/groups/edit/group-form-dialog.tsx";
import { readMembers } from "#web/features/groups/edit/use-group-form.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

export type GroupDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Undefined for a new one. */
  group: Group | undefined;
  onSaved?: (group: Group) => void;
};

/** "New Group" and "Edit Group". Loaded through launcher.ts; mounted anew with each opening. */
export default function GroupDialog({ group, ...props }: GroupDialogProps) {
  return group ? <EditDialog {...props} group={group} /> : <GroupFormDialog {...props} group={undefined} />;
}

function EditDialog({ group, ...props }: GroupDialogProps & { group: Group }) {
  const read = useQuery({
    queryKey: readKey(groups.memberIds, { params: { id: group.id } }),
    queryFn: ({ signal }) => readMembers(group, signal),
    staleTime: 0,
  });
  if (read.data && read.isFetchedAfterMount) return <GroupFormDialog {...props} group={read.data} />;
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Edit Group">
      {read.error ? (
        <ErrorState
          title="We couldn’t load this group"
          detail={read.error.message}
          busy={read.isFetching}
          onRetry={() => void read.refetch()}
        />
      ) : (
        <div className="flex flex-col gap-5">
          <output className="sr-only">Loading...</output>
          {Array.from({ length: 4 }, (_, index) => (
            <Skeleton key={index} className="h-14" />
          ))}
        </div>
      )}
    </Dialog>
  );
}
