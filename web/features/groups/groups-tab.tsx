import { useEffect, useState, type ReactNode } from "react";
import { groups, type Group } from "#contract/calls/groups.ts";
import { call } from "#web/api/client.ts";
import { DeleteGroup } from "#web/features/groups/delete-group.tsx";
import type { GroupAction } from "#web/features/groups/group-columns.tsx";
import { GroupsList } from "#web/features/groups/groups-list.tsx";
import { GroupDialog } from "#web/features/groups/launcher.ts";
import { ROWS_PER_PAGE, changed, type GroupsSearch } from "#web/features/groups/list-query.ts";
import { MembersDialog } from "#web/features/groups/members-dialog.tsx";

type Props = {
  search: GroupsSearch;
  onSearch: (search: GroupsSearch, options: { replace: boolean }) => void;
  adding: boolean;
  onAdding: (adding: boolean) => void;
  /** The group whose form is open. */
  editing: number | undefined;
  onEditing: (id: number | undefined) => void;
  emptyAction: ReactNode;
};

// How long a new group is highlighted, in milliseconds.
const MARKED = 4000;

/** The list, and what opens from it: members, the dialog, the delete confirmation. */
export function GroupsTab(props: Props) {
  const { search, onSearch, adding, onAdding, editing, onEditing, emptyAction } = props;
  const [deleting, setDeleting] = useState<Group>();
  const [made, setMade] = useState<number>();
  useEffect(() => {
    if (made === undefined) return undefined;
    const timer = setTimeout(() => setMade(undefined), MARKED);
    return () => clearTimeout(timer);
  }, [made]);
  /** The new group is shown in the full list, on whatever page it is. */
  const show = async ({ id }: Group) => {
    setMade(id);
    const { before } = await call(groups.detail, { params: { id } });
    onSearch(changed({}, { page: Math.floor(before / ROWS_PER_PAGE) + 1 }), { replace: true });
  };
  const act = (action: GroupAction, group: Group) => {
    if (action === "edit") onEditing(group.id);
    else if (action === "delete") setDeleting(group);
    else {
      // The menu closes before the panel opens: the focus returns to the row's link.
      document.querySelector<HTMLElement>(`[data-group="${group.id}"]`)?.focus();
      onSearch({ ...search, members: group.id }, { replace: false });
    }
  };
  return (
    <>
      <GroupsList search={search} onSearch={onSearch} onAction={act} made={made} emptyAction={emptyAction} />
      {search.members !== undefined && (
        <MembersDialog
          key={search.members}
          groupId={search.members}
          onClose={() => {
            const { members: _, ...list } = search;
            onSearch(list, { replace: true });
          }}
        />
      )}
      <GroupDialog
        open={adding}
        onOpenChange={onAdding}
        groupId={undefined}
        // The list stays in place if the server becomes unreachable now.
        onSaved={(group) => void show(group).catch(() => undefined)}
      />
      <GroupDialog open={editing !== undefined} onOpenChange={() => onEditing(undefined)} groupId={editing} />
      {deleting && <DeleteGroup group={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
