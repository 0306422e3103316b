import { useController, useWatch } from "react-hook-form";
import { RecurrenceFields } from "#web/features/compose/recurrence-fields.tsx";
import { plannedInWords, timeInWords } from "#web/features/compose/schedule-words.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { daysAfter } from "#web/ui/calendar-day.ts";
import { DatePicker } from "#web/ui/date-picker.tsx";
import { Field } from "#web/ui/field.tsx";
import { placeOf } from "#web/ui/moments.ts";
import { Segmented } from "#web/ui/segmented.tsx";
import { TimeInput } from "#web/ui/time-input.tsx";
import { useShowOnChange } from "#web/ui/use-show-on-change.ts";

const kinds = [
  { value: "immediate", label: "Send immediately" },
  { value: "later", label: "Schedule for later" },
  { value: "recurring", label: "Recurring" },
] as const;

/** When it goes: now, at a time by the organisation's clock, or again and again. */
export function ScheduleSection({ compose }: { compose: Compose }) {
  const { form, clock, sending } = compose;
  const kind = useController({ control: form.control, name: "schedule" }).field;
  const section = useShowOnChange<HTMLDivElement>(kind.value);
  return (
    <div ref={section} className="flex scroll-my-3 flex-col gap-3">
      <Segmented
        label="Schedule"
        segments={kinds}
        value={kind.value}
        disabled={sending}
        onChange={(value) => {
          kind.onChange(value);
          if (value === "later" && clock && form.getValues("scheduledDate") === "")
            form.setValue("scheduledDate", daysAfter(clock.read().today, 1));
          if (form.formState.isSubmitted) void form.trigger(["scheduledDate", "scheduledTime"]);
          else form.clearErrors(["scheduledDate", "scheduledTime"]);
        }}
        className="self-start max-sm:self-stretch max-sm:[&_label]:px-1.5"
      />
      {kind.value === "later" && <LaterFields compose={compose} />}
      {kind.value === "recurring" && <RecurrenceFields compose={compose} />}
    </div>
  );
}

function LaterFields({ compose: { form, clock, sending } }: { compose: Compose }) {
  const { control, formState, register } = form;
  const date = useController({ control, name: "scheduledDate" }).field;
  const time = useWatch({ control, name: "scheduledTime" });
  const today = clock?.read().today;
  return (
    <fieldset className="grid gap-3 rounded-md bg-sunk p-3 sm:grid-cols-2">
      <legend className="sr-only">Date and time</legend>
      <Field label="Date" required error={formState.errors.scheduledDate?.message}>
        {(wiring) => (
          <DatePicker
            {...wiring}
            value={date.value}
            onChange={date.onChange}
            min={today}
            today={today}
            disabled={sending}
          />
        )}
      </Field>
      <Field label="Time" required error={formState.errors.scheduledTime?.message}>
        {(wiring) => <TimeInput {...wiring} {...register("scheduledTime")} disabled={sending} />}
      </Field>
      {clock && (
        <p aria-live="polite" className="text-sm text-ink-2 sm:col-span-2">
          {date.value && time
            ? `Goes out ${plannedInWords(date.value, time, clock.zone)}.`
            : `By the clock of ${placeOf(clock.zone)}, where it is ${timeInWords(clock.read().time)} now.`}
        </p>
      )}
    </fieldset>
  );
}
