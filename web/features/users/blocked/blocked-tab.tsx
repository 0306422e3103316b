import { CircleHelp, SearchX, ShieldCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { suppressionKinds, suppressions, type Suppression } from "#contract/calls/suppressions.ts";
import { useReadList } from "#web/api/use-read.ts";
import { ChannelFilter } from "#web/domain/channel-filter.tsx";
import { blockedColumns, kindLook } from "#web/features/users/blocked/blocked-columns.tsx";
import {
  ROWS_PER_PAGE,
  blockedFilter,
  blockedSearch,
  isFiltered,
  type BlockedFilter,
  type BlockedSearch,
} from "#web/features/users/blocked/blocked-query.ts";
import { BlockAddress } from "#web/features/users/launcher.ts";
import { Unblock } from "#web/domain/unblock.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/list/data-table.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { FilterMenu } from "#web/ui/list/filter-menu.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";

type Props = {
  search: BlockedSearch;
  onSearch: (search: BlockedSearch, options: { replace: boolean }) => void;
  adding: boolean;
  onAdding: (adding: boolean) => void;
};

const kindOptions = suppressionKinds.map((kind) => {
  const { label, Icon } = kindLook[kind];
  return { value: kind, label, icon: <Icon aria-hidden /> };
});

/** Every address that no message goes to, why, and the way back. */
export function BlockedTab({ search, onSearch, adding, onAdding }: Props) {
  const filter = blockedFilter(search);
  const { page, ...query } = filter;
  const read = useReadList(
    suppressions.list,
    { query: { ...query, page, pageSize: ROWS_PER_PAGE } },
    { fresh: true },
  );
  const [asked, setAsked] = useState<Suppression>();
  const change = (to: Partial<BlockedFilter>) => onSearch(blockedSearch(filter, to), { replace: "q" in to });
  const columns = blockedColumns(setAsked);
  return (
    <Card aria-label="Blocked addresses" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <Toolbar filter={filter} onFilter={change} />
      <ListStates
        read={read}
        failed="Error loading blocked addresses"
        skeleton={<TableSkeleton columns={columns} rows={6} />}
        empty={<NothingBlocked filter={filter} onFilter={change} />}
        pages={{
          noun: ["address", "addresses"],
          page,
          pageSize: ROWS_PER_PAGE,
          onPage: (next, options) => onSearch(blockedSearch(filter, { page: next }), options),
        }}
      >
        {(rows, stale) => (
          <DataTable
            label="Blocked addresses"
            columns={columns}
            rows={rows}
            rowKey={({ channel, address }) => `${channel} ${address}`}
            stale={stale}
          />
        )}
      </ListStates>
      {asked && <Unblock blocked={asked} onClose={() => setAsked(undefined)} />}
      <BlockAddress open={adding} onOpenChange={onAdding} />
    </Card>
  );
}

type FilterProps = { filter: BlockedFilter; onFilter: (change: Partial<BlockedFilter>) => void };

function Toolbar({ filter, onFilter }: FilterProps): ReactNode {
  return (
    <ListToolbar
      label="Search blocked addresses"
      placeholder="Search addresses and names..."
      q={filter.q}
      onSearch={(q) => onFilter({ q })}
      order="Latest first"
    >
      <ChannelFilter value={filter.channel} onChange={(channel) => onFilter({ channel })} />
      <FilterMenu
        label="Reason"
        all="Any reason"
        icon={<CircleHelp aria-hidden />}
        options={kindOptions}
        value={filter.kind}
        onChange={(kind) => onFilter({ kind })}
      />
    </ListToolbar>
  );
}

function NothingBlocked({ filter, onFilter }: FilterProps) {
  return isFiltered(filter) ? (
    <EmptyState
      icon={<SearchX />}
      title="No matching addresses found"
      hint="We search email addresses, numbers and the names of the people they belong to."
      action={
        <Button onClick={() => onFilter({ q: "", channel: undefined, kind: undefined })}>
          Clear search and filters
        </Button>
      }
    />
  ) : (
    <EmptyState
      icon={<ShieldCheck />}
      title="No blocked addresses"
      hint="An address is blocked when its mailbox doesn't exist, or when someone marks our messages as spam or unsubscribes."
    />
  );
}
