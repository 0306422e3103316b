import { Users } from "lucide-react";
import { useController } from "react-hook-form";
import { groups } from "#contract/groups.ts";
import { callList } from "#web/api/client.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import type { ChosenGroup } from "#web/features/users/edit/user-form.ts";
import { Field } from "#web/ui/field.tsx";
import { MultiPicker, type PickerOption } from "#web/ui/multi-picker.tsx";
import type { Found } from "#web/ui/use-search.ts";

type Option = PickerOption & { group: ChosenGroup };

function optionOf(group: ChosenGroup): Option {
  return { key: String(group.id), label: group.name, icon: <Users aria-hidden />, group };
}

async function search(q: string, signal: AbortSignal): Promise<Found<Option>> {
  const { rows, total } = await callList(groups.list, { query: { q, byHand: true } }, { signal });
  return {
    total,
    options: rows.map(({ id, name, description, userCount }) => ({
      ...optionOf({ id, name }),
      detail: description,
      count: userCount,
    })),
  };
}

/** The hand-picked groups. Membership in rule-based groups is automatic. */
export function GroupsField({ form, stored }: SectionProps) {
  const { field, fieldState } = useController({ control: form.control, name: "groups" });
  const byRule = stored?.groups.filter((group) => group.byRule).map(({ name }) => name) ?? [];
  return (
    <Field
      label="Groups"
      error={fieldState.error?.message}
      hint={byRule.length > 0 ? `Added automatically: ${byRule.join(", ")}` : undefined}
    >
      {(wiring) => (
        <MultiPicker
          {...wiring}
          value={field.value.map((group) => optionOf(group))}
          onChange={(options) => field.onChange(options.map(({ group }) => group))}
          search={search}
          source="groups"
          placeholder="Search groups"
          emptyText="No groups with hand-picked members"
        />
      )}
    </Field>
  );
}
