import { CalendarX2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { moveDates, passedDates, type NamedDate } from "#contract/text/dates-in-text.ts";
import { templateSubject } from "#web/domain/message/fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { withNewDates } from "#web/domain/message/new-dates.ts";
import type { Written } from "#web/domain/message/values.ts";
import { readClock, useOrganizationClock, type OrganizationClock } from "#web/domain/organization-clock.ts";
import { Button } from "#web/ui/page/button.tsx";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";

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

const referenceOf = ({ at, as }: Written, clock: OrganizationClock) => ({
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

const daysBetween = (from: string, to: string) => Temporal.PlainDate.from(from).until(to).days;

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

/** In a message that was written earlier: the dates that have passed, and new ones to put in their place. */
export function PassedDatesNote({ written: earlier }: { written: Written | undefined }) {
  const { form, template, templates, values, ownText, busy } = useMessage();
  const clock = useOrganizationClock();
  const [chosen, setChosen] = useState<Record<string, string>>({});
  const byTemplate = values.messageType === "template" ? template : undefined;
  const fromTemplate = byTemplate !== undefined && !ownText;
  const text = fromTemplate ? byTemplate.contentText : values.customMessage;
  const subject = templateSubject(values, { templates, ownText }) ?? "";
  // What someone types around a template today is new; the template itself isn't.
  const written: Written | undefined =
    earlier ?? (fromTemplate ? { at: byTemplate.updatedAt, as: "text" } : undefined);
  const texts = earlier
    ? textsOf({ title: values.title, subject, text, fieldValues: values.fieldValues })
    : [subject, text];
  const dates = usePassedDates(texts, written);
  if (!clock || !written || dates.length === 0) return null;
  const today = clock.read().day;
  const reference = referenceOf(written, clock);
  const newDate = (date: string) => chosen[date] ?? suggested(date, reference.writtenOn, today);
  const use = () => {
    const move = (date: string) => (dates.some((one) => one.date === date) && newDate(date)) || undefined;
    const moved = (old: string) => moveDates(old, reference, move);
    const set = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
    const changes = withNewDates(values, { template: byTemplate, templates, ownText }, moved);
    for (const name of Object.keys(changes) as (keyof typeof changes)[])
      form.setValue(name, changes[name], set);
  };
  return (
    <PassedDates dates={dates}>
      <div className="grid gap-3 text-ink sm:grid-cols-2">
        {dates.map(({ text: named, date }) => (
          <Field key={date} label={`Instead of ${named}`}>
            {(wiring) => (
              <DatePicker
                {...wiring}
                value={newDate(date)}
                min={today}
                today={today}
                onChange={(day) => setChosen({ ...chosen, [date]: day })}
              />
            )}
          </Field>
        ))}
      </div>
      <div>
        <Button size="sm" disabled={busy || dates.every(({ date }) => newDate(date) === "")} onClick={use}>
          Use new dates
        </Button>
      </div>
    </PassedDates>
  );
}

/** As long after today as the date was after the message was written; empty for one that had passed even then. */
function suggested(date: string, writtenOn: string, today: string): string {
  const days = daysBetween(writtenOn, date);
  return days < 0 ? "" : Temporal.PlainDate.from(today).add({ days }).toString();
}
