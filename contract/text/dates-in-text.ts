import {
  afterNumbers,
  beforeNumbers,
  datePatterns,
  measures,
  relativeDays,
  sameCase,
  streets,
  verbs,
} from "#contract/text/date-patterns.ts";
import { dayText, isMonthFirst } from "#contract/text/home-dates.ts";

/** Dates that a message names in plain words, as people write them, for browser and server. */

export type NamedDate = {
  /** As it is written: "Nov 18", "tomorrow". */
  text: string;
  index: number;
  /** yyyy-MM-dd; of a range, its last day. */
  date: string;
};

type Reference = {
  /** The day on which the text was written or should have gone out (yyyy-MM-dd): a date without a year is near it. */
  writtenOn: string;
  /** Also read "tomorrow" and "on Friday", as of that day. */
  words?: boolean | undefined;
};

/** A part of a found date that is written anew when the date changes. */
type Token = { from: number; to: number; write: (day: Temporal.PlainDate) => string; end: boolean };
type Found = {
  from: number;
  to: number;
  first: Temporal.PlainDate;
  last: Temporal.PlainDate;
  tokens: Token[];
};
type Match = RegExpExecArray & { indices: RegExpIndicesArray };

/** Every date in the text, in order. Numbers, prices and phone numbers are none; nor is what fills in {{a_field}}. */
export function datesIn(text: string, reference: Reference): NamedDate[] {
  return find(text, reference).map(({ from, to, last }) => ({
    text: text.slice(from, to),
    index: from,
    date: last.toString(),
  }));
}

/** The text with its dates moved, each written as it was. `move` gets and returns yyyy-MM-dd; undefined leaves it. */
export function moveDates(
  text: string,
  reference: Reference,
  move: (date: string) => string | undefined,
): string {
  let moved = "";
  let done = 0;
  for (const { from, to: until, last, first, tokens } of find(text, reference)) {
    const moves = move(last.toString());
    if (moves === undefined) continue;
    const end = Temporal.PlainDate.from(moves);
    const start = end.subtract({ days: first.until(last).days });
    if (first.month === last.month && start.month !== end.month) {
      // It may name one month for both days.
      moved += `${text.slice(done, from)}${spelledOut(start)} to ${spelledOut(end)}`;
      done = until;
      continue;
    }
    for (const token of tokens.toSorted((a, b) => a.from - b.from)) {
      moved += text.slice(done, token.from) + token.write(token.end ? end : start);
      done = token.to;
    }
  }
  return moved + text.slice(done);
}

/**
 * The dates in these texts that have passed on `today`, each day once, the earliest first. One from before `since`, or
 * without it from more than a year before the text was written, is history, not an appointment.
 */
export function passedDates(
  texts: readonly string[],
  { today, since, ...reference }: Reference & { today: string; since?: string | undefined },
): NamedDate[] {
  const oldest = since ?? Temporal.PlainDate.from(reference.writtenOn).subtract({ days: 366 }).toString();
  const passed = texts
    .flatMap((text) => datesIn(text, reference))
    .filter(({ date }) => date < today && date >= oldest)
    .toSorted((a, b) => a.date.localeCompare(b.date));
  return passed.filter(({ date }, index) => passed.findIndex((other) => other.date === date) === index);
}

function find(text: string, { writtenOn, words = false }: Reference): Found[] {
  const near = Temporal.PlainDate.from(writtenOn);
  // What fills in a field is looked at by itself.
  const shown = text.replaceAll(/\{\{[^{}]*\}\}/g, (field) => "\uFFFC".repeat(field.length));
  const { yearFirst, chinese, monthFirst, dayFirst, numbers, words: inWords } = datePatterns();
  const found: Found[] = [];
  const look = (pattern: RegExp, read: (match: Match) => Found | null) => {
    for (const match of shown.matchAll(pattern)) {
      const one = read(match as Match);
      // What an earlier pattern took belongs to it.
      if (one && !found.some(({ from, to }) => one.from < to && from < one.to)) found.push(one);
    }
  };
  look(yearFirst, (match) => byNumbers(match, near));
  look(chinese, (match) => byNumbers(match, near));
  look(monthFirst, (match) => byName(match, near));
  look(dayFirst, (match) => (isNoMonth(match, shown) ? null : byName(match, near)));
  look(numbers, (match) => byOrder(match, shown, near));
  if (words) look(inWords, (match) => byWord(match, near));
  return ranges(
    found.toSorted((a, b) => a.from - b.from),
    shown,
  );
}

/** "12 May Street", "Unit 5 may be", "5 march". */
function isNoMonth(match: Match, text: string): boolean {
  const after = text.slice(match.index + match[0].length);
  const month = match.groups?.["month"] ?? "";
  if (streets.test(after)) return true;
  return month === "may" || month === "march" || (/^may$/i.test(month) && verbs.test(after));
}

const tokenOf = (match: Match, group: string, end: boolean, write: Token["write"]): Token[] => {
  const place = match.indices.groups?.[group];
  return place ? [{ from: place[0], to: place[1], end, write }] : [];
};

const padded = (like: string, value: number) =>
  like.startsWith("0") ? String(value).padStart(2, "0") : String(value);
const dayToken = (match: Match, group: string, end: boolean): Token[] =>
  tokenOf(match, group, end, ({ day }) => padded(match.groups?.[group] ?? "", day));
const yearToken = (match: Match): Token[] =>
  tokenOf(match, "year", true, ({ year }) => String(year).slice(-(match.groups?.["year"]?.length ?? 4)));

/** "18" and what follows it in English: "18th". */
function ordinalToken(match: Match, group: string, end: boolean, text: string): Token[] {
  const [token] = dayToken(match, group, end);
  const suffix = token && /^(?:st|nd|rd|th)/i.exec(text.slice(token.to - match.index))?.[0];
  if (!token || !suffix) return token ? [token] : [];
  const write = ({ day }: Temporal.PlainDate) => {
    const fits =
      day % 10 > 3 || [11, 12, 13].includes(day) ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
    return `${day}${sameCase(suffix, fits)}`;
  };
  return [{ ...token, to: token.to + suffix.length, write }];
}

function nameToken(match: Match, group: "month" | "weekday", end: boolean): Token[] {
  const name = match.groups?.[group];
  const known = name && datePatterns()[group === "month" ? "months" : "weekdays"].get(name.toLowerCase());
  if (!name || !known) return [];
  return tokenOf(match, group, end, (day) =>
    sameCase(name, known.write(group === "month" ? day.month : day.dayOfWeek)),
  );
}

/** A day near the day the text was written, on that weekday if there is one. Null if there is no such day. */
function dayNear(
  near: Temporal.PlainDate,
  at: { year?: number | undefined; month: number; day: number },
  weekday?: number,
) {
  const years = at.year === undefined ? [near.year - 1, near.year, near.year + 1] : [at.year];
  const days = years.flatMap((year) => {
    try {
      return [Temporal.PlainDate.from({ ...at, year }, { overflow: "reject" })];
    } catch {
      return [];
    }
  });
  const fitting = days.filter(({ dayOfWeek }) => dayOfWeek === weekday);
  const away = (day: Temporal.PlainDate) => Math.abs(near.until(day).days);
  return (fitting.length > 0 ? fitting : days).toSorted((a, b) => away(a) - away(b))[0] ?? null;
}

const fullYear = (year: string | undefined) =>
  year === undefined ? undefined : year.length === 2 ? 2000 + Number(year) : Number(year);

function byName(match: Match, near: Temporal.PlainDate): Found | null {
  const { month = "", day, last, year, weekday = "" } = match.groups ?? {};
  const of = { month: datePatterns().months.get(month.toLowerCase())!.value, year: fullYear(year) };
  const end = dayNear(
    near,
    { ...of, day: Number(last ?? day) },
    datePatterns().weekdays.get(weekday.toLowerCase())?.value,
  );
  if (!end) return null;
  const start = day && last && Number(day) < Number(last) ? end.with({ day: Number(day) }) : end;
  const tokens = [
    ...nameToken(match, "weekday", false),
    ...nameToken(match, "month", true),
    ...ordinalToken(match, "day", last === undefined, match[0]),
    ...ordinalToken(match, "last", true, match[0]),
    ...yearToken(match),
  ];
  return { from: match.index, to: match.index + match[0].length, first: start, last: end, tokens };
}

function byNumbers(match: Match, near: Temporal.PlainDate): Found | null {
  const { year, month, day } = match.groups ?? {};
  const date = dayNear(near, { year: fullYear(year), month: Number(month), day: Number(day) });
  if (!date) return null;
  // 2026-11-18 has two digits for each, 11月18日 as many as it needs.
  const digits = match.groups?.["sep"] === undefined ? 1 : (month?.length ?? 1);
  const write = (value: number) => String(value).padStart(digits, "0");
  const tokens = [
    ...yearToken(match),
    ...tokenOf(match, "month", true, (to) => write(to.month)),
    ...tokenOf(match, "day", true, (to) => write(to.day)),
  ];
  return { from: match.index, to: match.index + match[0].length, first: date, last: date, tokens };
}

/** 11/18/2026, 18.11.2026, and with a word that makes it one 11/18. With slashes it is the home country's order unless it can't be. */
function byOrder(match: Match, text: string, near: Temporal.PlainDate): Found | null {
  const { one = "", two = "", sep, year, weekday = "" } = match.groups ?? {};
  const after = text.slice(match.index + match[0].length);
  if (year === undefined) {
    const before = text.slice(0, match.index);
    const said = weekday !== "" || beforeNumbers.test(before) || afterNumbers.test(after);
    if (sep !== "/" || !said || measures.test(after)) return null;
  } else if (year.length === 2 && sep === "-") return null;
  const dayFirst = sep === "." || Number(one) > 12 || (!isMonthFirst() && Number(two) <= 12);
  const [month, day] = dayFirst ? ([two, one] as const) : ([one, two] as const);
  const date = dayNear(near, { year: fullYear(year), month: Number(month), day: Number(day) });
  if (!date) return null;
  const tokens = [
    ...nameToken(match, "weekday", true),
    ...tokenOf(match, dayFirst ? "two" : "one", true, (to) => padded(month, to.month)),
    ...dayToken(match, dayFirst ? "one" : "two", true),
    ...yearToken(match),
  ];
  return { from: match.index, to: match.index + match[0].length, first: date, last: date, tokens };
}

/** "November 27", or "Friday, November 27". */
function spelledOut(day: Temporal.PlainDate, weekday?: "long"): string {
  return dayText(day.toString(), weekday ? "full" : "long", { year: false });
}

function byWord(match: Match, near: Temporal.PlainDate): Found {
  const { word, lead, weekday = "" } = match.groups ?? {};
  const wanted = datePatterns().weekdays.get(weekday.toLowerCase())?.value ?? near.dayOfWeek;
  const ahead = (wanted - near.dayOfWeek + 7) % 7;
  const days =
    word === undefined
      ? ahead === 0 && lead?.toLowerCase() === "next"
        ? 7
        : ahead
      : (relativeDays[word.toLowerCase()] ?? 0);
  const date = near.add({ days });
  const keeps = /^(?:on|by|until|till|before|from)$/i.test(lead ?? "")
    ? `${lead} `
    : word === undefined || /^t/i.test(word)
      ? "on "
      : "";
  const write = (to: Temporal.PlainDate) => `${keeps}${spelledOut(to, "long")}`;
  const to = match.index + match[0].length;
  return {
    from: match.index,
    to,
    first: date,
    last: date,
    tokens: [{ from: match.index, to, end: true, write }],
  };
}

const between = /^\s*(?:-|–|—|to|through|thru|until|till|bis|al?|au)\s*$/i;

/** Two dates with "to" between them are one range, which is over after the second. */
function ranges(found: Found[], text: string): Found[] {
  const merged: Found[] = [];
  for (const next of found) {
    const before = merged.at(-1);
    if (
      before &&
      between.test(text.slice(before.to, next.from)) &&
      Temporal.PlainDate.compare(before.first, next.last) < 0
    ) {
      const tokens = [...before.tokens.map((token) => ({ ...token, end: false })), ...next.tokens];
      merged[merged.length - 1] = {
        from: before.from,
        to: next.to,
        first: before.first,
        last: next.last,
        tokens,
      };
    } else merged.push(next);
  }
  return merged;
}
