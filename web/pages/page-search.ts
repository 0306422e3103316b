import type { TemplatesSearch } from "#web/features/templates/templates-list.tsx";

/** The page of a list, as an address carries it (?page=2); anything else counts as the first. */
export function pageSearch(raw: Record<string, unknown>): { page?: number } {
  const page = Number(raw["page"]);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}

/** One word or text of an address; anything else, and what is empty, is left out. */
export function textSearch<Name extends string>(
  name: Name,
  raw: Record<string, unknown>,
): { [K in Name]?: string } {
  const value = raw[name];
  // The router reads ?q=12 as a number.
  const word = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return word ? ({ [name]: word } as { [K in Name]?: string }) : {};
}

/** The number of something that an address names (?person=12). */
export function idSearch<Name extends string>(
  name: Name,
  raw: Record<string, unknown>,
): { [K in Name]?: number } {
  const id = Number(raw[name]);
  return Number.isSafeInteger(id) && id > 0 ? ({ [name]: id } as { [K in Name]?: number }) : {};
}

/** What the dashboard's address carries; `q` and `notice` only where a tenant's notices are. */
export type DashboardSearch = { page?: number; q?: string; notice?: number };

/** Takes any query string; what makes no sense is left out rather than refused. */
export function dashboardSearch(raw: Record<string, unknown>): DashboardSearch {
  const notice = Number(raw["notice"]);
  return {
    ...textSearch("q", raw),
    ...pageSearch(raw),
    ...(Number.isSafeInteger(notice) && notice > 0 ? { notice } : {}),
  };
}

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

/** Takes any query string; what makes no sense is left out rather than refused. */
export function templatesSearch(raw: Record<string, unknown>): TemplatesSearch {
  return {
    ...textSearch("q", raw),
    ...textSearch("type", raw),
    ...(raw["archived"] === "yes" ? { archived: "yes" as const } : {}),
    ...pageSearch(raw),
  };
}

/** What the address of Integrations carries: /integrations?tab=email. Without it the first tab is open. */
export type IntegrationsSearch = { tab?: "email" | "sms" };

/** Takes any query string; what makes no sense is left out rather than refused. */
export function integrationsSearch(raw: Record<string, unknown>): IntegrationsSearch {
  const { tab } = raw;
  return tab === "email" || tab === "sms" ? { tab } : {};
}
