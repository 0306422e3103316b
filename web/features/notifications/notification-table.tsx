import { useState, type ComponentProps, type ReactNode } from "react";
import type { notifications } from "#contract/calls/notifications.ts";
import type { useReadList } from "#web/api/use-read.ts";
import { notificationColumns, rowKey, type ListRow } from "#web/features/notifications/columns.tsx";
import { CancelOrDelete } from "#web/features/notifications/delete-draft.tsx";
import { DiscardUnsent } from "#web/domain/unsent/discard-unsent.tsx";
import type { ListFilter } from "#web/features/notifications/list-query.ts";
import { isRunning } from "#web/features/notifications/progress.ts";
import { RunAnnouncer } from "#web/features/notifications/run-announcer.tsx";
import { usePlannedPeople } from "#web/features/notifications/use-planned-people.ts";
import type { UnsentActions } from "#web/domain/unsent/unsent-cells.tsx";
import { isUnsent, type Unsent } from "#web/domain/unsent/unsent.ts";
import { mergeUnsent } from "#web/features/notifications/unsent.ts";
import { DataTable, TableSkeleton } from "#web/ui/list/data-table.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";

/** What this browser keeps, and what can be done with it. */
export type KeptHere = {
  /** Newest first. */
  unsent: readonly Unsent[];
  unsentActions: UnsentActions;
};

type Read = ReturnType<typeof useReadList<typeof notifications.list>>;

type Props = KeptHere & {
  /** "Recent notifications" */
  label: string;
  read: Read;
  /** What stands above the table on its first page, and counts with it. */
  planned?: Read | undefined;
  filter: ListFilter;
  /** "Sent/Scheduled" in the list, "Sent" on the dashboard. */
  timeHeader: string;
  pageSize: number;
  onPage: ComponentProps<typeof ListStates>["pages"]["onPage"];
  /** How many rows the loading placeholder has. */
  skeletonRows: number;
  empty: ReactNode;
};

/** Notifications, below what this browser still keeps on the first page, with the questions that their actions ask. */
export function NotificationTable(props: Props) {
  const {
    label,
    read,
    planned,
    filter,
    timeHeader,
    pageSize,
    onPage,
    skeletonRows,
    empty,
    unsent,
    unsentActions,
  } = props;
  const { data } = read;
  const [asked, setAsked] = useState<number>();
  const [discarding, setDiscarding] = useState<Unsent>();
  const columns = notificationColumns({
    timeHeader,
    onEnd: (row) => setAsked(row.id),
    planned: usePlannedPeople(data?.rows),
    unsent: { ...unsentActions, onDiscard: setDiscarding },
  });
  const merged = mergeUnsent(data ?? { rows: [], total: 0 }, unsent, filter);
  const rows: ListRow[] = [...merged.unsent, ...merged.rows];
  const { rows: ahead = [], total: allAhead = 0 } = planned?.data ?? {};
  const skeleton = <TableSkeleton columns={columns} rows={skeletonRows} />;
  return (
    <>
      <ListStates
        read={read}
        failed="Error loading notifications"
        skeleton={skeleton}
        empty={planned && !isKnown(planned) ? <Unknown read={planned} skeleton={skeleton} /> : empty}
        shown={{
          rows,
          above: filter.page === 1 ? ahead.length : 0,
          total: merged.total + allAhead,
          paged: data?.total ?? 0,
        }}
        pages={{ noun: ["notification", "notifications"], page: filter.page, pageSize, onPage }}
      >
        {(list, stale) => (
          <DataTable
            label={label}
            columns={columns}
            rows={list}
            rowKey={rowKey}
            lit={(row) => !isUnsent(row) && isRunning(row.progress)}
            stale={stale}
          />
        )}
      </ListStates>
      <RunAnnouncer runs={merged.rows} />
      <CancelOrDelete row={data?.rows.find((row) => row.id === asked)} onClose={() => setAsked(undefined)} />
      <DiscardUnsent
        unsent={discarding}
        onDiscard={unsentActions.onDiscard}
        onClose={() => setDiscarding(undefined)}
      />
    </>
  );
}

const isKnown = ({ data, isPlaceholderData }: Read) => data !== undefined && !isPlaceholderData;

/** Nothing has gone out, and whether anything is planned can't be said yet. */
function Unknown({ read, skeleton }: { read: Read; skeleton: ReactNode }) {
  if (!read.error) return skeleton;
  return (
    <ErrorState
      title="Error loading notifications"
      detail={read.error.message}
      busy={read.isFetching}
      onRetry={() => void read.refetch()}
    />
  );
}
