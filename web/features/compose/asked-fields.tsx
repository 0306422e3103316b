import { fieldLabel } from "#web/features/compose/message-fields.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Field } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";

/** One input for each field of the message that nobody's record fills. */
export function AskedFields({ compose: { form, message, sending } }: { compose: Compose }) {
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
        >
          {(wiring) => (
            <Input
              {...wiring}
              {...form.register(`fieldValues.${field}`)}
              autoComplete="off"
              disabled={sending}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}
