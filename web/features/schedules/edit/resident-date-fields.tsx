import { useState } from "react";
import { useController } from "react-hook-form";
import { type ResidentDate, residentDates } from "#contract/recurrence.ts";
import type { ScheduleForm } from "#web/features/schedules/edit/schedule-form.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Select } from "#web/ui/form/select.tsx";

const directions = ["before", "on", "after"] as const;
type Direction = (typeof directions)[number];
const directionTexts: Record<Direction, string> = {
  before: "Days before",
  on: "On the day",
  after: "Days after",
};
const dateTexts: Record<ResidentDate, string> = {
  "move-in": "Move-in date",
  "move-out": "Move-out date",
  "lease-end": "Lease end",
};

const directionOf = (days: number): Direction => (days < 0 ? "before" : days === 0 ? "on" : "after");

/** What is typed as a number of days: NaN if it is none. */
const daysIn = (text: string) => (/^ *[1-9]\d* *$/.test(text) ? Number(text) : Number.NaN);

/** Which date it goes by, and how many days before or after it. */
export function ResidentDateFields() {
  const residentDate = useController<ScheduleForm, "residentDate">({ name: "residentDate" }).field;
  const { field: dayOffset, fieldState } = useController<ScheduleForm, "dayOffset">({ name: "dayOffset" });
  const [direction, setDirection] = useState(directionOf(dayOffset.value));
  const [days, setDays] = useState(String(Math.abs(dayOffset.value) || 1));
  const set = (to: Direction, text: string) => {
    setDirection(to);
    setDays(text);
    dayOffset.onChange(to === "on" ? 0 : daysIn(text) * (to === "before" ? -1 : 1));
  };
  return (
    <div className="grid gap-3 sm:grid-cols-3">
      <Field label="Date" required>
        {(wiring) => (
          <Select
            {...wiring}
            ref={residentDate.ref}
            value={residentDate.value}
            onBlur={residentDate.onBlur}
            onChange={(event) => residentDate.onChange(event.target.value)}
          >
            {residentDates.map((one) => (
              <option key={one} value={one}>
                {dateTexts[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="When" required>
        {(wiring) => (
          <Select
            {...wiring}
            value={direction}
            onBlur={dayOffset.onBlur}
            onChange={(event) => set(event.target.value as Direction, days)}
          >
            {directions.map((one) => (
              <option key={one} value={one}>
                {directionTexts[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      {direction !== "on" && (
        <Field label="Days" required error={fieldState.error?.message}>
          {(wiring) => (
            <Input
              {...wiring}
              ref={dayOffset.ref}
              value={days}
              inputMode="numeric"
              autoComplete="off"
              onBlur={dayOffset.onBlur}
              onChange={(event) => set(direction, event.target.value)}
            />
          )}
        </Field>
      )}
    </div>
  );
}
