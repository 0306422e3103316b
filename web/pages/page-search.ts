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
