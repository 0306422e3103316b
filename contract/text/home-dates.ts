import { dateFormat } from "#contract/text/locale.ts";

/**
 * How the organization's country writes dates: in one order, in fields and in sentences alike. There is one organization
 * to a server, so it is set once for the process or the page, and everything that writes or reads a date asks here.
 */
export type DateForm = {
  order: (typeof dateOrders)[number];
  /** Between numbers. */
  separator: (typeof dateSeparators)[number];
};

/** The order of day, month and year. */
export const dateOrders = ["mdy", "dmy", "ymd"] as const;
export const dateSeparators = ["/", ".", "-"] as const;

const american: DateForm = { order: "mdy", separator: "/" };
let home = american;

/** Sets how dates are written from now on, American without a form. */
export function setHomeDates(form = american): void {
  home = form;
}

/** How a country (an ISO code) writes dates; as most of the world does, if that isn't known. */
export function dateFormOf(country: string): DateForm {
  const { language } = new Intl.Locale(`und-${country}`).maximize();
  const known = Intl.DateTimeFormat.supportedLocalesOf(language).length > 0;
  const parts = new Intl.DateTimeFormat(known ? `${language}-${country}` : "en-001", {
    calendar: "gregory",
    numberingSystem: "latn",
    dateStyle: "short",
  }).formatToParts();
  const order = parts.flatMap(({ type }) => (type === "literal" ? [] : type.slice(0, 1))).join("");
  const between = parts.map(({ type, value }) => (type === "literal" ? value : "")).join("");
  return {
    order: dateOrders.find((one) => one === order) ?? "dmy",
    separator: dateSeparators.find((one) => between.includes(one)) ?? "/",
  };
}

/** Whether a month stands before its day: "Nov 25" and 11/25. */
export const isMonthFirst = (): boolean => home.order !== "dmy";

/** "MM/dd/yyyy", "dd.MM.yyyy" */
export const datePattern = (): string => inOrder({ d: "dd", m: "MM", y: "yyyy" });

/** "2026-11-25" → "11/25/2026", "25.11.2026" */
export const numericDay = (day: string): string =>
  inOrder({ d: day.slice(8, 10), m: day.slice(5, 7), y: day.slice(0, 4) });

const inOrder = (parts: Record<"d" | "m" | "y", string>) =>
  home.order
    .split("")
    .map((part) => parts[part as keyof typeof parts])
    .join(home.separator);

/** The numbers of "11/25/2026", "25.11.26" or, whatever the country, "2026-11-25"; undefined for any other text. */
export function readNumericDay(text: string): { year: number; month: number; day: number } | undefined {
  const found = /^\s*(\d{1,4})[/.-]\s?(\d{1,2})[/.-]\s?(\d{1,4})\.?\s*$/.exec(text);
  if (!found) return undefined;
  const numbers = found.slice(1);
  const order = numbers[0]?.length === 4 ? "ymd" : home.order;
  const part = (name: string) => numbers[order.indexOf(name)] ?? "";
  if ([part("d"), part("m")].some(({ length }) => length > 2) || ![2, 4].includes(part("y").length))
    return undefined;
  const year = Number(part("y"));
  return { year: year < 100 ? 2000 + year : year, month: Number(part("m")), day: Number(part("d")) };
}

type DayParts = { weekday?: string | undefined; day: string; month: string; year?: string | undefined };

/** "Wed, Nov 25, 2026", "Wed 25 Nov 2026": what is given of a day, in words. */
export function wordedDay({ weekday, day, month, year }: DayParts): string {
  const given = isMonthFirst() ? [weekday, `${month} ${day}`, year] : [weekday, day, month, year];
  return given.filter(Boolean).join(isMonthFirst() ? ", " : " ");
}

const lengths = {
  /** "Wed, Nov 25, 2026" */
  short: { weekday: "short", day: "numeric", month: "short", year: "numeric" },
  /** "November 25, 2026" */
  long: { day: "numeric", month: "long", year: "numeric" },
  /** "Wednesday, November 25, 2026" */
  full: { weekday: "long", day: "numeric", month: "long", year: "numeric" },
} as const;

/** A day (yyyy-MM-dd) in words. */
export function dayText(day: string, length: keyof typeof lengths = "short", { year = true } = {}): string {
  const parts = partsOfDay(Date.parse(day), { ...lengths[length], timeZone: "UTC" });
  return wordedDay(year ? parts : { ...parts, year: undefined });
}

/** What a format shows of an instant, by its name: `{ weekday: "Wed", day: "25", month: "Nov" }`. */
export function partsOfDay(at: number | Date, options: Intl.DateTimeFormatOptions) {
  const parts = dateFormat(options).formatToParts(at);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])) as Record<
    Intl.DateTimeFormatPartTypes,
    string
  >;
}
