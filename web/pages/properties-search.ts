import { idSearch, openSearch, pageSearch, textSearch } from "#web/pages/page-search.ts";

/** The search parameters of Properties: /properties?q=maple&page=2&archived=yes, with the dialogs that are open. */
export type PropertiesSearch = {
  q?: string;
  page?: number;
  archived?: "yes";
  open?: "new" | undefined;
  /** The property whose form is open. */
  edit?: number | undefined;
};

/** Accepts any query string and ignores invalid parameters. */
export function propertiesSearch(raw: Record<string, unknown>): PropertiesSearch {
  return {
    ...textSearch("q", raw),
    ...pageSearch(raw),
    ...(raw["archived"] === "yes" ? { archived: "yes" as const } : {}),
    ...openSearch(["new"], raw),
    ...idSearch("edit", raw),
  };
}

/** The search parameters of one property: /properties/7?building=B&view=list&q=204&reach=none&home=12 */
export type PropertySearch = {
  building?: string;
  view?: "list" | "grid";
  q?: string;
  /** Only homes that no message reaches. */
  reach?: "none";
  /** The home that is open. */
  home?: number | undefined;
  /** The person whose form is open, and the field that needs attention. */
  edit?: number | undefined;
  field?: "email" | "phone" | undefined;
};

export function propertySearch(raw: Record<string, unknown>): PropertySearch {
  const field = (["email", "phone"] as const).find((one) => one === raw["field"]);
  const view = (["list", "grid"] as const).find((one) => one === raw["view"]);
  return {
    ...textSearch("building", raw),
    ...textSearch("q", raw),
    ...(view ? { view } : {}),
    ...(raw["reach"] === "none" ? { reach: "none" as const } : {}),
    ...idSearch("home", raw),
    ...idSearch("edit", raw),
    ...(field ? { field } : {}),
  };
}
