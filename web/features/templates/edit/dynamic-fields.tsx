import { X } from "lucide-react";
import { useRef, useState } from "react";
import { isAskedField } from "#contract/text/message-fields.ts";
import { fieldName } from "#contract/calls/templates.ts";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { FieldError } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";

type Props = {
  /** Found in the text. */
  used: readonly string[];
  /** Added by hand. */
  added: readonly string[];
  onAdd: (field: string) => void;
  onRemove: (field: string) => void;
};

/** The template's fields: those filled in automatically, and those filled in when sending. */
export function DynamicFields({ used, added, onAdd, onRemove }: Props) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const fields = [...new Set([...used, ...added])];
  const add = () => {
    const name = fieldName.safeParse(text.trim().replaceAll(/[\s-]+/g, "_"));
    if (text.trim() === "") return;
    if (!name.success) return setProblem("A field name can have letters, digits and underscores");
    if (!fields.includes(name.data)) onAdd(name.data);
    setText("");
    return setProblem(undefined);
  };
  const rows = [
    { label: "Filled in automatically", fields: fields.filter((field) => !isAskedField(field)) },
    { label: "Filled in when sending", fields: fields.filter((field) => isAskedField(field)) },
  ].filter((row) => row.fields.length > 0);
  return (
    <section aria-labelledby="dynamic-fields" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="dynamic-fields" className="text-sm font-semibold">
          Dynamic fields
        </h3>
        <div className="flex gap-2 max-sm:w-full">
          <Input
            ref={input}
            aria-label="Add a field"
            placeholder="Add a field"
            autoComplete="off"
            className="sm:w-44"
            value={text}
            aria-invalid={problem ? true : undefined}
            onChange={(event) => {
              setText(event.target.value);
              setProblem(undefined);
            }}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              // Enter must not submit the form.
              event.preventDefault();
              add();
            }}
          />
          <Button onClick={add} disabled={text.trim() === ""}>
            Add
          </Button>
        </div>
      </div>
      <FieldError message={problem} />
      {rows.length === 0 ? (
        <p className="text-sm text-ink-3">
          Fields in the text, such as {"{{first_name}}"}, are listed here automatically.
        </p>
      ) : (
        <dl className="grid gap-x-4 gap-y-2.5 rounded-md border border-line p-3 text-sm sm:grid-cols-[auto_1fr]">
          {rows.map((row) => (
            <div key={row.label} className="contents">
              <dt className="pt-1 text-ink-2">{row.label}</dt>
              <dd className="flex flex-wrap gap-1.5">
                {row.fields.map((field) => (
                  <span
                    key={field}
                    className={cx(
                      "field-chip inline-flex items-center gap-1",
                      isAskedField(field) && "field-chip-asked",
                    )}
                  >
                    {field.replaceAll("_", " ")}
                    <button
                      type="button"
                      aria-label={`Remove ${field.replaceAll("_", " ")}${used.includes(field) ? " from the text" : ""}`}
                      onClick={() => {
                        onRemove(field);
                        // The button goes, and its focus would be lost with it.
                        input.current?.focus();
                      }}
                      className="grid size-6 place-items-center rounded-sm hover:bg-hover [&_svg]:size-3"
                    >
                      <X aria-hidden />
                    </button>
                  </span>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
