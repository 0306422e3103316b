import { pageSearch } from "#web/pages/page-search.ts";

/** What the address of the list carries: /notifications?q=rent&status=Failed&channel=sms&page=2 */
export type NotificationsSearch = { q?: string; status?: string; channel?: string; page?: number };

/** Takes any query string; what makes no sense is left out rather than refused. */
export function notificationsSearch(raw: Record<string, unknown>): NotificationsSearch {
  return {
    ...text("q", raw),
    ...text("status", raw),
    ...text("channel", raw),
    ...pageSearch(raw),
  };
}

function text<Name extends string>(name: Name, raw: Record<string, unknown>): { [K in Name]?: string } {
  const value = raw[name];
  // The router reads ?q=12 as a number.
  const word = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return word ? ({ [name]: word } as { [K in Name]?: string }) : {};
}
