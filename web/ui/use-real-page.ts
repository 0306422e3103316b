import { useEffect, useEffectEvent } from "react";

/** The last page that has rows; at least 1. */
export function lastPage(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}

type Shown = {
  page: number;
  /** Undefined until it is known. */
  total: number | undefined;
  pageSize: number;
  /** The total is still that of another question. */
  stale: boolean;
};

/** An address may name a page that is not there anymore: the last one that is takes its place. */
export function useRealPage({ page, total, pageSize, stale }: Shown, onPage: (page: number) => void) {
  const go = useEffectEvent(onPage);
  const last = total === undefined || stale ? undefined : lastPage(total, pageSize);
  useEffect(() => {
    if (last !== undefined && page > last) go(last);
  }, [page, last]);
}
