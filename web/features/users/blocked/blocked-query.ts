import { channels, type Channel } from "#contract/delivery.ts";
import { suppressionKinds, type SuppressionKind } from "#contract/calls/suppressions.ts";

export const ROWS_PER_PAGE = 25;

/** The tab's URL: ?tab=blocked&q=ann&channel=sms&kind=bounce&page=2 */
export type BlockedSearch = { q?: string; channel?: string; kind?: string; page?: number };

export type BlockedFilter = {
  q: string;
  channel: Channel | undefined;
  kind: SuppressionKind | undefined;
  page: number;
};

/** Reads a URL; invalid parts filter nothing. */
export function blockedFilter({ q, channel, kind, page }: BlockedSearch): BlockedFilter {
  return {
    q: q?.trim() ?? "",
    channel: channels.find((one) => one === channel),
    kind: suppressionKinds.find((one) => one === kind),
    page: page ?? 1,
  };
}

/** The URL of a filter; empty filters are omitted. A new search starts at its first page. */
export function blockedSearch(filter: BlockedFilter, change: Partial<BlockedFilter>): BlockedSearch {
  const { q, channel, kind, page } = { ...filter, page: 1, ...change };
  return {
    ...(q ? { q } : {}),
    ...(channel ? { channel } : {}),
    ...(kind ? { kind } : {}),
    ...(page > 1 ? { page } : {}),
  };
}

export const isFiltered = ({ q, channel, kind }: BlockedFilter): boolean =>
  q !== "" || channel !== undefined || kind !== undefined;
