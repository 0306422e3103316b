import { pageSearch, textSearch } from "#web/pages/page-search.ts";

/** What the address of the list carries: /notifications?q=rent&status=Failed&channel=sms&time=7-days&page=2 */
export type NotificationsSearch = {
  q?: string;
  status?: string;
  channel?: string;
  time?: string;
  page?: number;
};

/** Takes any query string; what makes no sense is left out rather than refused. */
export function notificationsSearch(raw: Record<string, unknown>): NotificationsSearch {
  return {
    ...textSearch("q", raw),
    ...textSearch("status", raw),
    ...textSearch("channel", raw),
    ...textSearch("time", raw),
    ...pageSearch(raw),
  };
}
