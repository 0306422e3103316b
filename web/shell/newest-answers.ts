import { matchQuery } from "@tanstack/react-query";
import type { QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";
import { detailCounts } from "#contract/run-progress.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { notifications } from "#contract/notifications.ts";
import type { NotificationDetail, RecentRow } from "#contract/notifications.ts";
import type { Page } from "#web/api/client.ts";
import { readKey } from "#web/api/use-read.ts";

/**
 * Reads again what stands under these keys. An answer that is under way is waited for, not thrown away: where answers
 * take longer than news come, none would ever arrive. It may have been given before the news, so one more is asked for.
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
 * Puts a run's figures into what is on screen, and answers the reads that know nothing of this run yet: the rest of them
 * is old, too. What is not on screen is marked old, to be read when it is next shown.
 */
export function showProgress(client: QueryClient, progress: RunProgress): QueryKey[] {
  const { notificationId: id, runId } = progress;
  const { list, recent, detail } = notifications;
  const ofIt = readKey(detail, { params: { id } });
  const old: QueryKey[] = [];

  for (const queryKey of [readKey(list), readKey(recent)]) {
    // The newest few have fewer columns than the list, and these are among them.
    client.setQueriesData<Page<RecentRow>>({ queryKey, type: "active" }, (page) => {
      const shown = page?.rows.find((row) => row.id === id);
      if (!page || !shown) return undefined;
      if (shown.progress?.runId !== runId) old.push(queryKey);
      return { ...page, rows: page.rows.map((row) => (row === shown ? { ...row, progress } : row)) };
    });
  }
  client.setQueriesData<NotificationDetail>({ queryKey: ofIt, type: "active" }, (shown) => {
    if (!shown) return undefined;
    if (shown.progress?.runId !== runId) old.push(ofIt);
    return { ...shown, progress, ...detailCounts(progress) };
  });

  for (const queryKey of [readKey(list), readKey(recent), ofIt]) {
    void client.invalidateQueries({ queryKey, type: "inactive", refetchType: "none" });
  }
  return old;
}
