import { CalendarX2 } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { passedDates, type NamedDate } from "#contract/text/dates-in-text.ts";
import { counted } from "#contract/text/count-text.ts";
import type { Written } from "#web/domain/message/values.ts";
import { readClock, useOrganizationClock, type OrganizationClock } from "#web/domain/organization-clock.ts";

/** Everything of a message that may name a date. */
export function textsOf(message: {
  title: string;
  subject?: string;
  text: string;
  fieldValues: Readonly<Record<string, unknown>>;
}): string[] {
  const values = Object.values(message.fieldValues).filter((value) => typeof value === "string");
  return [message.title, message.subject ?? "", message.text, ...values];
}

/** How the dates of a text are read, and between which days they have passed (yyyy-MM-dd). */
export function readingOf(
  written: Written | undefined,
  goesOut: string | undefined,
  clock: OrganizationClock,
) {
  const today = clock.read().day;
  const writtenOn = written ? readClock(Date.parse(written.at), clock.zone).day : today;
  const own = written === undefined || written.as === "draft";
  // What was written for a day is read as of that day, and a date before the day of writing is meant as such.
  if (goesOut !== undefined && own)
    return { writtenOn, reference: { writtenOn: goesOut, words: true }, since: writtenOn, until: goesOut };
  const until = goesOut !== undefined && goesOut > today ? goesOut : today;
  return {
    writtenOn,
    reference: { writtenOn, words: written?.as !== "text" },
    // What is being written now may name a past date.
    ...(own && writtenOn === today && { since: today }),
    until,
  };
}

/**
 * The dates that the texts name and that have passed by the organization's clock, or will have when it goes out (on the
 * day `goesOut`). None while the clock is unknown.
 */
export function usePassedDates(
  texts: readonly string[],
  written: Written | undefined,
  goesOut?: string,
): NamedDate[] {
  const clock = useOrganizationClock();
  if (!clock) return [];
  const { reference, since, until } = readingOf(written, goesOut, clock);
  return passedDates(texts, { ...reference, since, today: until });
}

export const daysBetween = (from: string, to: string) => Temporal.PlainDate.from(from).until(to).days;

/** "yesterday", "8 days ago", "2 days before it goes out" */
function agoText(date: string, today: string, goesOut: string | undefined): string {
  const days = daysBetween(date, today);
  if (days > 0) return days === 1 ? "yesterday" : `${days} days ago`;
  return `${counted(daysBetween(date, goesOut ?? today), "day")} before it goes out`;
}

type ListProps = {
  dates: readonly NamedDate[];
  /** yyyy-MM-dd */
  goesOut?: string | undefined;
  children?: ReactNode;
  ref?: Ref<HTMLDivElement> | undefined;
};

/** Says which dates have passed. Renders nothing if none have. */
export function PassedDates({ dates, goesOut, children, ref }: ListProps) {
  const today = useOrganizationClock()?.read().day;
  if (!today || dates.length === 0) return null;
  return (
    <div
      ref={ref}
      className="flex flex-col gap-2 rounded-md bg-warn-soft px-3 py-2.5 text-left text-sm text-warn"
    >
      <div className="flex items-start gap-2.5">
        <CalendarX2 aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0">
          {dates.map(({ text, date }) => (
            <p key={date} className="break-words">
              <span>The message names </span>
              <strong className="font-semibold whitespace-nowrap">{text}</strong>
              <span>, {agoText(date, today, goesOut)}.</span>
            </p>
          ))}
        </div>
      </div>
      {children}
    </div>
  );
}
