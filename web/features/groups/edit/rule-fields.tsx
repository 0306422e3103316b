import { useId } from "react";
import { useWatch, type UseFormReturn } from "react-hook-form";
import { roles } from "#contract/calls/auth.ts";
import { channels } from "#contract/delivery.ts";
import { users } from "#contract/calls/users.ts";
import { useReadList } from "#web/api/use-read.ts";
import type { GroupForm } from "#web/features/groups/edit/group-form.ts";
import { RuleDetails } from "#web/features/groups/edit/rule-details.tsx";
import { RuleFit } from "#web/features/groups/edit/rule-fit.tsx";
import { channelLook } from "#web/domain/channel.tsx";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { roleLook } from "#web/domain/role-badge.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";

type Props = { form: UseFormReturn<GroupForm> };

/** Everyone who matches all of this, evaluated again each time a message is sent. */
export function RuleFields({ form }: Props) {
  const { control, register, formState } = form;
  const { errors } = formState;
  const typed = useDebounced(useWatch({ control, name: "property" }), 150);
  const properties = useReadList(users.properties, { query: { q: typed } }).data?.rows ?? [];
  const listId = useId();
  return (
    <div className="flex flex-col gap-5">
      <fieldset className="min-w-0">
        <legend className="mb-1.5 text-sm font-semibold">Role</legend>
        <div className="flex flex-wrap gap-x-6 gap-y-2">
          {[...roles].reverse().map((role) => (
            <Checkbox key={role} {...register("roles")} value={role} label={roleLook[role].label} />
          ))}
        </div>
        <p className="mt-1.5 text-sm text-ink-3">If none is checked, any role matches.</p>
      </fieldset>
      <div className="grid gap-5 sm:grid-cols-6">
        <Field label="Property" error={errors.property?.message} className="sm:col-span-4">
          {(wiring) => (
            <>
              <Input
                {...wiring}
                {...register("property")}
                list={listId}
                autoComplete="off"
                placeholder="Any property"
              />
              <datalist id={listId}>
                {properties.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </datalist>
            </>
          )}
        </Field>
        <Field label="Building" error={errors.building?.message} className="sm:col-span-2">
          {(wiring) => (
            <Input {...wiring} {...register("building")} autoComplete="off" placeholder="Any building" />
          )}
        </Field>
        <Field
          label="Floors"
          error={errors.floors?.message}
          hint="Such as 1–3, 7. Floor 1 isn't 10."
          className="sm:col-span-2"
        >
          {(wiring) => (
            <Input {...wiring} {...register("floors")} autoComplete="off" placeholder="Any floor" />
          )}
        </Field>
        <Field
          label="Stacks"
          error={errors.stacks?.message}
          hint="Such as 04 for 104, 204 and 304."
          className="sm:col-span-2"
        >
          {(wiring) => (
            <Input {...wiring} {...register("stacks")} autoComplete="off" placeholder="Any stack" />
          )}
        </Field>
        <Field
          label="Unit"
          error={errors.unit?.message}
          hint="4* is every unit that begins with 4, 40 to 49 too."
          className="sm:col-span-2"
        >
          {(wiring) => <Input {...wiring} {...register("unit")} autoComplete="off" placeholder="Any unit" />}
        </Field>
        <Field label="Reachable by" error={errors.channel?.message} className="sm:col-span-2">
          {(wiring) => (
            <Select {...wiring} {...register("channel")}>
              <option value="">Any</option>
              {channels.map((channel) => (
                <option key={channel} value={channel}>
                  {channelLook[channel].label}
                </option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <RuleDetails form={form} />
      <RuleFit control={control} />
    </div>
  );
}
