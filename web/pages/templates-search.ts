import type { TemplatesSearch } from "#web/features/templates/templates-list.tsx";
import { pageSearch, textSearch } from "#web/pages/page-search.ts";

/** Takes any query string; what makes no sense is left out rather than refused. */
export function templatesSearch(raw: Record<string, unknown>): TemplatesSearch {
  return {
    ...textSearch("q", raw),
    ...textSearch("type", raw),
    ...(raw["archived"] === "yes" ? { archived: "yes" as const } : {}),
    ...pageSearch(raw),
  };
}
