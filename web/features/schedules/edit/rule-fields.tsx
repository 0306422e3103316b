import { useController, useFormContext, useWatch } from "react-hook-form";
import { clockText, weekdays } from "#contract/text/rule-text.ts";
import type { RecurrenceKind } from "#contract/recurrence.ts";
import { ResidentDateFields } from "#web/features/schedules/edit/resident-date-fields.tsx";
import type { ScheduleForm } from "#web/features/schedules/edit/schedule-form.ts";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { Switch } from "#web/ui/form/switch.tsx";
import { TimeInput } from "#web/ui/form/time-input.tsx";

const kinds: { value: RecurrenceKind; label: string }[] = [
  { value: "daily", label: "Daily" },
  { value: "weekly", label: "Weekly" },
  { value: "once", label: "One-time" },
  { value: "monthly", label: "Monthly" },
  { value: "resident-date", label: "Resident's date" },
];
/** What a recurring notification can't become. */
const notRepeating: readonly RecurrenceKind[] = ["once", "resident-date"];
const days = weekdays.map((label, value) => ({ label, value }));
const monthDays = Array.from({ length: 31 }, (_, index) => ({ label: String(index + 1), value: index + 1 }));

type Props = {
  /** Today in the organization's zone. */
  today: string | undefined;
  /** It belongs to a recurring notification, which repeats by the calendar. */
  repeats: boolean;
};

/** When it runs: the recurrence with its day or date, and the time. */
export function RuleFields({ today, repeats }: Props) {
  const { control, formState, register } = useFormContext<ScheduleForm>();
  const { errors } = formState;
  const recurrence = useController({ control, name: "recurrence" }).field;
  const date = useController({ control, name: "date" }).field;
  const [time, endTime] = useWatch({ control, name: ["time", "endTime"] });
  return (
    <>
      <Field group label="Recurrence" required error={errors.recurrence?.message}>
        {() => (
          <Segmented
            label="Recurrence"
            segments={repeats ? kinds.filter(({ value }) => !notRepeating.includes(value)) : kinds}
            value={recurrence.value}
            onChange={recurrence.onChange}
            className="flex max-sm:[&_label]:px-1.5"
          />
        )}
      </Field>
      {recurrence.value === "resident-date" && <ResidentDateFields />}
      <div className="flex flex-col gap-1.5">
        <div className="grid gap-3 sm:grid-cols-3">
          {recurrence.value === "weekly" && <DaySelect name="dayOfWeek" label="Day of Week" options={days} />}
          {recurrence.value === "monthly" && (
            <DaySelect name="dayOfMonth" label="Day of Month" options={monthDays} />
          )}
          {recurrence.value === "once" && (
            <Field label="Date" required error={errors.date?.message}>
              {(wiring) => (
                <DatePicker
                  {...wiring}
                  value={date.value}
                  onChange={date.onChange}
                  min={today}
                  today={today}
                />
              )}
            </Field>
          )}
          <Field label="Start time" required error={errors.time?.message}>
            {(wiring) => <TimeInput {...wiring} {...register("time", { deps: ["endTime"] })} />}
          </Field>
          <Field label="End time" error={errors.endTime?.message}>
            {(wiring) => <TimeInput {...wiring} {...register("endTime")} />}
          </Field>
        </div>
        {time !== "" && (
          <p className="text-sm text-ink-3">
            If Porchlight is offline at {clockText(time)}, the run can start{" "}
            {endTime > time ? `as late as ${clockText(endTime)}` : "until the day ends"}. After that it counts
            as missed, and you can look at it and send it then.
          </p>
        )}
      </div>
    </>
  );
}

type DaySelectProps = {
  name: "dayOfWeek" | "dayOfMonth";
  label: string;
  options: readonly { label: string; value: number }[];
};

function DaySelect({ name, label, options }: DaySelectProps) {
  const { field, fieldState } = useController<ScheduleForm, typeof name>({ name });
  return (
    <Field label={label} required error={fieldState.error?.message}>
      {(wiring) => (
        <Select
          {...wiring}
          ref={field.ref}
          value={field.value}
          onBlur={field.onBlur}
          onChange={(event) => field.onChange(Number(event.target.value))}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

export function ActiveField() {
  const { register } = useFormContext<ScheduleForm>();
  return (
    <div className="border-t border-line pt-4">
      <Switch
        label="Active"
        hint="Turn off to save the schedule without running it."
        {...register("active")}
      />
    </div>
  );
}
