import { auditKinds, type AuditKind } from "#contract/calls/audit-actions.ts";
import { pastPeriods } from "#contract/calls/notifications.ts";

export const ROWS_PER_PAGE = 50;

/** The page's URL, as a person may have typed it: ?q=bo&person=12&kind=people&time=7-days&page=2 */
export type AuditSearch = { q?: string; person?: number; kind?: string; time?: string; page?: number };

export type AuditFilter = {
  q: string;
  person: number | undefined;
  kind: AuditKind | undefined;
  time: (typeof pastPeriods)[number] | undefined;
  page: number;
};

/** Reads a URL; invalid parts filter nothing. */
export function auditFilter({ q, person, kind, time, page }: AuditSearch): AuditFilter {
  return {
    q: q?.trim() ?? "",
    person,
    kind: auditKinds.find((one) => one === kind),
    time: pastPeriods.find((one) => one === time),
    page: page ?? 1,
  };
}

/** The URL of a filter; empty filters are omitted. A new search starts at its first page. */
export function auditSearch(filter: AuditFilter, change: Partial<AuditFilter>): AuditSearch {
  const { q, person, kind, time, page } = { ...filter, page: 1, ...change };
  return {
    ...(q ? { q } : {}),
    ...(person ? { person } : {}),
    ...(kind ? { kind } : {}),
    ...(time ? { time } : {}),
    ...(page > 1 ? { page } : {}),
  };
}

export const noFilter = { q: "", person: undefined, kind: undefined, time: undefined } as const;

export function isFiltered({ q, person, kind, time }: AuditFilter): boolean {
  return q !== "" || person !== undefined || kind !== undefined || time !== undefined;
}
