import { useQuery } from "@tanstack/react-query";
import { groups } from "#contract/groups.ts";
import type { Group } from "#contract/groups.ts";
import { readKey } from "#web/api/use-read.ts";
import { OpeningDialog } from "#web/domain/save/opening-dialog.tsx";
import { GroupFormDialog } from "#web/features/groups/edit/group-form-dialog.tsx";
import { readMembers } from "#web/features/groups/edit/use-group-form.ts";

export type GroupDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Undefined for a new one. */
  group: Group | undefined;
  onSaved?: (group: Group) => void;
};

/** "New Group" and "Edit Group". Loaded through launcher.ts, and mounted anew each time it is opened. */
export default function GroupDialog({ group, ...props }: GroupDialogProps) {
  return group ? <EditDialog {...props} group={group} /> : <GroupFormDialog {...props} group={undefined} />;
}

function EditDialog({ group, ...props }: GroupDialogProps & { group: Group }) {
  const read = useQuery({
    queryKey: readKey(groups.memberIds, { params: { id: group.id } }),
    queryFn: ({ signal }) => readMembers(group, signal),
    staleTime: 0,
  });
  return (
    <OpeningDialog {...props} title="Edit Group" what="this group" read={read}>
      {(whole) => <GroupFormDialog {...props} group={whole} />}
    </OpeningDialog>
  );
}
