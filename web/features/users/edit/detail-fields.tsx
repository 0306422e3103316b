import { useController } from "react-hook-form";
import { detailExample } from "#contract/text/person-details.ts";
import { type Detail, personDetails } from "#contract/text/kept-details.ts";
import type { SectionProps } from "#web/features/users/edit/user-fields.tsx";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";

/** What else the organization keeps of each person; nothing if that is nothing. */
export function DetailFields({ form }: SectionProps) {
  const details = personDetails();
  if (details.length === 0) return null;
  return (
    <fieldset className="grid min-w-0 gap-5 sm:grid-cols-2">
      <legend className="sr-only">Details</legend>
      {details.map((detail) => (
        <DetailField key={detail.id} form={form} detail={detail} />
      ))}
    </fieldset>
  );
}

function DetailField({
  form,
  detail: { field, label, kind },
}: Pick<SectionProps, "form"> & { detail: Detail }) {
  const { field: input } = useController({
    control: form.control,
    name: `details.${field}`,
    defaultValue: "",
  });
  return (
    <Field label={<bdi translate="no">{label}</bdi>} error={form.formState.errors.details?.[field]?.message}>
      {(wiring) =>
        kind === "date" ? (
          <DatePicker {...wiring} value={input.value ?? ""} onChange={input.onChange} />
        ) : (
          <Input
            {...wiring}
            {...input}
            value={input.value ?? ""}
            autoComplete="off"
            dir="auto"
            {...(kind !== "text" && { inputMode: "decimal", placeholder: detailExample(kind) })}
          />
        )
      }
    </Field>
  );
}
