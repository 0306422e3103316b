import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { groups } from "#contract/groups.ts";
import type { Group } from "#contract/groups.ts";
import { call } from "#web/api/client.ts";
import { DeleteGroup } from "#web/features/groups/delete-group.tsx";
import type { GroupAction } from "#web/features/groups/group-columns.tsx";
import { GroupsList } from "#web/features/groups/groups-list.tsx";
import { GroupDialog } from "#web/features/groups/launcher.ts";
import { ROWS_PER_PAGE, changed } from "#web/features/groups/list-query.ts";
import type { GroupsSearch } from "#web/features/groups/list-query.ts";
import { MembersDialog } from "#web/features/groups/members-dialog.tsx";

type Props = {
  search: GroupsSearch;
  onSearch: (search: GroupsSearch, options: { replace: boolean }) => void;
  adding: boolean;
  onAdding: (adding: boolean) => void;
  emptyAction: ReactNode;
};

// Milliseconds for which a new group stands out among the others.
const MARKED = 4000;

/** The list, and what opens from it: members, the dialog, the question before a deletion. */
export function GroupsTab({ search, onSearch, adding, onAdding, emptyAction }: Props) {
  const [editing, setEditing] = useState<Group>();
  const [deleting, setDeleting] = useState<Group>();
  const [made, setMade] = useState<number>();
  useEffect(() => {
    if (made === undefined) return undefined;
    const timer = setTimeout(() => setMade(undefined), MARKED);
    return () => clearTimeout(timer);
  }, [made]);
  /** The new one stands in the list of all, on whatever page. */
  const show = async ({ id }: Group) => {
    setMade(id);
    const { before } = await call(groups.detail, { params: { id } });
    onSearch(changed({}, { page: Math.floor(before / ROWS_PER_PAGE) + 1 }), { replace: true });
  };
  const act = (action: GroupAction, group: Group) => {
    if (action === "edit") setEditing(group);
    else if (action === "delete") setDeleting(group);
    else {
      // The menu is gone before the panel opens: the focus comes back to the row's link.
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
        group={undefined}
        // The list stays where it is when the server goes away at this moment.
        onSaved={(group) => void show(group).catch(() => undefined)}
      />
      <GroupDialog
        open={editing !== undefined}
        onOpenChange={(open) => {
          if (!open) setEditing(undefined);
        }}
        group={editing}
      />
      {deleting && <DeleteGroup group={deleting} onClose={() => setDeleting(undefined)} />}
    </>
  );
}
