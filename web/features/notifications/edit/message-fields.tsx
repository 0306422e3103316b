import { Controller, useWatch } from "react-hook-form";
import type { UseFormReturn } from "react-hook-form";
import type { Template } from "#contract/templates.ts";
import type { EditForm } from "#web/features/notifications/edit/edit-form.ts";
import { Field } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";
import { Segmented } from "#web/ui/segmented.tsx";
import { Select } from "#web/ui/select.tsx";
import { Textarea } from "#web/ui/textarea.tsx";

const kinds = [
  { value: "template", label: "Template" },
  { value: "custom", label: "Custom message" },
] as const;

type Props = {
  form: UseFormReturn<EditForm>;
  templates: readonly Template[];
  /** Fields of the message that nobody's record fills. */
  asked: readonly string[];
  disabled: boolean;
  /** The dialog starts at its first field. */
  start: boolean;
};

/** Title and message: a template's text, changed for this once or not, or own words. */
export function MessageFields({ form, templates, asked, disabled, start }: Props) {
  const { register, control, formState, setValue } = form;
  const { errors, isSubmitted } = formState;
  const [type, templateId] = useWatch({ control, name: ["messageType", "templateId"] });
  const choose = (id: string) => {
    setValue("templateId", id, { shouldDirty: true, shouldValidate: isSubmitted });
    const text = templates.find((one) => String(one.id) === id)?.content;
    if (text !== undefined) setValue("content", text, { shouldDirty: true, shouldValidate: isSubmitted });
  };
  return (
    <>
      <Field label="Title" required error={errors.title?.message}>
        {(wiring) => (
          <Input
            {...wiring}
            {...register("title")}
            autoComplete="off"
            disabled={disabled}
            // The dialog was opened to edit: its first field comes before the button that closes it.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus={start}
          />
        )}
      </Field>
      <Controller
        control={control}
        name="messageType"
        render={({ field }) => (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <span className="text-sm font-semibold">Message Type</span>
            <Segmented
              label="Message type"
              segments={kinds}
              value={field.value}
              disabled={disabled}
              onChange={(next) => {
                field.onChange(next);
                // What holds of the other kind, too, must not vanish with the switch.
                if (form.formState.isSubmitted) void form.trigger(["templateId", "content"]);
                else form.clearErrors(["templateId", "content"]);
              }}
            />
          </div>
        )}
      />
      {type === "template" && (
        <Field label="Template" required error={errors.templateId?.message}>
          {(wiring) => (
            <Select
              {...wiring}
              value={templateId}
              disabled={disabled}
              onChange={(event) => choose(event.target.value)}
            >
              <option value="">Select a template</option>
              {templates.map((one) => (
                <option key={one.id} value={String(one.id)}>
                  {one.name}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field
        label="Content"
        required
        error={errors.content?.message}
        hint={
          type === "template"
            ? "The template’s text; what you change here counts for this notification only."
            : undefined
        }
      >
        {(wiring) => <Textarea {...wiring} {...register("content")} rows={6} disabled={disabled} />}
      </Field>
      {asked.map((name) => (
        <Field
          key={name}
          label={label(name)}
          error={errors.fieldValues?.[name]?.message}
          hint={`Stands in the message where it says {{${name}}}`}
        >
          {(wiring) => (
            <Input {...wiring} {...register(`fieldValues.${name}`)} autoComplete="off" disabled={disabled} />
          )}
        </Field>
      ))}
    </>
  );
}

/** "due_date" → "Due date" */
function label(field: string): string {
  const words = field.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
