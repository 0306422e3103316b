import type { ReactNode } from "react";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Pagination } from "#web/ui/pagination.tsx";
import { useRealPage } from "#web/ui/use-real-page.ts";

/** What a list's question has come to so far. */
type Read<Row> = {
  data: { rows: readonly Row[]; total: number; about?: boolean } | undefined;
  /** With `data`, they are from before it went wrong. */
  error: Error | null;
  isFetching: boolean;
  /** The data are the answer to the question before. */
  isPlaceholderData: boolean;
  refetch: () => unknown;
};

type Props<Row> = {
  read: Read<Row>;
  /** "Error loading users" */
  failed: string;
  /** What is coming, in grey. */
  skeleton: ReactNode;
  /** Instead of a list of nothing. */
  empty: ReactNode;
  /** Where it is not what was read: with others above it, or cut here. `paged` of the total come in pages. */
  shown?: { rows: readonly Row[]; total: number; paged?: number };
  pages: {
    /** "users" */
    noun: string;
    /** From 1. */
    page: number;
    pageSize: number;
    /** `replace`: no one asked for the page that is left. */
    onPage: (page: number, options: { replace: boolean }) => void;
  };
  children: (rows: readonly Row[], stale: boolean) => ReactNode;
};

/** A list in all its states: on its way, failed, empty, and with its rows and the way to the other pages. */
export function ListStates<Row>({ read, failed, skeleton, empty, shown, pages, children }: Props<Row>) {
  const { data, error, isPlaceholderData: stale } = read;
  const { noun, page, pageSize, onPage } = pages;
  const { rows, total } = shown ?? data ?? { rows: [], total: 0 };
  const paged = shown?.paged ?? total;
  useRealPage({ page, total: data && paged, pageSize, stale }, (real) => onPage(real, { replace: true }));

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
  // That the question before found nothing says nothing about this one.
  if (total === 0) return stale ? loading : empty;
  return (
    <>
      {rows.length > 0 ? children(rows, stale) : loading}
      <Pagination
        shown={rows.length}
        total={total}
        paged={paged}
        about={data.about}
        noun={noun}
        page={page}
        pageSize={pageSize}
        onPage={(next) => onPage(next, { replace: false })}
      />
    </>
  );
}
