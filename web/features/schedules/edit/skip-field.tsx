import { useController, useFormContext } from "react-hook-form";
import { personDetails } from "#contract/text/kept-details.ts";
import { newCondition } from "#web/domain/conditions/condition-form.ts";
import { ConditionRow } from "#web/domain/conditions/condition-row.tsx";
import type { ScheduleForm } from "#web/features/schedules/edit/schedule-form.ts";
import { Switch } from "#web/ui/form/switch.tsx";

/** Whom each run leaves out, such as those whose balance is 0. Nothing where no details are kept. */
export function SkipField() {
  const { control, formState } = useFormContext<ScheduleForm>();
  const { value: skips, onChange } = useController({ control, name: "skips" }).field;
  const details = personDetails();
  // What is owed is what a reminder stops for.
  const usual = details.find(({ kind }) => kind === "amount") ?? details[0];
  if (!usual && !skips) return null;
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Leave people out by a detail"
        hint="Each run looks anew, so a reminder stops for whoever has paid."
        checked={skips !== null}
        onChange={(checked) => onChange(checked && usual ? settledBy(usual) : null)}
      />
      {skips && (
        <ConditionRow
          label="Who is left out"
          value={skips}
          onChange={onChange}
          onRemove={() => onChange(null)}
          error={formState.errors.skips?.message}
        />
      )}
    </div>
  );
}

/** "Balance is at most 0" is how most reminders end. */
function settledBy(detail: Parameters<typeof newCondition>[0]) {
  const isNumber = detail.kind === "amount" || detail.kind === "number";
  return { ...newCondition(detail), ...(isNumber && { is: "at-most" as const, value: "0" }) };
}
