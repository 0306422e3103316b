import { matchQuery } from "@tanstack/react-query";
import type { QueryClient, QueryFilters, QueryKey } from "@tanstack/react-query";
import type { RunProgress } from "#contract/delivery.ts";
import { detailCounts, notifications } from "#contract/notifications.ts";
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

/** Puts a run's figures into what is on screen; what is not is marked old, to be read when it is next shown. */
export function showProgress(client: QueryClient, progress: RunProgress): void {
  const { notificationId: id } = progress;
  const { list, recent, detail } = notifications;
  const ofIt = readKey(detail, { params: { id } });
  for (const queryKey of [readKey(list), readKey(recent)]) {
    // Rows of the newest few and of the list differ in what is left alone here.
    client.setQueriesData<Page<RecentRow>>({ queryKey, type: "active" }, (page) => {
      // Of another run the rest of the row would be old, too; that it began was told, and the list is being read.
      if (!page?.rows.some((row) => row.progress?.runId === progress.runId)) return undefined;
      return { ...page, rows: page.rows.map((row) => (row.id === id ? { ...row, progress } : row)) };
    });
  }
  client.setQueriesData<NotificationDetail>({ queryKey: ofIt, type: "active" }, (shown) =>
    shown?.progress?.runId === progress.runId ? { ...shown, progress, ...detailCounts(progress) } : undefined,
  );
  for (const queryKey of [readKey(list), readKey(recent), ofIt]) {
    void client.invalidateQueries({ queryKey, type: "inactive", refetchType: "none" });
  }
}
