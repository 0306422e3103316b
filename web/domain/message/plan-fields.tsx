import { useController, useFormContext, useWatch } from "react-hook-form";
import type { NotificationForm } from "#contract/calls/notifications.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { plannedText, timeText } from "#web/domain/organization-clock.ts";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { placeOf } from "#web/ui/time/format-time.ts";
import { Select } from "#web/ui/form/select.tsx";
import { TimeInput } from "#web/ui/form/time-input.tsx";

const monthDays = Array.from({ length: 31 }, (_, index) => index + 1);
const weekdays = [
  { value: 1, label: "Monday" },
  { value: 2, label: "Tuesday" },
  { value: 3, label: "Wednesday" },
  { value: 4, label: "Thursday" },
  { value: 5, label: "Friday" },
  { value: 6, label: "Saturday" },
  { value: 0, label: "Sunday" },
];

/** When to send: date and time. */
export function PlannedTimeFields() {
  const { clock } = useMessage();
  const { control, formState, register } =
    useFormContext<Pick<NotificationForm, "scheduledDate" | "scheduledTime">>();
  const date = useController({ control, name: "scheduledDate" }).field;
  const time = useWatch({ control, name: "scheduledTime" });
  const now = clock?.read();
  return (
    <fieldset className="grid gap-3 rounded-md bg-sunk p-3 sm:grid-cols-2">
      <legend className="sr-only">Date and time</legend>
      <Field label="Date" required error={formState.errors.scheduledDate?.message}>
        {(wiring) => (
          <DatePicker
            {...wiring}
            value={date.value}
            onChange={date.onChange}
            min={now?.day}
            today={now?.day}
          />
        )}
      </Field>
      <Field label="Time" required error={formState.errors.scheduledTime?.message}>
        {(wiring) => <TimeInput {...wiring} {...register("scheduledTime")} />}
      </Field>
      {clock && now && (
        <p aria-live="polite" className="text-sm text-ink-2 sm:col-span-2">
          {date.value && time && `${date.value}T${time}` >= `${now.day}T${now.time}`
            ? `Goes out ${plannedText(date.value, time, clock.zone)}.`
            : `${placeOf(clock.zone)} time. It's ${timeText(now.time)} there now.`}
        </p>
      )}
    </fieldset>
  );
}

/** Daily, weekly or monthly, and at what time. */
export function RecurrenceFields() {
  const { clock } = useMessage();
  const { control, formState, register, setValue } =
    useFormContext<Pick<NotificationForm, "recurrence" | "recurringDay" | "recurringTime">>();
  const { errors } = formState;
  const recurrence = useController({ control, name: "recurrence" }).field;
  const day = useController({ control, name: "recurringDay" }).field;
  const daySelect = (options: { value: number; label: string | number }[]) => ({
    value: day.value,
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
            onChange={(event) => {
              recurrence.onChange(event.target.value);
              // Weekday 0 is not a day of a month, and day 25 is not a weekday, so each starts with its first.
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
          {(wiring) => <Select {...wiring} {...daySelect(weekdays)} />}
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
        {(wiring) => <TimeInput {...wiring} {...register("recurringTime")} />}
      </Field>
      {clock && <p className="text-sm text-ink-2 sm:col-span-3">{placeOf(clock.zone)} time.</p>}
    </fieldset>
  );
}
