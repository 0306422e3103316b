import { Link } from "@tanstack/react-router";
import { Inbox, Paperclip, SearchX } from "lucide-react";
import { useEffect, useEffectEvent, useId } from "react";
import { monthText } from "#contract/calls/archive.ts";
import { profileCalls } from "#contract/calls/profile.ts";
import { counted } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import type { RowOf } from "#web/api/client.ts";
import { useRead, useReadList } from "#web/api/use-read.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Button } from "#web/ui/page/button.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { SearchInput } from "#web/ui/list/search-input.tsx";
import { useTypedSearch } from "#web/ui/list/use-typed-search.ts";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { When } from "#web/ui/time/when.tsx";

/** The most that a list call gives. */
const MOST_UNREAD = 100;
const ROWS_PER_PAGE = 25;

/** The URL's search and page, and the open notice. */
type NoticesSearch = { q?: string; page?: number; notice?: number | undefined };

type Props = {
  search: NoticesSearch;
  /** `replace`: leaves no history entry, for instance while typing a search. */
  onSearch: (search: NoticesSearch, options: { replace: boolean }) => void;
};

type Listed = RowOf<typeof profileCalls.notices>;

/** Everything that was sent to the person who is signed in: what they haven't opened, and the rest, newest first. */
export function NoticesList({ search, onSearch }: Props) {
  const { q = "", page = 1 } = search;
  const unread = useReadList(profileCalls.notices, { query: { q, read: "no", pageSize: MOST_UNREAD } });
  const earlier = useReadList(profileCalls.notices, {
    query: { q, read: "yes", page, pageSize: ROWS_PER_PAGE },
  });
  useRefetchOnReturn(unread.refetch);
  useRefetchOnReturn(earlier.refetch);
  const both = unread.data && earlier.data && { unread: unread.data, earlier: earlier.data };
  const end = both !== undefined && page * ROWS_PER_PAGE >= both.earlier.total;
  const profile = useRead(profileCalls.read, {}, { enabled: end });
  const archivedThrough = end ? profile.data?.archivedThrough : undefined;
  const searchFor = (words: string) => onSearch(words ? { q: words } : {}, { replace: true });
  const [text, setText] = useTypedSearch(q, searchFor);
  const above = page === 1 ? (both?.unread.rows ?? []) : [];

  return (
    <>
      <SearchInput
        slash
        label="Search notices"
        placeholder="Search notices..."
        value={text}
        onChange={setText}
        className="mb-5 w-full"
      />
      <ListStates
        read={{
          data: both?.earlier,
          error: unread.error ?? earlier.error,
          isFetching: unread.isFetching || earlier.isFetching,
          isPlaceholderData: unread.isPlaceholderData || earlier.isPlaceholderData,
          refetch: () => void Promise.all([unread.refetch(), earlier.refetch()]),
        }}
        failed="Error loading your notices"
        skeleton={<SkeletonRows rows={6} className="h-22" />}
        empty={<Nothing searched={q !== ""} onClear={() => searchFor("")} />}
        shown={{
          rows: [...above, ...(both?.earlier.rows ?? [])],
          total: (both?.unread.total ?? 0) + (both?.earlier.total ?? 0),
          paged: both?.earlier.total ?? 0,
        }}
        pages={{
          noun: ["notice", "notices"],
          page,
          pageSize: ROWS_PER_PAGE,
          onPage: (next, { replace }) => onSearch({ ...(q ? { q } : {}), page: next }, { replace }),
        }}
      >
        {(rows, stale) => (
          <div className={cx(stale && "opacity-60")}>
            <Part
              title={`${numberText(both?.unread.total ?? 0)} unread`}
              rows={rows.filter(({ read }) => !read)}
            />
            {above.length > 0 && both && both.unread.total > above.length && (
              <p className="-mt-3 mb-6 px-1 text-sm text-ink-2">
                {`The newest ${MOST_UNREAD} are shown. Open some of them to see older ones, or search.`}
              </p>
            )}
            <Part title={above.length > 0 ? "Earlier" : null} rows={rows.filter(({ read }) => read)} />
          </div>
        )}
      </ListStates>
      {archivedThrough && (
        <p className="px-1 py-3 text-sm text-ink-2">
          Messages up to {monthText(archivedThrough)} are no longer listed here.
        </p>
      )}
      <p className="pt-6 text-center">
        <Link
          to="/profile"
          hash="preferences"
          className="inline-flex min-h-11 items-center text-sm text-ink-2 underline underline-offset-4 hover:text-ink"
        >
          Change what you get
        </Link>
      </p>
    </>
  );
}

/** Unread or earlier notices, if there are any. */
function Part({ title, rows }: { title: string | null; rows: readonly Listed[] }) {
  const id = useId();
  if (rows.length === 0) return null;
  return (
    <section aria-labelledby={title === null ? undefined : id} className="mb-6">
      {title !== null && (
        <h2 id={id} className="px-1 pb-2 text-sm font-semibold text-ink-2">
          {title}
        </h2>
      )}
      <ul className="overflow-hidden rounded-lg border border-line bg-card shadow-card">
        {rows.map((row) => (
          <Row key={row.id} {...row} />
        ))}
      </ul>
    </section>
  );
}

function Row({ id, title, begins, at, read, files }: Listed) {
  return (
    <li className="not-first:border-t not-first:border-line">
      <Link
        to="/"
        search={(now: NoticesSearch) => ({ ...now, notice: id })}
        className="grid grid-cols-[1.25rem_minmax(0,1fr)_auto] gap-x-1 px-4 py-3.5 -outline-offset-2 hover:bg-hover"
      >
        <span className="pt-2">
          {!read && (
            <>
              <span aria-hidden className="block size-2.5 rounded-full bg-lamp" />
              <span className="sr-only">Unread: </span>
            </>
          )}
        </span>
        <span className={cx("min-w-0 break-words", read ? "font-medium" : "font-semibold")}>
          <bdi translate="no">{title}</bdi>
        </span>
        <span className="pl-2 text-sm leading-6 whitespace-nowrap text-ink-2">
          <When at={at} as="brief" />
        </span>
        <span className="col-span-2 col-start-2 line-clamp-2 text-sm break-words text-ink-2">
          <bdi>{begins}</bdi>
        </span>
        {files > 0 && (
          <span className="col-span-2 col-start-2 flex items-center gap-1.5 pt-1 text-sm text-ink-2">
            <Paperclip aria-hidden className="size-4" />
            {counted(files, "file")}
          </span>
        )}
      </Link>
    </li>
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
