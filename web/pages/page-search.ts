/** The page of a list, as an address carries it (?page=2); anything else counts as the first. */
export function pageSearch(raw: Record<string, unknown>): { page?: number } {
  const page = Number(raw["page"]);
  return Number.isInteger(page) && page > 1 ? { page } : {};
}
