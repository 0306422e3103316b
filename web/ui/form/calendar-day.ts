import { dayText, homeDates } from "#contract/text/home-dates.ts";

/** Converts calendar days between yyyy-MM-dd, numbers and words as people write them, and the local Date that the calendar needs. */

export function fromDay(day: string): Date | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  return found ? existing(Number(found[1]), Number(found[2]), Number(found[3])) : undefined;
}

export function toDay(date: Date): string {
  const pad = (value: number, length: number) => String(value).padStart(length, "0");
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}

/** "MM/dd/yyyy", "dd.MM.yyyy": how the home country writes a day. */
export const datePattern = (): string => inOrder({ d: "dd", m: "MM", y: "yyyy" });

/** "2026-11-25" → "11/25/2026", "25.11.2026"; "" for anything else. */
export const written = (day: string): string =>
  fromDay(day) ? inOrder({ d: day.slice(8), m: day.slice(5, 7), y: day.slice(0, 4) }) : "";

const inOrder = (parts: Record<"d" | "m" | "y", string>) =>
  homeDates()
    .order.split("")
    .map((part) => parts[part as keyof typeof parts])
    .join(homeDates().separator);

/** Parses a day as the home country writes it, "1/5/26" too, or as yyyy-MM-dd; undefined if there is no such day. */
export function readDay(text: string): string | undefined {
  const found = /^\s*(\d{1,4})[/.-]\s?(\d{1,2})[/.-]\s?(\d{1,4})\.?\s*$/.exec(text);
  if (!found) return undefined;
  const order = found[1]?.length === 4 ? "ymd" : homeDates().order;
  const part = (name: string) => found[order.indexOf(name) + 1] ?? "";
  const [day, month, year] = [part("d"), part("m"), part("y")];
  if (day.length > 2 || month.length > 2 || ![2, 4].includes(year.length)) return undefined;
  const date = existing(year.length === 2 ? 2000 + Number(year) : Number(year), Number(month), Number(day));
  return date && toDay(date);
}

/** "2026-11-25" → "Wednesday, November 25, 2026"; "" for anything else. */
export const formatLongDay = (day: string): string => (fromDay(day) ? dayText(day, "full") : "");

/** Parses the output of `formatLongDay`; undefined for any other text. */
export function parseLongDay(words: string): string | undefined {
  const date = new Date(words);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = toDay(date);
  return formatLongDay(day) === words ? day : undefined;
}

/** The day this many days later. */
export function daysAfter(day: string, days: number): string {
  const date = fromDay(day);
  if (!date) return "";
  date.setDate(date.getDate() + days);
  return toDay(date);
}

/** Date turns 2/30 into a day in March instead of rejecting it. */
function existing(year: number, month: number, day: number): Date | undefined {
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : undefined;
}
