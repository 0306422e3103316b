import { useState } from "react";
import { useController, useWatch } from "react-hook-form";
import { relativeDateText, type RelativeDate } from "#contract/text/relative-date.ts";
import { valueOf } from "#contract/text/message-fields.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { DateTextInput } from "#web/ui/form/date-picker.tsx";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Select } from "#web/ui/form/select.tsx";

type Way = "days" | "month" | "fixed";

const DAYS_MAX = 366;
const MONTHS_MAX = 12;
const LAST_DAY = 31;
const monthDays = Array.from({ length: LAST_DAY }, (_, index) => index + 1);
const months = Array.from({ length: MONTHS_MAX + 1 }, (_, index) => index);

function wayOf(relative: RelativeDate | undefined, text: string | undefined): Way {
  if (relative) return "daysAfter" in relative ? "days" : "month";
  return text ? "fixed" : "days";
}

/** A date in a recurring message: relative to each run, or the same each time. */
export function DayOfRun({ field, wiring }: { field: string; wiring: FieldWiring }) {
  const { form, values, clock } = useMessage();
  const { control, setValue } = form;
  const text = useController({ control, name: `fieldValues.${field}`, defaultValue: "" }).field;
  const all = useWatch({ control, name: "relativeDates" });
  const relative = all[field];
  const [way, setWay] = useState<Way>(() => wayOf(relative, text.value));
  const label = fieldLabel(field);

  const put = (date: RelativeDate | undefined) => {
    const { [field]: _, ...others } = all;
    setValue("relativeDates", date ? { ...others, [field]: date } : others, { shouldDirty: true });
  };
  const choose = (next: Way) => {
    setWay(next);
    text.onChange("");
    put(next === "month" ? { day: 1, monthsAfter: 1 } : undefined);
  };

  return (
    <fieldset aria-labelledby={`${wiring.id}-label`} className="flex min-w-0 flex-col gap-1.5">
      <div className="grid gap-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <Select
          aria-label={`${label}: how to set it`}
          value={way}
          onChange={(event) => choose(event.target.value as Way)}
        >
          <option value="days">Days after the run</option>
          <option value="month">Day of a month</option>
          <option value="fixed">Same date each time</option>
        </Select>
        {way === "days" && (
          <Input
            {...wiring}
            type="number"
            inputMode="numeric"
            min={0}
            max={DAYS_MAX}
            aria-label={`${label}: days after the run`}
            placeholder="6"
            value={relative && "daysAfter" in relative ? relative.daysAfter : ""}
            onChange={(event) => put(daysAfterRun(event.target.value))}
          />
        )}
        {way === "month" && relative && "day" in relative && (
          <div className="grid grid-cols-2 gap-2">
            <Select
              {...wiring}
              aria-label={`${label}: day`}
              value={relative.day}
              onChange={(event) => put({ ...relative, day: Number(event.target.value) })}
            >
              {monthDays.map((day) => (
                <option key={day} value={day}>
                  {day === LAST_DAY ? "Last day" : `Day ${day}`}
                </option>
              ))}
            </Select>
            <Select
              aria-label={`${label}: month`}
              value={relative.monthsAfter}
              onChange={(event) => put({ ...relative, monthsAfter: Number(event.target.value) })}
            >
              {months.map((after) => (
                <option key={after} value={after}>
                  {after === 0 ? "The same month" : after === 1 ? "Next month" : `${after} months later`}
                </option>
              ))}
            </Select>
          </div>
        )}
        {way === "fixed" && <DateTextInput {...wiring} {...text} today={clock?.read().day} />}
      </div>
      {relative && (
        <p aria-live="polite" className="text-sm text-ink-3">
          {sentence(relativeDateText(relative))}. For the next run: {valueOf(values.fieldValues, field)}.
        </p>
      )}
    </fieldset>
  );
}

function daysAfterRun(typed: string): RelativeDate | undefined {
  const days = Number(typed);
  return typed !== "" && Number.isInteger(days) && days >= 0 && days <= DAYS_MAX
    ? { daysAfter: days }
    : undefined;
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
