import type { Group } from "#contract/groups.ts";

export const ROWS_PER_PAGE = 25;

/** What the address of the tab carries: ?tab=groups&q=roof&page=2&members=7 */
export type GroupsSearch = { q?: string; page?: number; members?: number };

/** Groups with the text in name or description; case and the space around it do not count. */
export function matching(groups: readonly Group[], q: string): Group[] {
  const wanted = q.trim().toLowerCase();
  return groups.filter(
    ({ name, description }) =>
      name.toLowerCase().includes(wanted) || description.toLowerCase().includes(wanted),
  );
}

/** The rows of one page, from 1. */
export function pageOf<Row>(rows: readonly Row[], page: number): Row[] {
  return rows.slice((page - 1) * ROWS_PER_PAGE, page * ROWS_PER_PAGE);
}

/** The address after a change. Another question starts at its first page; the open members stay. */
export function changed({ q, members }: GroupsSearch, change: GroupsSearch): GroupsSearch {
  const next = { q, members, ...change };
  return {
    ...(next.q ? { q: next.q } : {}),
    ...(next.page && next.page > 1 ? { page: next.page } : {}),
    ...(next.members ? { members: next.members } : {}),
  };
}
