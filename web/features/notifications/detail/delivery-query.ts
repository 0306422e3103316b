/** Which deliveries are shown; the names are the contract's, the order is the screen's. */
const views = [
  "all",
  "unreached",
  "waiting",
  "reached",
  "sent",
  "delivered",
  "opted-out",
  "cancelled",
  "replied",
] as const;
export type DeliveryView = (typeof views)[number];

/** The URL of a notification's page: /notifications/12?show=unreached&q=ortega&delivery=345 */
export type DetailSearch = {
  show?: DeliveryView;
  q?: string;
  page?: number;
  delivery?: number;
  /** The edit dialog is open, and starts here. */
  edit?: "title" | "schedule" | undefined;
};

type DeliveryFilter = { show: DeliveryView; q: string; page: number };

/** Accepts any query string; invalid parts are ignored. */
export function detailSearch(raw: Record<string, unknown>): DetailSearch {
  const show = views.find((view) => view === raw["show"]);
  const q = ["string", "number"].includes(typeof raw["q"]) ? String(raw["q"]).trim() : "";
  const page = Number(raw["page"]);
  const delivery = Number(raw["delivery"]);
  const { edit } = raw;
  return {
    ...(show && show !== "all" ? { show } : {}),
    ...(q ? { q } : {}),
    ...(Number.isSafeInteger(page) && page > 1 ? { page } : {}),
    ...(Number.isSafeInteger(delivery) && delivery > 0 ? { delivery } : {}),
    ...(edit === "title" || edit === "schedule" ? { edit } : {}),
  };
}

export function deliveryFilter({ show, q, page }: DetailSearch): DeliveryFilter {
  return { show: show ?? "all", q: q ?? "", page: page ?? 1 };
}

/** The URL after a change. A new search starts at its first page; the chosen person stays chosen. */
export function changed(search: DetailSearch, change: DetailSearch): DetailSearch {
  const { page: _, ...rest } = search;
  return detailSearch({ ...rest, ...change });
}
