import { SearchX, UsersRound } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { groups, type Group } from "#contract/calls/groups.ts";
import { useReadList } from "#web/api/use-read.ts";
import { groupColumns, type GroupAction } from "#web/features/groups/group-columns.tsx";
import { ROWS_PER_PAGE, changed, type GroupsSearch } from "#web/features/groups/list-query.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/list/data-table.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";

type Props = {
  search: GroupsSearch;
  onSearch: (search: GroupsSearch, options: { replace: boolean }) => void;
  onAction: (action: GroupAction, group: Group) => void;
  /** The group that was just created, which is highlighted. */
  made: number | undefined;
  emptyAction: ReactNode;
};

export function GroupsList({ search, onSearch, onAction, made, emptyAction }: Props) {
  const { q = "", page = 1 } = search;
  // Counted again whenever the tab opens, because people change who matches a rule.
  const read = useReadList(groups.list, { query: { q, page, pageSize: ROWS_PER_PAGE } }, { fresh: true });
  const change = (to: GroupsSearch) => onSearch(changed(search, to), { replace: "q" in to });
  const shown = read.data?.rows.some(({ id }) => id === made);
  useEffect(() => {
    if (shown)
      document.querySelector(`[data-group="${made}"]`)?.closest("tr")?.scrollIntoView({ block: "nearest" });
  }, [shown, made]);
  const columns = groupColumns({
    onAction,
    link: ({ id }) => ({
      search: { tab: "groups", ...search, members: id },
      ...(search.members === id ? { "aria-current": "true" as const } : {}),
    }),
  });

  return (
    <Card aria-label="All user groups" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <ListToolbar
        label="Search groups"
        placeholder="Search groups..."
        q={q}
        onSearch={(next) => change({ q: next })}
      />
      <ListStates
        read={read}
        failed="Error loading user groups"
        skeleton={<TableSkeleton fixed columns={columns} rows={6} />}
        empty={<NoGroup q={q} onClear={() => change({ q: "" })} action={emptyAction} />}
        pages={{
          noun: ["group", "groups"],
          page,
          pageSize: ROWS_PER_PAGE,
          onPage: (next, options) => onSearch(changed(search, { page: next }), options),
        }}
      >
        {(rows) => (
          <DataTable
            fixed
            label="User groups"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            lit={({ id }) => id === made}
          />
        )}
      </ListStates>
    </Card>
  );
}

function NoGroup({ q, onClear, action }: { q: string; onClear: () => void; action: ReactNode }) {
  return q ? (
    <EmptyState
      icon={<SearchX />}
      title="No user groups found"
      hint={`No group has “${isolated(q)}” in its name or description.`}
      action={<Button onClick={onClear}>Clear search</Button>}
    />
  ) : (
    <EmptyState
      icon={<UsersRound />}
      title="No user groups found"
      hint="A group is a set of people you message together: picked by hand, or everyone who matches a rule."
      action={action}
    />
  );
}
