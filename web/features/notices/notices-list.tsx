import { Link } from "@tanstack/react-router";
import { Inbox, SearchX } from "lucide-react";
import { monthText } from "#contract/calls/archive.ts";
import { profileCalls } from "#contract/calls/profile.ts";
import type { RowOf } from "#web/api/client.ts";
import { useRead, useReadList } from "#web/api/use-read.ts";
import { NoticeDialog } from "#web/features/notices/notice-dialog.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { DataTable, TableSkeleton, rowLink, type Column } from "#web/ui/list/data-table.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";
import { When } from "#web/ui/time/when.tsx";
import { useEffect, useEffectEvent } from "react";

const ROWS_PER_PAGE = 25;

/** The URL's search and page, and the open notice. */
type NoticesSearch = { q?: string; page?: number; notice?: number | undefined };

type Props = {
  search: NoticesSearch;
  /** `replace`: leaves no history entry, for instance while typing a search. */
  onSearch: (search: NoticesSearch, options: { replace: boolean }) => void;
};

const columns: Column<RowOf<typeof profileCalls.notices>>[] = [
  {
    id: "channel",
    header: "Channel",
    card: "icon",
    className: "rows:w-16",
    cell: ({ channel }) => <ChannelIcon channel={channel} />,
  },
  {
    id: "title",
    header: "Notice",
    card: "title",
    cell: ({ id, title }) => (
      <Link to="/" search={(now: NoticesSearch) => ({ ...now, notice: id })} resetScroll={false} {...rowLink}>
        <bdi translate="no">{title}</bdi>
      </Link>
    ),
  },
  {
    id: "outcome",
    header: "Outcome",
    card: "start",
    className: "text-ink-2",
    cell: ({ sentence }) => sentence,
  },
  {
    id: "at",
    header: "Sent",
    card: "end",
    className: "whitespace-nowrap text-ink-2",
    cell: ({ at }) => <When at={at} />,
  },
];

/** Everything that was sent to the person who is signed in, newest first. Each opens as it was received. */
export function NoticesList({ search, onSearch }: Props) {
  const { q = "", page = 1, notice } = search;
  const read = useReadList(profileCalls.notices, { query: { q, page, pageSize: ROWS_PER_PAGE } });
  useRefetchOnReturn(read.refetch);
  const end = read.data !== undefined && page * ROWS_PER_PAGE >= read.data.total;
  const profile = useRead(profileCalls.read, {}, { enabled: end });
  const archivedThrough = end ? profile.data?.archivedThrough : undefined;
  const goTo = (next: NoticesSearch, replace: boolean) =>
    onSearch({ ...(q ? { q } : {}), ...(page > 1 ? { page } : {}), ...next }, { replace });
  const searchFor = (words: string) => onSearch(words ? { q: words } : {}, { replace: true });

  return (
    <Card aria-label="Your notices" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <ListToolbar
        label="Search notices"
        placeholder="Search notices..."
        q={q}
        onSearch={searchFor}
        order="Newest first"
      />
      <ListStates
        read={read}
        failed="Error loading your notices"
        skeleton={<TableSkeleton columns={columns} rows={6} />}
        empty={<Nothing searched={q !== ""} onClear={() => searchFor("")} />}
        pages={{
          noun: ["notice", "notices"],
          page,
          pageSize: ROWS_PER_PAGE,
          onPage: (next, { replace }) => goTo({ page: next }, replace),
        }}
      >
        {(rows, stale) => (
          <DataTable label="Notices" columns={columns} rows={rows} rowKey={({ id }) => id} stale={stale} />
        )}
      </ListStates>
      {archivedThrough && (
        <p className="border-t border-line px-4 py-3 text-sm text-ink-2">
          Messages up to {monthText(archivedThrough)} are no longer listed here.
        </p>
      )}
      {notice !== undefined && <NoticeDialog id={notice} onClose={() => goTo({}, true)} />}
    </Card>
  );
}

function Nothing({ searched, onClear }: { searched: boolean; onClear: () => void }) {
  if (searched) {
    return (
      <EmptyState
        icon={<SearchX />}
        title="No matching notices found"
        hint="We search titles. Try fewer words."
        action={<Button onClick={onClear}>Clear search</Button>}
      />
    );
  }
  return (
    <EmptyState
      icon={<Inbox />}
      title="No notices yet"
      hint="Messages from your property manager appear here."
    />
  );
}

type Refetch = (options: { cancelRefetch: boolean }) => unknown;

/**
 * Fetches again whenever the list or its tab is shown, because tenants' pages get no events. A fetch in progress is not
 * repeated.
 */
function useRefetchOnReturn(refetch: Refetch) {
  const ask = useEffectEvent(() => {
    if (document.visibilityState === "visible") void refetch({ cancelRefetch: false });
  });
  useEffect(() => {
    ask();
    const onReturn = () => ask();
    document.addEventListener("visibilitychange", onReturn);
    return () => document.removeEventListener("visibilitychange", onReturn);
  }, []);
}
