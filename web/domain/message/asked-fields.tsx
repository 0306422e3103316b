import { useController } from "react-hook-form";
import { isAskedField } from "#contract/text/message-fields.ts";
import { DayOfRun } from "#web/domain/message/day-of-run.tsx";
import { answerKind, fieldLabel, fileFields, inFieldNames, wordsAround } from "#web/domain/message/fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { FromFile } from "#web/domain/message/own-values/from-file.tsx";
import { DateTextInput } from "#web/ui/form/date-picker.tsx";
import { Field, type FieldWiring } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Textarea } from "#web/ui/form/textarea.tsx";

/** An input for each field that the sender fills in, and the file that has a value for each person instead. */
export function AskedFields() {
  const { form, askedFields, repeats, values, ...known } = useMessage();
  const fields = fileFields(values, known);
  const byFile = values.ownValues !== null || (fields.length > 0 && !repeats);
  if (askedFields.length === 0 && !byFile) return null;
  const isDayOfRun = (field: string) => repeats && answerKind(field) === "day";
  const about = aboutFields(askedFields.length > 0, repeats, values.ownValues !== null);
  // By its key, it stays the same wherever it stands.
  const file = byFile && <FromFile key="file" fields={fields} />;
  const asked = [
    about !== "" && (
      <p key="about" className="text-sm text-ink-2 sm:col-span-2">
        {about}
      </p>
    ),
    ...askedFields.map((field) => (
      <Field
        key={`field ${field}`}
        label={fieldLabel(field)}
        required={isAskedField(field)}
        hint={
          isAskedField(field)
            ? inItsSentence(field, wordsAround(field, values, known))
            : "Empty: each person's own"
        }
        error={form.formState.errors.fieldValues?.[field]?.message}
        group={isDayOfRun(field)}
        className={answerKind(field) === "text" || isDayOfRun(field) ? "sm:col-span-2" : ""}
      >
        {(wiring) =>
          isDayOfRun(field) ? (
            <DayOfRun field={field} wiring={wiring} />
          ) : (
            <Answer field={field} wiring={wiring} />
          )
        }
      </Field>
    )),
  ];
  return (
    <fieldset className="grid gap-x-3 gap-y-3 rounded-md bg-sunk p-3 sm:grid-cols-2">
      <legend className="sr-only">Message details</legend>
      {values.ownValues ? [file, ...asked] : [...asked, file]}
    </fieldset>
  );
}

function aboutFields(isAsked: boolean, repeats: boolean, hasFile: boolean): string {
  if (!isAsked) return hasFile ? "" : "These details are each person's own.";
  const same = "These details are the same for everyone.";
  return repeats ? `${same} Keep what differs as details of people.` : same;
}

/** What the answer completes: “[property name]: [what happened]. Please [what to do].” */
function inItsSentence(field: string, around: ReturnType<typeof wordsAround>) {
  if (!around) return null;
  const [before, after] = around;
  return (
    <>
      “{before}
      <strong className="font-semibold whitespace-nowrap text-ink-2">{inFieldNames(`{{${field}}}`)}</strong>
      {after}”
    </>
  );
}

function Answer({ field, wiring }: { field: string; wiring: FieldWiring }) {
  const { form, clock } = useMessage();
  const { field: answer } = useController({
    control: form.control,
    name: `fieldValues.${field}`,
    defaultValue: "",
  });
  const common = { ...wiring, ...answer };
  switch (answerKind(field)) {
    case "day":
      return <DateTextInput {...common} today={clock?.read().day} />;
    case "text":
      return <Textarea {...common} rows={2} className="min-h-16!" />;
    case "line":
      return <Input {...common} autoComplete="off" />;
  }
}
