/** Calendar days as yyyy-MM-dd, as a person writes them (MM/dd/yyyy), in words, and as the local Date a calendar wants. */

export function fromDay(day: string): Date | undefined {
  const found = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  return found ? existing(Number(found[1]), Number(found[2]), Number(found[3])) : undefined;
}

export function toDay(date: Date): string {
  const pad = (value: number, length: number) => String(value).padStart(length, "0");
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}

/** "2026-11-25" → "11/25/2026"; "" for anything that is no day. */
export function written(day: string): string {
  return fromDay(day) ? `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}` : "";
}

/** Reads "11/25/2026", also "1/5/26" and "11-25-2026"; undefined when it is no day that exists. */
export function readDay(text: string): string | undefined {
  const found = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})\s*$/.exec(text);
  if (!found) return undefined;
  const year = Number(found[3]);
  const date = existing(year < 100 ? 2000 + year : year, Number(found[1]), Number(found[2]));
  return date && toDay(date);
}

const longDate = new Intl.DateTimeFormat("en-US", { dateStyle: "full" });

/** "2026-11-25" → "Wednesday, November 25, 2026"; "" for anything that is no day. */
export function formatLongDay(day: string): string {
  const date = fromDay(day);
  return date ? longDate.format(date) : "";
}

/** Reads back what `formatLongDay` wrote; undefined for any other words. */
export function parseLongDay(words: string): string | undefined {
  const date = new Date(words);
  if (Number.isNaN(date.getTime())) return undefined;
  const day = toDay(date);
  return formatLongDay(day) === words ? day : undefined;
}

/** The day so many days later. */
export function daysAfter(day: string, days: number): string {
  const date = fromDay(day);
  if (!date) return "";
  date.setDate(date.getDate() + days);
  return toDay(date);
}

/** A Date rolls 2/30 over into March instead of refusing it. */
function existing(year: number, month: number, day: number): Date | undefined {
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? date : undefined;
}
