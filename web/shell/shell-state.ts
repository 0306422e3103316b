import type { QueryClient } from "@tanstack/react-query";
import { linkOptions, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { setHomeDates } from "#contract/text/home-dates.ts";
import { setHomeNumbers } from "#contract/text/home-numbers.ts";
import { setPersonDetails } from "#contract/text/kept-details.ts";
import { shell, type UnseenFailures } from "#contract/calls/shell.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { call } from "#web/api/client.ts";
import { readKey, useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { setHomePhones } from "#web/domain/phone-number.ts";
import {
  ROWS_PER_PAGE,
  isFiltered,
  listFilter,
  type ListSearch,
} from "#web/features/notifications/list-query.ts";

/** Reads it before the frame is rendered, which would otherwise be rendered twice. */
export function prefetchShellState(queries: QueryClient): void {
  void queries.prefetchQuery({ queryKey: readKey(shell.state), queryFn: () => call(shell.state) });
}

/** From the next rendering on: phone numbers, dates and amounts as this country writes them, and what is kept of people. */
function useHomeCountry(state: ReplyOf<typeof shell.state> | undefined): void {
  if (!state) return;
  setHomePhones(state.phones);
  setHomeDates(state.dates);
  setHomeNumbers(state.numbers);
  setPersonDetails(state.details);
}

/** The data for header and sidebar: site, zone, providers, new failures. */
export function useShellState() {
  const state = useRead(shell.state);
  useHomeCountry(state.data);
  return state;
}

/** The numbers of new failures and replies, and the page that shows them. Opening that page marks them as seen. */
export function useUnseenFailures() {
  const unseen = useShellState().data?.unseenFailures;
  const what = useLocation({ select: ({ pathname, search }) => shownAt(pathname, search, unseen) });
  const { mutate: markSeen, isPending, variables } = useWrite(shell.seen, { refreshes: [shell.state] });
  const until = what === "replies" ? unseen?.firstReply?.at : unseen?.asOf;
  const marked = variables?.body.until;
  useEffect(() => {
    // Once per reply, so that failures that appear while the page is open are marked, too.
    if (what && until && !isPending && marked !== until) markSeen({ body: { what, until } });
  }, [what, until, marked, isPending, markSeen]);
  return {
    failures: (unseen?.notifications ?? 0) + (unseen?.schedules ?? 0),
    replies: unseen?.replies ?? 0,
    link: pageOf(unseen),
  };
}

/** Where the new failures are: a single notification, the list of failures, or the schedules. */
function pageOf(unseen: UnseenFailures | null | undefined) {
  if (unseen?.onlyNotification) {
    return linkOptions({ to: "/notifications/$id", params: { id: String(unseen.onlyNotification) } });
  }
  if (unseen?.notifications) return linkOptions({ to: "/notifications", search: { status: "Failures" } });
  if (unseen?.schedules) return linkOptions({ to: "/schedules" });
  if (unseen?.firstReply) {
    const { notificationId, deliveryId } = unseen.firstReply;
    return linkOptions({
      to: "/notifications/$id",
      params: { id: String(notificationId) },
      search: { delivery: deliveryId },
    });
  }
  return linkOptions({ to: "/notifications" });
}

/** Which of the new failures the page at this path shows, down to the oldest. */
export function shownAt(
  pathname: string,
  search: ListSearch & { delivery?: number },
  unseen: UnseenFailures | null | undefined,
) {
  const reply = unseen?.firstReply;
  if (
    reply &&
    pathname === `/notifications/${reply.notificationId}` &&
    search.delivery === reply.deliveryId
  ) {
    return "replies";
  }
  if (unseen?.schedules && pathname === "/schedules") return "schedules";
  const only = unseen?.onlyNotification;
  const { status, page, ...others } = listFilter(search);
  const listed =
    pathname === "/notifications" &&
    status === "Failures" &&
    page === Math.ceil((unseen?.reach ?? 0) / ROWS_PER_PAGE) &&
    !isFiltered({ status: undefined, page, ...others });
  if (unseen?.notifications && (listed || pathname === `/notifications/${only}`)) return "notifications";
  return undefined;
}
