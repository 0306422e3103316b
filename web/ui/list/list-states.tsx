import { useDeferredValue, useRef, type ReactNode } from "react";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { type Noun, Pagination } from "#web/ui/list/pagination.tsx";
import { useLater } from "#web/ui/browser/use-later.ts";
import { useRealPage } from "#web/ui/list/use-real-page.ts";

/** More than a phone shows at once. */
const FIRST_ROWS = 8;

/** The state of a list's query. */
type Read<Row> = {
  data: { rows: readonly Row[]; total: number; about?: boolean } | undefined;
  /** With `data`, that is from before the error. */
  error: Error | null;
  isFetching: boolean;
  /** The data belong to the previous query. */
  isPlaceholderData: boolean;
  refetch: () => unknown;
};

type Props<Row> = {
  read: Read<Row>;
  /** "Error loading users" */
  failed: string;
  /** The loading placeholder. */
  skeleton: ReactNode;
  /** Shown instead of an empty list. */
  empty: ReactNode;
  /**
   * If the list shows other rows than were read: with more above it, or truncated. `paged` of the total are paged, and
   * so many stand `above` the list.
   */
  shown?: { rows: readonly Row[]; total: number; paged?: number; above?: number };
  pages: {
    /** "user", "users" */
    noun: Noun;
    /** Starts at 1. */
    page: number;
    pageSize: number;
    /** `replace`: leaves no history entry, because no one asked for the current page. */
    onPage: (page: number, options: { replace: boolean }) => void;
  };
  /** After "Showing 25 of 312 users". */
  footer?: ReactNode;
  children: (rows: readonly Row[], stale: boolean) => ReactNode;
};

/** A list in all its states: loading, failed, empty, or with rows and pagination. Turning the page shows its top. */
export function ListStates<Row>(props: Props<Row>) {
  const { read, failed, skeleton, empty, shown, pages, footer, children } = props;
  const { data, error, isPlaceholderData: stale } = read;
  const { noun, page, pageSize, onPage } = pages;
  const { rows, total } = shown ?? data ?? { rows: [], total: 0 };
  const paged = shown?.paged ?? total;
  useRealPage({ page, total: data && paged, pageSize, stale }, (real) => onPage(real, { replace: true }));

  const top = useRef<HTMLDivElement>(null);

  // The first rows are rendered in short steps between which the browser can respond.
  const arrived = useDeferredValue(data !== undefined);
  const whole = useLater(arrived);

  const loading = (
    <>
      <output className="sr-only">Loading...</output>
      {skeleton}
    </>
  );
  if (!data) {
    if (!error) return loading;
    return (
      <>
        {rows.length > 0 && children(rows, false)}
        <ErrorState
          title={failed}
          detail={error.message}
          busy={read.isFetching}
          onRetry={() => void read.refetch()}
        />
      </>
    );
  }
  if (!arrived) return loading;
  // An empty result of the previous query says nothing about this one.
  if (total === 0) return stale ? loading : empty;
  return (
    <>
      <div ref={top} className="scroll-mt-20" />
      {rows.length > 0
        ? children(whole ? rows : rows.slice(0, FIRST_ROWS), stale)
        : (stale || paged > 0) && loading}
      {whole && (
        <Pagination
          shown={rows.length + (shown?.above ?? 0)}
          total={total}
          paged={paged}
          about={data.about}
          noun={noun}
          page={page}
          pageSize={pageSize}
          footer={footer}
          onPage={(next) => {
            onPage(next, { replace: false });
            // The next page starts at its first row.
            top.current?.scrollIntoView({ block: "nearest" });
          }}
        />
      )}
    </>
  );
}
