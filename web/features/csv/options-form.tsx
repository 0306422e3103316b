import { useState } from "react";
import { roles } from "#contract/calls/auth.ts";
import { allowsMore } from "#contract/permissions.ts";
import { usePrincipal } from "#web/api/session.ts";
import { Disclosure } from "#web/features/csv/disclosure.tsx";
import { type ImportOptions, optionsSentence } from "#web/features/csv/import-form.ts";
import { GroupPicker } from "#web/domain/group-picker.tsx";
import { roleLook } from "#web/domain/role-badge.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Select } from "#web/ui/form/select.tsx";

type Options = Pick<ImportOptions, "defaultRole" | "groups">;
type Props = { options: Options; onChange: (change: Partial<Options>) => void };

/** Role and groups for the whole file. */
export function OptionsForm({ options, onChange }: Props) {
  const [open, setOpen] = useState(false);
  const principal = usePrincipal();
  const offered = roles.filter((role) => !allowsMore(role, principal)).toReversed();
  return (
    <Disclosure title="Options" summary={optionsSentence(options)} open={open} onOpenChange={setOpen}>
      <div className="grid gap-4 px-3.5 py-3.5 sm:grid-cols-2">
        <Field label="Default role" hint="For new people with no role in the file.">
          {(wiring) => (
            <Select
              {...wiring}
              value={options.defaultRole}
              onChange={({ target: { value } }) => {
                const defaultRole = offered.find((role) => role === value);
                if (defaultRole) onChange({ defaultRole });
              }}
            >
              {offered.map((role) => (
                <option key={role} value={role}>
                  {roleLook[role].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Add everyone to groups">
          {(wiring) => (
            <GroupPicker
              {...wiring}
              value={options.groups}
              onChange={(chosen) => onChange({ groups: chosen })}
            />
          )}
        </Field>
      </div>
    </Disclosure>
  );
}
