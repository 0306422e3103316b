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

export const homeDates = (): DateForm => home;

/** Whether a month stands before its day: "Nov 25" and 11/25. */
export const isMonthFirst = (): boolean => home.order !== "dmy";

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

type Shown = { weekday?: boolean; year?: boolean };

/** A day (yyyy-MM-dd) in words. */
export function dayText(day: string, length: keyof typeof lengths = "short", shown: Shown = {}): string {
  const parts = partsOfDay(Date.parse(day), { ...lengths[length], timeZone: "UTC" });
  return wordedDay({
    ...parts,
    weekday: shown.weekday === false ? undefined : parts.weekday,
    year: shown.year === false ? undefined : parts.year,
  });
}

/** What a format shows of an instant, by its name: `{ weekday: "Wed", day: "25", month: "Nov" }`. */
export function partsOfDay(at: number | Date, options: Intl.DateTimeFormatOptions) {
  const parts = dateFormat(options).formatToParts(at);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value])) as Record<
    Intl.DateTimeFormatPartTypes,
    string
  >;
}
