import { zodResolver } from "@hookform/resolvers/zod";
import { Plus } from "lucide-react";
import { useWatch } from "react-hook-form";
import type * as z from "zod";
import { details, newDetailBody } from "#contract/calls/details.ts";
import { isolated } from "#contract/text/isolate.ts";
import { detailField } from "#contract/text/person-details.ts";
import { detailKinds } from "#contract/text/kept-details.ts";
import { call } from "#web/api/client.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import { kindLabels, refreshes } from "#web/features/users/details/kinds.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";
import { Button } from "#web/ui/page/button.tsx";

type Fields = z.output<typeof newDetailBody>;
const empty: Fields = { label: "", kind: "text" };

const hints: Record<Fields["kind"], string> = {
  text: "Such as a storage number.",
  number: "Such as a meter reading.",
  amount: "In your country's currency.",
  date: "Such as the end of a lease.",
};

export function AddDetail() {
  const form = useCheckedForm<Fields>({ resolver: zodResolver(newDetailBody), defaultValues: empty });
  const { errors } = form.formState;
  const [label, kind] = useWatch({ control: form.control, name: ["label", "kind"] });
  const saving = useSave({
    form,
    refreshes,
    save: (body) => call(details.create, { body }),
    saved: (made) => ({
      title: "Detail added",
      description: `“${isolated(made.label)}” is in each person's form, and {{${made.field}}} in messages.`,
    }),
    failed: (description) => ({ title: "The detail was not added", description }),
    fieldsOnly: true,
    onSaved: () => form.reset(empty),
  });
  const field = detailField(label);
  return (
    <form {...saving.form} className="grid items-start gap-x-3 gap-y-4 sm:grid-cols-[1fr_11rem_auto]">
      <Field
        label="New detail"
        hint={field ? `{{${field}}} in messages` : "Its name, such as Balance"}
        error={errors.label?.message}
      >
        {(wiring) => <Input {...wiring} {...form.register("label")} autoComplete="off" />}
      </Field>
      <Field label="Kind" hint={hints[kind]} error={errors.kind?.message}>
        {(wiring) => (
          <Select {...wiring} {...form.register("kind")}>
            {detailKinds.map((one) => (
              <option key={one} value={one}>
                {kindLabels[one]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Button type="submit" className="sm:mt-6.5" icon={<Plus aria-hidden />} busy={saving.saving}>
        Add
      </Button>
    </form>
  );
}
