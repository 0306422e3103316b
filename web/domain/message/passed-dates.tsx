import { CalendarX2 } from "lucide-react";
import type { ReactNode } from "react";
import { passedDates, type NamedDate } from "#contract/text/dates-in-text.ts";
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

/** The day on which it was written, and whether words like "tomorrow" are meant from there. */
export const referenceOf = ({ at, as }: Written, clock: OrganizationClock) => ({
  writtenOn: readClock(Date.parse(at), clock.zone).day,
  words: as !== "text",
});

/**
 * The dates that the texts name and that have passed by the organization's clock. None while that is unknown, or if they
 * are being written now: then a past date is meant as such.
 */
export function usePassedDates(texts: readonly string[], written: Written | undefined): NamedDate[] {
  const clock = useOrganizationClock();
  if (!clock || !written) return [];
  const reference = referenceOf(written, clock);
  const today = clock.read().day;
  if (written.as === "draft" && reference.writtenOn === today) return [];
  return passedDates(texts, { ...reference, today });
}

export const daysBetween = (from: string, to: string) => Temporal.PlainDate.from(from).until(to).days;

/** "yesterday", "8 days ago" */
function agoText(date: string, today: string): string {
  const days = daysBetween(date, today);
  return days === 1 ? "yesterday" : `${days} days ago`;
}

type ListProps = { dates: readonly NamedDate[]; children?: ReactNode };

/** Says which dates have passed. Renders nothing if none have. */
export function PassedDates({ dates, children }: ListProps) {
  const today = useOrganizationClock()?.read().day;
  if (!today || dates.length === 0) return null;
  return (
    <div className="flex flex-col gap-2 rounded-md bg-warn-soft px-3 py-2.5 text-left text-sm text-warn">
      <div className="flex items-start gap-2.5">
        <CalendarX2 aria-hidden className="mt-0.5 size-4 shrink-0" />
        <div className="min-w-0">
          {dates.map(({ text, date }) => (
            <p key={date} className="break-words">
              <span>The message names </span>
              <strong className="font-semibold whitespace-nowrap">{text}</strong>
              <span>, {agoText(date, today)}.</span>
            </p>
          ))}
        </div>
      </div>
      {children}
    </div>
  );
}
