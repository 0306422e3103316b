import { Plus } from "lucide-react";
import { useController, type UseFormReturn } from "react-hook-form";
import { personDetails } from "#contract/text/kept-details.ts";
import { newCondition } from "#web/domain/conditions/condition-form.ts";
import { ConditionRow } from "#web/domain/conditions/condition-row.tsx";
import type { GroupForm } from "#web/features/groups/edit/group-form.ts";
import { Button } from "#web/ui/page/button.tsx";

const MOST = 5;

/** What has to be true of the details of people. Nothing where no details are kept. */
export function RuleDetails({ form: { control, formState } }: { form: UseFormReturn<GroupForm> }) {
  const { value: conditions, onChange } = useController({ control, name: "details" }).field;
  const [first] = personDetails();
  if (!first && conditions.length === 0) return null;
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 text-sm font-semibold">Details</legend>
      {conditions.map((condition, place) => (
        <ConditionRow
          // They have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          key={place}
          label={`Condition ${place + 1}`}
          value={condition}
          onChange={(changed) => onChange(conditions.with(place, changed))}
          onRemove={() => onChange(conditions.toSpliced(place, 1))}
          error={formState.errors.details?.[place]?.message}
        />
      ))}
      {first && conditions.length < MOST && (
        <Button
          variant="outline"
          className="self-start"
          icon={<Plus aria-hidden />}
          onClick={() => onChange([...conditions, newCondition(first)])}
        >
          Add a detail
        </Button>
      )}
    </fieldset>
  );
}
