import { channels, type Channel } from "#contract/delivery.ts";
import { listStatuses, periods, type ListStatus, type Period } from "#contract/calls/notifications.ts";

export const ROWS_PER_PAGE = 25;

/** The list's URL, as a person may have typed it. */
export type ListSearch = {
  q?: string;
  status?: string;
  channel?: string;
  time?: string;
  day?: string;
  page?: number;
};

export type ListFilter = {
  q: string;
  status: ListStatus | undefined;
  channel: Channel | undefined;
  time: Period | undefined;
  /** yyyy-MM-dd, instead of `time`. */
  day: string | undefined;
  page: number;
};

/** Reads a URL; invalid parts filter nothing. */
export function listFilter({ q, status, channel, time, day, page }: ListSearch): ListFilter {
  return {
    q: q?.trim() ?? "",
    status: listStatuses.find((one) => one === status),
    channel: channels.find((one) => one === channel),
    time: periods.find((one) => one === time),
    day: day && isDay(day) ? day : undefined,
    page: page ?? 1,
  };
}

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The URL of a filter; empty filters are omitted. A new search starts at its first page. */
export function listSearch(filter: ListFilter, change: Partial<ListFilter>): ListSearch {
  const next = { ...filter, page: 1, ...change };
  return {
    ...(next.q ? { q: next.q } : {}),
    ...(next.status ? { status: next.status } : {}),
    ...(next.channel ? { channel: next.channel } : {}),
    ...(next.time ? { time: next.time } : {}),
    ...(next.day ? { day: next.day } : {}),
    ...(next.page > 1 ? { page: next.page } : {}),
  };
}

/** As people copy an address out of a link. */
const LINK = /^(?:mailto|tel|sms|callto):\s*/i;
const EMAIL = /^\S+@\S+\.\S+$/;
const NUMBER = /^(?=(?:\D*\d){7})[+(]?[\d\s()./+\u2010-\u2015\u2212-]+$/;

/** What was searched for, and what kind of address it is; null: none. */
export function addressIn(q: string): { text: string; kind: "email address" | "number" | null } {
  const text = q.trim().replace(LINK, "");
  return { text, kind: EMAIL.test(text) ? "email address" : NUMBER.test(text) ? "number" : null };
}

export function isFiltered({ q, status, channel, time, day }: ListFilter): boolean {
  return q !== "" || status !== undefined || channel !== undefined || (time ?? day) !== undefined;
}
