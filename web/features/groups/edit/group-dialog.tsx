import { useQuery } from "@tanstack/react-query";
import { groups, type Group } from "#contract/calls/groups.ts";
import { readKey } from "#web/api/use-read.ts";
import { OpeningDialog } from "#web/domain/save/opening-dialog.tsx";
import { GroupFormDialog } from "#web/features/groups/edit/group-form-dialog.tsx";
import { readGroup } from "#web/features/groups/edit/use-group-form.ts";

export type GroupDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The group to edit; undefined for a new one. */
  groupId: number | undefined;
  onSaved?: (group: Group) => void;
};

/** "New Group" and "Edit Group". Loaded through launcher.ts, and remounted each time it opens. */
export default function GroupDialog({ groupId, ...props }: GroupDialogProps) {
  return groupId === undefined ? (
    <GroupFormDialog {...props} group={undefined} />
  ) : (
    <EditDialog {...props} groupId={groupId} />
  );
}

/** The group is fetched when the dialog opens, because the list may be older. */
function EditDialog({ groupId, ...props }: Omit<GroupDialogProps, "groupId"> & { groupId: number }) {
  const read = useQuery({
    queryKey: readKey(groups.memberIds, { params: { id: groupId } }),
    queryFn: ({ signal }) => readGroup(groupId, signal),
    staleTime: 0,
  });
  return (
    <OpeningDialog {...props} title="Edit Group" what="this group" read={read}>
      {(whole) => <GroupFormDialog {...props} group={whole} />}
    </OpeningDialog>
  );
}
