import type { Channel } from "#contract/delivery.ts";
import { accountsSearch } from "#web/domain/account-tabs.ts";
import type { AuditSearch } from "#web/features/audit/list-query.ts";
import type { TemplatesSearch } from "#web/features/templates/templates-list.tsx";

/** The page of a list in the URL (?page=2). Anything invalid means the first page. */
export function pageSearch(raw: Record<string, unknown>): { page?: number } {
  const page = Number(raw["page"]);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}

/** A text parameter of the URL. Anything else, and empty text, is ignored. */
export function textSearch<Name extends string>(
  name: Name,
  raw: Record<string, unknown>,
): { [K in Name]?: string } {
  const value = raw[name];
  // The router reads ?q=12 as a number.
  const word = typeof value === "string" || typeof value === "number" ? String(value) : "";
  return word ? ({ [name]: word } as { [K in Name]?: string }) : {};
}

/** An id in the URL (?person=12). */
export function idSearch<Name extends string>(
  name: Name,
  raw: Record<string, unknown>,
): { [K in Name]?: number } {
  const id = Number(raw[name]);
  return Number.isSafeInteger(id) && id > 0 ? ({ [name]: id } as { [K in Name]?: number }) : {};
}

/** The dialogs that any screen may show: `open` (its own, by name), `edit` (one row), `import` (a spreadsheet) and `write` (a new
 * notification). */
type Dialogs = {
  open?: string | undefined;
  edit?: number | undefined;
  import?: number | undefined;
  write?: string | undefined;
};

/** The open dialogs in a URL. A list below that turns its page must not close them. */
export function dialogsOf<Search extends Dialogs>({
  open,
  edit,
  import: imported,
  write,
}: Search): Pick<Search, keyof Dialogs & keyof Search> {
  return {
    ...(open === undefined ? {} : { open }),
    ...(edit === undefined ? {} : { edit }),
    ...(imported === undefined ? {} : { import: imported }),
    ...(write === undefined ? {} : { write }),
  } as Pick<Search, keyof Dialogs & keyof Search>;
}

/** A dialog of this screen, by name (?open=new). */
export function openSearch<Name extends string>(
  names: readonly Name[],
  raw: Record<string, unknown>,
): { open?: Name | undefined } {
  const open = names.find((name) => name === raw["open"]);
  return open ? { open } : {};
}

// The functions below accept any query string and leave out what makes no sense.

/** The search parameters of Help: /help?q=csv. The hash opens a topic: /help#schedules */
type HelpSearch = { q?: string };

export function helpSearch(raw: Record<string, unknown>): HelpSearch {
  return textSearch("q", raw);
}

/** The search parameters of the dashboard. `q` is only used for a tenant's notices. A push message opens a `notice`. */
export type DashboardSearch = {
  page?: number;
  q?: string;
  notice?: number | undefined;
  open?: "import" | undefined;
  /** The unsent notification whose form is open, by its local id. */
  edit?: number | undefined;
};

export function dashboardSearch(raw: Record<string, unknown>): DashboardSearch {
  const notice = Number(raw["notice"]);
  return {
    ...textSearch("q", raw),
    ...pageSearch(raw),
    ...(Number.isSafeInteger(notice) && notice > 0 ? { notice } : {}),
    ...openSearch(["import"], raw),
    ...idSearch("edit", raw),
  };
}

/** The search parameters of the list: /notifications?q=rent&status=Failed&channel=sms&time=7-days&page=2 */
export type NotificationsSearch = {
  q?: string;
  status?: string;
  channel?: string;
  time?: string;
  page?: number;
  /** The unsent notification whose form is open, by its local id. */
  edit?: number | undefined;
};

export function notificationsSearch(raw: Record<string, unknown>): NotificationsSearch {
  return {
    ...textSearch("q", raw),
    ...textSearch("status", raw),
    ...textSearch("channel", raw),
    ...textSearch("time", raw),
    ...textSearch("day", raw),
    ...pageSearch(raw),
    ...idSearch("edit", raw),
  };
}

/** The list's, and its dialogs: /templates?open=new, /templates?edit=12 */
export type TemplatesPageSearch = TemplatesSearch & { open?: "new" | undefined; edit?: number | undefined };

export function templatesSearch(raw: Record<string, unknown>): TemplatesPageSearch {
  return {
    ...textSearch("q", raw),
    ...textSearch("type", raw),
    ...(raw["archived"] === "yes" ? { archived: "yes" as const } : {}),
    ...pageSearch(raw),
    ...openSearch(["new"], raw),
    ...idSearch("edit", raw),
  };
}

/** The search parameters of Settings: /settings?tab=security. Without them, the first tab is open. */
type SettingsSearch = { tab?: "notifications" | "security" };

export function settingsSearch(raw: Record<string, unknown>): SettingsSearch {
  const { tab } = raw;
  return tab === "notifications" || tab === "security" ? { tab } : {};
}

/** The search parameters of Integrations: /integrations?tab=email&open=new, or &edit=12. Without a tab, the first is open. */
export type IntegrationsSearch = {
  tab?: Channel;
  open?: "new" | undefined;
  /** The provider that is being connected; without it, all are offered. */
  kind?: string | undefined;
  /** The account whose form is open. */
  edit?: number | undefined;
};

export function integrationsSearch(raw: Record<string, unknown>): IntegrationsSearch {
  return {
    ...accountsSearch(String(raw["tab"])),
    ...openSearch(["new"], raw),
    ...textSearch("kind", raw),
    ...idSearch("edit", raw),
  };
}

export function auditSearch(raw: Record<string, unknown>): AuditSearch {
  return {
    ...textSearch("q", raw),
    ...idSearch("person", raw),
    ...textSearch("kind", raw),
    ...textSearch("time", raw),
    ...pageSearch(raw),
  };
}
