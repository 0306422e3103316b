import { matchQuery, type QueryClient, type QueryFilters, type QueryKey } from "@tanstack/react-query";
import { detailCounts, type RunProgress } from "#contract/run-progress.ts";
import { notifications, type NotificationDetail, type RecentRow } from "#contract/calls/notifications.ts";
import type { Page } from "#web/api/client.ts";
import { readKey } from "#web/api/use-read.ts";

/**
 * Fetches these queries again. It waits for a fetch in progress instead of cancelling it: if fetches took longer than the
 * time between events, none would ever finish. That reply may be older than the event, so it fetches once more.
 */
export async function readAnew(client: QueryClient, keys: readonly QueryKey[]): Promise<void> {
  const meant: QueryFilters = {
    predicate: (query) => keys.some((queryKey) => matchQuery({ queryKey }, query)),
  };
  const underWay = client.getQueryCache().findAll({ ...meant, type: "active", fetchStatus: "fetching" });
  await client.invalidateQueries(meant, { cancelRefetch: false });
  await client.invalidateQueries(
    { predicate: (query) => underWay.includes(query) },
    { cancelRefetch: false },
  );
}

/**
 * Inserts a run's figures into the queries on screen, and returns those that are stale: they don't know this run yet, or
 * their first answer, which may be older, is still to come. Queries that are not on screen are marked stale and fetched
 * when they are shown again.
 */
export function showProgress(client: QueryClient, progress: RunProgress): QueryKey[] {
  const { notificationId: id, runId } = progress;
  const { list, recent, detail } = notifications;
  const ofIt = readKey(detail, { params: { id } });
  const old: QueryKey[] = [];

  for (const queryKey of [readKey(list), readKey(recent)]) {
    // The dashboard's rows have fewer columns than the list's, but they have these.
    client.setQueriesData<Page<RecentRow>>({ queryKey, type: "active" }, (page) => {
      if (!page) old.push(queryKey);
      const shown = page?.rows.find((row) => row.id === id);
      if (!page || !shown) return undefined;
      if (shown.progress?.runId !== runId) old.push(queryKey);
      return { ...page, rows: page.rows.map((row) => (row === shown ? { ...row, progress } : row)) };
    });
  }
  client.setQueriesData<NotificationDetail>({ queryKey: ofIt, type: "active" }, (shown) => {
    if (!shown) old.push(ofIt);
    if (!shown) return undefined;
    if (shown.progress?.runId !== runId) old.push(ofIt);
    return { ...shown, progress, ...detailCounts(progress) };
  });

  for (const queryKey of [readKey(list), readKey(recent), ofIt]) {
    void client.invalidateQueries({ queryKey, type: "inactive", refetchType: "none" });
  }
  return old;
}
