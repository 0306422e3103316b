import { SearchX, UsersRound } from "lucide-react";
import type { ReactNode } from "react";
import type { CurrentUser } from "#contract/calls/auth.ts";
import { users, type User } from "#contract/calls/users.ts";
import { useReadList } from "#web/api/use-read.ts";
import {
  ROWS_PER_PAGE,
  isFiltered,
  listFilter,
  listQuery,
  listSearch,
  noFilter,
  type ListFilter,
  type ListSearch,
} from "#web/features/users/list-query.ts";
import { UsersToolbar } from "#web/features/users/users-toolbar.tsx";
import type { PersonAction } from "#web/features/users/row-menu.tsx";
import { userColumns } from "#web/features/users/user-columns.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/list/data-table.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";

type Props = {
  actor: CurrentUser;
  /** The query from the URL. */
  search: ListSearch;
  /** `replace`: leaves no history entry, for instance while typing a search. */
  onSearch: (search: ListSearch, options: { replace: boolean }) => void;
  onAction: (action: PersonAction, person: User) => void;
  /** Actions shown in an empty list. */
  emptyAction: ReactNode;
};

export function UsersList({ actor, search, onSearch, onAction, emptyAction }: Props) {
  const filter = listFilter(search);
  const read = useReadList(users.list, { query: listQuery(filter) });
  const change = (to: Partial<ListFilter>) =>
    onSearch(
      // Someone may have been opened before the pause after typing was over.
      { ...listSearch(filter, to), ...(search.person === undefined ? {} : { person: search.person }) },
      { replace: "q" in to },
    );
  const columns = userColumns({
    actor,
    onAction,
    link: ({ id }) => ({
      search: { ...search, person: id },
      ...(search.person === id ? { "aria-current": "true" as const } : {}),
    }),
  });

  return (
    <Card aria-label="All users" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <UsersToolbar filter={filter} onFilter={change} />
      <ListStates
        read={read}
        failed="Error loading users"
        skeleton={<TableSkeleton fixed columns={columns} rows={8} />}
        empty={<NoPeople filter={filter} onFilter={change} emptyAction={emptyAction} />}
        pages={{
          noun: ["user", "users"],
          page: filter.page,
          pageSize: ROWS_PER_PAGE,
          onPage: (page, options) => onSearch(listSearch(filter, { page }), options),
        }}
      >
        {(rows, stale) => (
          <DataTable
            fixed
            label="Users"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            stale={stale}
          />
        )}
      </ListStates>
    </Card>
  );
}

type NobodyProps = {
  filter: ListFilter;
  onFilter: (change: Partial<ListFilter>) => void;
  emptyAction: ReactNode;
};

function NoPeople({ filter, onFilter, emptyAction }: NobodyProps) {
  if (isFiltered(filter)) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No matching users found"
        hint="We search names, usernames, emails, phone numbers and units. Try fewer words or clear the filters."
        action={<Button onClick={() => onFilter(noFilter)}>Clear search and filters</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={<UsersRound />}
      title="No users found"
      hint="Add people one by one, or bring them all in from a spreadsheet."
      action={emptyAction}
    />
  );
}
