export const ROWS_PER_PAGE = 25;

/** The tab's URL: ?tab=groups&q=roof&page=2&members=7 */
export type GroupsSearch = { q?: string; page?: number; members?: number };

/** The URL after a change. A new search starts at its first page; the open members stay. */
export function changed({ q, members }: GroupsSearch, change: GroupsSearch): GroupsSearch {
  const next = { q, members, ...change };
  return {
    ...(next.q ? { q: next.q } : {}),
    ...(next.page && next.page > 1 ? { page: next.page } : {}),
    ...(next.members ? { members: next.members } : {}),
  };
}
