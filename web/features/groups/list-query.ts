export const ROWS_PER_PAGE = 25;

/** What the address of the tab carries: ?tab=groups&q=roof&page=2&members=7 */
export type GroupsSearch = { q?: string; page?: number; members?: number };

/** The address after a change. Another question starts at its first page; the open members stay. */
export function changed({ q, members }: GroupsSearch, change: GroupsSearch): GroupsSearch {
  const next = { q, members, ...change };
  return {
    ...(next.q ? { q: next.q } : {}),
    ...(next.page && next.page > 1 ? { page: next.page } : {}),
    ...(next.members ? { members: next.members } : {}),
  };
}
