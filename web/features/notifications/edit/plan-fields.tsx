import { useEffect, useRef } from "react";
import { useController, useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import { audience } from "#contract/audience.ts";
import { useRead } from "#web/api/use-read.ts";
import type { EditForm } from "#web/features/notifications/edit/edit-form.ts";
import { DatePicker } from "#web/ui/date-picker.tsx";
import { Field } from "#web/ui/field.tsx";
import { placeOf } from "#web/ui/moments.ts";
import { Select } from "#web/ui/select.tsx";
import { TimeInput } from "#web/ui/time-input.tsx";
import { useZone } from "#web/ui/when.tsx";

type Props = {
  form: UseFormReturn<EditForm>;
  /** It has a rule of recurrence, which stays as it is. */
  recurs: boolean;
  disabled: boolean;
  /** The dialog starts here. */
  start: boolean;
};

/** Draft or planned, and when. */
export function PlanFields({ form, recurs, disabled, start }: Props) {
  const { register, control, formState } = form;
  const day = useController({ control, name: "scheduledDate" }).field;
  const today = useRead(audience.today).data?.today;
  const zone = useZone();
  const status = useWatch({ control, name: "status" });
  const { errors } = formState;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (start) place.current?.scrollIntoView({ block: "start" });
  }, [start]);
  return (
    <div ref={place} className="flex scroll-mt-2 flex-col gap-5">
      <Field label="Status" error={errors.status?.message}>
        {(wiring) => (
          <Select
            {...wiring}
            {...register("status")}
            disabled={disabled}
            // "Edit Schedule" leads straight here.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={start}
          >
            <option value="Draft">Draft</option>
            <option value="Scheduled">Scheduled</option>
            {recurs && <option value="Recurring">Recurring</option>}
          </Select>
        )}
      </Field>
      {status === "Scheduled" && (
        <div className="grid gap-x-3 gap-y-5 sm:grid-cols-2">
          <Field label="Scheduled Date" required error={errors.scheduledDate?.message}>
            {(wiring) => (
              <DatePicker
                {...wiring}
                value={day.value}
                onChange={day.onChange}
                min={today}
                today={today}
                disabled={disabled}
              />
            )}
          </Field>
          <Field
            label="Scheduled Time"
            required
            error={errors.scheduledTime?.message}
            hint={zone && `By the clock of ${placeOf(zone)}.`}
          >
            {(wiring) => <TimeInput {...wiring} {...register("scheduledTime")} disabled={disabled} />}
          </Field>
        </div>
      )}
    </div>
  );
}
