import { useController } from "react-hook-form";
import { answerKind, fieldLabel } from "#web/features/compose/message-fields.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { DayWordsInput } from "#web/ui/date-picker.tsx";
import { Field } from "#web/ui/field.tsx";
import type { FieldWiring } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";
import { Textarea } from "#web/ui/textarea.tsx";

/** One input for each field of the message that nobody's record fills. */
export function AskedFields({ compose }: { compose: Compose }) {
  const { form, message } = compose;
  if (message.askedFields.length === 0) return null;
  return (
    <fieldset className="grid gap-x-3 gap-y-3 rounded-md bg-sunk p-3 sm:grid-cols-2">
      <legend className="sr-only">Fill in for this message</legend>
      <p aria-hidden className="text-sm text-ink-2 sm:col-span-2">
        Fill in for this message; everyone reads the same.
      </p>
      {message.askedFields.map((field) => (
        <Field
          key={field}
          label={fieldLabel(field)}
          required
          error={form.formState.errors.fieldValues?.[field]?.message}
          className={answerKind(field) === "text" ? "sm:col-span-2" : ""}
        >
          {(wiring) => <Answer compose={compose} field={field} wiring={wiring} />}
        </Field>
      ))}
    </fieldset>
  );
}

type AnswerProps = { compose: Compose; field: string; wiring: FieldWiring };

function Answer({ compose: { form, clock, sending }, field, wiring }: AnswerProps) {
  const { field: answer } = useController({
    control: form.control,
    name: `fieldValues.${field}`,
    defaultValue: "",
  });
  const common = { ...wiring, ...answer, disabled: sending };
  switch (answerKind(field)) {
    case "day":
      return <DayWordsInput {...common} today={clock?.read().today} />;
    case "text":
      return <Textarea {...common} rows={2} className="min-h-16!" />;
    case "line":
      return <Input {...common} autoComplete="off" />;
  }
}
