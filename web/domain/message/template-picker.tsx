import type { ReactNode } from "react";
import type { Template } from "#contract/templates.ts";
import { FieldText } from "#web/domain/message/field-text.tsx";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { Button } from "#web/ui/button.tsx";
import type { FieldWiring } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

type Props = FieldWiring & {
  value: string;
  onChange: (template: Template) => void;
  /** At the right end of the bar below the text. Without it, the text stands elsewhere. */
  aside?: ReactNode;
};

/** A template by its name, and below it the very text that it sends. */
export function TemplatePicker({ value, onChange, aside, ...wiring }: Props) {
  const { templates, templatesRead, template } = useMessage();
  if (templatesRead.loading) return <Skeleton className="h-9" />;
  if (templatesRead.failed) {
    return (
      <p role="alert" className="flex items-center gap-3 text-sm text-bad">
        We couldn’t load the templates.
        <Button size="sm" onClick={templatesRead.retry}>
          Retry
        </Button>
      </p>
    );
  }
  // A template that is gone stays visible as what it is: nothing to choose.
  const shown = template ? String(template.id) : "";
  return (
    <div className="flex flex-col gap-2">
      <Select
        {...wiring}
        value={shown}
        onChange={(event) => {
          const chosen = templates.find((one) => String(one.id) === event.target.value);
          if (chosen) onChange(chosen);
        }}
      >
        <option value="" disabled>
          {value !== "" && !template ? "This template was deleted. Choose another" : "Choose a template"}
        </option>
        {templates.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      {template && aside && (
        <div className="rounded-md border border-line bg-paper">
          <section
            aria-label="Text of the template"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
            tabIndex={0}
            className="overflow-y-auto px-3 py-2.5 text-sm leading-6 break-words whitespace-pre-wrap md:max-h-60"
          >
            {template.subject && (
              <p className="mb-1.5 border-b border-line pb-1.5 font-semibold">
                <span className="font-normal text-ink-3">Email subject: </span>
                <FieldText text={template.subject} />
              </p>
            )}
            <FieldText text={template.content} />
          </section>
          <div className="flex justify-end border-t border-line p-1">{aside}</div>
        </div>
      )}
    </div>
  );
}
