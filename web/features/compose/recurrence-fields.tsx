import { useController } from "react-hook-form";
import { weekdays } from "#web/features/compose/schedule-words.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Field } from "#web/ui/field.tsx";
import { placeOf } from "#web/ui/moments.ts";
import { Select } from "#web/ui/select.tsx";
import { TimeInput } from "#web/ui/time-input.tsx";

const monthDays = Array.from({ length: 31 }, (_, index) => index + 1);
const FIRST_UNCERTAIN_DAY = 29;

/** Daily, weekly or monthly, and at what time. */
export function RecurrenceFields({ compose: { form, clock, sending } }: { compose: Compose }) {
  const { control, formState, register, setValue } = form;
  const { errors } = formState;
  const recurrence = useController({ control, name: "recurrence" }).field;
  const day = useController({ control, name: "recurringDay" }).field;
  const daySelect = (options: { value: number; label: string | number }[]) => ({
    value: day.value,
    disabled: sending,
    onChange: (event: { target: { value: string } }) => day.onChange(Number(event.target.value)),
    children: options.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    )),
  });
  return (
    <fieldset className="grid gap-3 rounded-md bg-sunk p-3 sm:grid-cols-3">
      <legend className="sr-only">Recurrence</legend>
      <Field label="Recurrence" required error={errors.recurrence?.message}>
        {(wiring) => (
          <Select
            {...wiring}
            value={recurrence.value}
            disabled={sending}
            onChange={(event) => {
              recurrence.onChange(event.target.value);
              // Weekday 0 is no day of a month, and day 25 no weekday: each begins with its first.
              setValue("recurringDay", 1);
            }}
          >
            <option value="daily">Daily</option>
            <option value="weekly">Weekly</option>
            <option value="monthly">Monthly</option>
          </Select>
        )}
      </Field>
      {recurrence.value === "weekly" && (
        <Field label="Day of Week" required error={errors.recurringDay?.message}>
          {(wiring) => <Select {...wiring} {...daySelect([...weekdays])} />}
        </Field>
      )}
      {recurrence.value === "monthly" && (
        <Field label="Day of Month" required error={errors.recurringDay?.message}>
          {(wiring) => (
            <Select {...wiring} {...daySelect(monthDays.map((value) => ({ value, label: value })))} />
          )}
        </Field>
      )}
      <Field label="Time" required error={errors.recurringTime?.message}>
        {(wiring) => <TimeInput {...wiring} {...register("recurringTime")} disabled={sending} />}
      </Field>
      <div aria-live="polite" className="flex flex-col gap-1.5 text-sm text-ink-2 sm:col-span-3">
        {recurrence.value === "monthly" && day.value >= FIRST_UNCERTAIN_DAY && (
          <p>In a month without a day {day.value}, the last day of the month counts.</p>
        )}
        {clock && <p>By the clock of {placeOf(clock.zone)}.</p>}
      </div>
    </fieldset>
  );
}
