import { useQuery } from "@tanstack/react-query";
import { groups } from "#contract/groups.ts";
import type { Group } from "#contract/groups.ts";
import { call } from "#web/api/client.ts";
import { readKey } from "#web/api/use-read.ts";
import { GroupFormDialog } from "#web/features/groups/edit/group-form-dialog.tsx";
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
export default function GroupDialog(props: GroupDialogProps) {
  const { group } = props;
  if (!group || group.rule) return <GroupFormDialog {...props} memberIds={[]} />;
  return <HandGroup {...props} group={group} />;
}

/** A save sends all members, so they are known before anything can be changed. */
function HandGroup(props: GroupDialogProps & { group: Group }) {
  const input = { params: { id: props.group.id } };
  const read = useQuery({
    queryKey: readKey(groups.memberIds, input),
    queryFn: ({ signal }) => call(groups.memberIds, input, { signal }),
    staleTime: 0,
  });
  if (read.data && read.isFetchedAfterMount) {
    return <GroupFormDialog {...props} memberIds={read.data.userIds} />;
  }
  return (
    <Dialog open={props.open} onOpenChange={props.onOpenChange} title="Edit Group">
      {read.error ? (
        <ErrorState
          title="This group could not be loaded"
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
