import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import type { RunProgress } from "#contract/run-progress.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { readKey } from "#web/api/use-read.ts";
import { readAnew, showProgress } from "#web/shell/newest-answers.ts";

const clients: QueryClient[] = [];
function newClient() {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, retry: false } } });
  clients.push(client);
  return client;
}
afterEach(() => {
  for (const client of clients.splice(0)) client.clear();
});

/** A query on screen whose replies the test controls. */
async function slowRead(client: QueryClient) {
  const answers: ((value: number) => void)[] = [];
  const gaveUp = vi.fn<() => void>();
  const queryFn = ({ signal }: { signal: AbortSignal }) => {
    signal.addEventListener("abort", gaveUp);
    return new Promise<number>((resolve) => answers.push(resolve));
  };
  const observer = new QueryObserver(client, { queryKey: ["/api/slow"], queryFn });
  observer.subscribe(() => undefined);
  answers[0]?.(0);
  await vi.waitFor(() => expect(observer.getCurrentResult().data).toBe(0));
  return { answers, gaveUp, shown: () => observer.getCurrentResult().data };
}

test("keeps a fetch in progress, and fetches once more if its reply may be older than the event", async () => {
  const client = newClient();
  const { answers, gaveUp, shown } = await slowRead(client);
  const news = [1, 2, 3].map(() => readAnew(client, [["/api/slow"]]));
  expect(answers).toHaveLength(2);
  answers[1]?.(1);
  await vi.waitFor(() => expect(shown()).toBe(1));
  await vi.waitFor(() => expect(answers).toHaveLength(3));
  answers[2]?.(2);
  await Promise.all(news);
  expect(shown()).toBe(2);
  expect(answers).toHaveLength(3);
  expect(gaveUp).not.toHaveBeenCalled();
});

const counts = { accepted: 5, delivered: 0, bounced: 0, failed: 0, expired: 0 };
const progress = (runId: number, total: number) =>
  ({
    runId,
    notificationId: 7,
    total,
    counts,
    byChannel: {},
    simulatedChannels: [],
  }) as unknown as RunProgress;

function onScreen(client: QueryClient, queryKey: readonly unknown[], data: unknown) {
  client.setQueryData(queryKey, data);
  const queryFn = vi.fn<() => Promise<unknown>>(() => Promise.resolve(data));
  const observer = new QueryObserver(client, { queryKey, queryFn });
  observer.subscribe(() => undefined);
  return { queryFn, shown: () => observer.getCurrentResult().data };
}

test("inserts a run's figures into rows on screen without fetching, and marks queries without the run stale", () => {
  const client = newClient();
  const rows = [
    { id: 7, title: "Rent", progress: progress(3, 10) },
    { id: 8, title: "Gas", progress: null },
  ];
  const list = onScreen(client, readKey(notifications.list, { query: { page: 1 } }), { rows, total: 2 });
  const detail = onScreen(client, readKey(notifications.detail, { params: { id: 7 } }), rows[0]);
  expect(showProgress(client, progress(3, 20))).toEqual([]);
  expect(list.shown()).toEqual({ rows: [{ ...rows[0], progress: progress(3, 20) }, rows[1]], total: 2 });
  expect(detail.shown()).toMatchObject({ title: "Rent", progress: progress(3, 20), sent_count: 5 });
  expect(list.queryFn).not.toHaveBeenCalled();
  expect(showProgress(client, progress(4, 1))).toEqual([
    readKey(notifications.list),
    readKey(notifications.detail, { params: { id: 7 } }),
  ]);
});

test("fetches queries that aren't on screen when they are shown again", async () => {
  const client = newClient();
  const key = readKey(notifications.list, { query: { page: 2 } });
  client.setQueryData(key, { rows: [{ id: 7, progress: progress(3, 10) }], total: 1 });
  showProgress(client, progress(3, 20));
  const list = onScreenAgain(client, key);
  await vi.waitFor(() => expect(list).toHaveBeenCalledOnce());
});

function onScreenAgain(client: QueryClient, queryKey: readonly unknown[]) {
  const queryFn = vi.fn<() => Promise<unknown>>(() => Promise.resolve({ rows: [], total: 0 }));
  new QueryObserver(client, { queryKey, queryFn }).subscribe(() => undefined);
  return queryFn;
}

test("a query on screen that has no answer yet is stale: the one to come may be older than the event", () => {
  const client = newClient();
  const queryKey = readKey(notifications.detail, { params: { id: 7 } });
  const observer = new QueryObserver(client, { queryKey, queryFn: () => new Promise(() => undefined) });
  observer.subscribe(() => undefined);
  expect(showProgress(client, progress(1, 5))).toEqual([queryKey]);
});
