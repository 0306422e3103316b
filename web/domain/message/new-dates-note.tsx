import { useState } from "react";
import { moveDates } from "#contract/text/dates-in-text.ts";
import { templateSubject } from "#web/domain/message/fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { withNewDates } from "#web/domain/message/new-dates.ts";
import {
  daysBetween,
  PassedDates,
  readingOf,
  textsOf,
  usePassedDates,
} from "#web/domain/message/passed-dates.tsx";
import type { Written } from "#web/domain/message/values.ts";
import { useOrganizationClock } from "#web/domain/organization-clock.ts";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Button } from "#web/ui/page/button.tsx";

type Props = {
  /** When it was, if not now. */
  written: Written | undefined;
  /** The day on which it is to go out, if not now (yyyy-MM-dd). */
  goesOut?: string | undefined;
};

/** In a message that was written earlier or goes out later: the dates that have passed, and new ones to put in their place. */
export function NewDatesNote({ written: earlier, goesOut }: Props) {
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
  const texts =
    earlier || goesOut !== undefined
      ? textsOf({ title: values.title, subject, text, fieldValues: values.fieldValues })
      : [subject, text];
  const dates = usePassedDates(texts, written, goesOut);
  if (!clock || dates.length === 0) return null;
  const { writtenOn, reference, until } = readingOf(written, goesOut, clock);
  const newDate = (date: string) => chosen[date] ?? suggested(date, writtenOn, until);
  const use = () => {
    const move = (date: string) => (dates.some((one) => one.date === date) && newDate(date)) || undefined;
    const moved = (old: string) => moveDates(old, reference, move);
    const set = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
    const changes = withNewDates(values, { template: byTemplate, templates, ownText }, moved);
    for (const name of Object.keys(changes) as (keyof typeof changes)[])
      form.setValue(name, changes[name], set);
  };
  return (
    <PassedDates dates={dates} goesOut={goesOut} ref={earlier && show}>
      <div className="grid gap-3 text-ink sm:grid-cols-2">
        {dates.map(({ text: named, date }) => (
          <Field key={date} label={`Instead of ${named}`}>
            {(wiring) => (
              <DatePicker
                {...wiring}
                value={newDate(date)}
                min={until}
                today={until}
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

/** Below a long template it would be missed, and the message sent with the old dates. */
function show(note: HTMLElement | null): (() => void) | undefined {
  if (!note) return undefined;
  const look = () => note.scrollIntoView({ block: "nearest" });
  look();
  // What loads above it pushes it down, until someone does something.
  const observer = new ResizeObserver(look);
  for (let around = note.parentElement; around; around = around.parentElement) observer.observe(around);
  const acts = new AbortController();
  const stop = () => {
    observer.disconnect();
    acts.abort();
  };
  for (const act of ["pointerdown", "keydown", "wheel"])
    window.addEventListener(act, stop, { capture: true, signal: acts.signal });
  return stop;
}

/** As long after `day` as the date was after the message was written; empty for one that had passed even then. */
function suggested(date: string, writtenOn: string, day: string): string {
  const days = daysBetween(writtenOn, date);
  return days < 0 ? "" : Temporal.PlainDate.from(day).add({ days }).toString();
}
