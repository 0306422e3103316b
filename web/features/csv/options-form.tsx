import { UsersRound } from "lucide-react";
import { useState } from "react";
import { roles } from "#contract/auth.ts";
import { groups } from "#contract/groups.ts";
import { callList } from "#web/api/client.ts";
import { useUser } from "#web/api/session.ts";
import { Disclosure } from "#web/features/csv/disclosure.tsx";
import { optionsSentence } from "#web/features/csv/import-form.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Field } from "#web/ui/field.tsx";
import { MultiPicker, type PickerOption } from "#web/ui/multi-picker.tsx";
import { Select } from "#web/ui/select.tsx";
import type { Found } from "#web/ui/use-search.ts";

type Option = PickerOption & { group: { id: number; name: string } };

const roleNames = { tenant: "Tenant", staff: "Staff", admin: "Administrator" };

/** Only hand-picked groups: a rule decides who is in the others. */
async function searchGroups(q: string, signal: AbortSignal): Promise<Found<Option>> {
  const { rows, total } = await callList(groups.list, { query: { q, byHand: true } }, { signal });
  return {
    total,
    options: rows.map((group) => ({
      ...optionOf(group),
      detail: group.description,
      count: group.userCount,
    })),
  };
}

function optionOf({ id, name }: Option["group"]): Option {
  return { key: String(id), label: name, icon: <UsersRound aria-hidden />, group: { id, name } };
}

/** Role and groups for the whole file. */
export function OptionsForm({ importing }: { importing: Import }) {
  const { options, setOptions } = importing;
  const [open, setOpen] = useState(false);
  const admin = useUser()?.role === "admin";
  const offered = roles.filter((role) => admin || role !== "admin").toReversed();
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
                if (defaultRole) setOptions({ defaultRole });
              }}
            >
              {offered.map((role) => (
                <option key={role} value={role}>
                  {roleNames[role]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label="Add everyone to groups">
          {(wiring) => (
            <MultiPicker<Option>
              {...wiring}
              source="import groups"
              value={options.groups.map((group) => optionOf(group))}
              onChange={(chosen) => setOptions({ groups: chosen.map(({ group }) => group) })}
              search={searchGroups}
              placeholder="Search groups..."
              emptyText="No hand-picked groups available"
            />
          )}
        </Field>
      </div>
    </Disclosure>
  );
}
