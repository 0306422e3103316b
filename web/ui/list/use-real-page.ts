import { useEffect, useEffectEvent } from "react";

/** The last page that has rows; at least 1. */
export function lastPage(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

type Shown = {
  page: number;
  /** Undefined while unknown. */
  total: number | undefined;
  pageSize: number;
  /** The total still belongs to the previous query. */
  stale: boolean;
};

/** If the URL names a page that no longer exists, goes to the last page. */
export function useRealPage({ page, total, pageSize, stale }: Shown, onPage: (page: number) => void) {
  const go = useEffectEvent(onPage);
  const last = total === undefined || stale ? undefined : lastPage(total, pageSize);
  useEffect(() => {
    if (last !== undefined && page > last) go(last);
  }, [page, last]);
}
