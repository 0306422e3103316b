import { useController } from "react-hook-form";
import { isolated } from "#contract/text/isolate.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { GroupPicker } from "#web/domain/group-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";

/** The hand-picked groups. Membership in rule-based groups is automatic. */
export function GroupsField({ form, stored }: SectionProps) {
  const { field, fieldState } = useController({ control: form.control, name: "groups" });
  const byRule = stored?.groups.filter((group) => group.byRule).map(({ name }) => isolated(name)) ?? [];
  return (
    <Field
      label="Groups"
      error={fieldState.error?.message}
      hint={byRule.length > 0 ? `Added automatically: ${byRule.join(", ")}.` : undefined}
    >
      {(wiring) => <GroupPicker {...wiring} value={field.value} onChange={field.onChange} />}
    </Field>
  );
}
