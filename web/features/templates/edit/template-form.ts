import { zodResolver } from "@hookform/resolvers/zod";
import { useState } from "react";
import { isolated } from "#contract/text/isolate.ts";
import type { BodyIn } from "#contract/endpoint.ts";
import type { MessageClass } from "#contract/delivery.ts";
import { piecesOf } from "#contract/text/message-fields.ts";
import { templateBody, templates, type Template, type TemplateType } from "#contract/calls/templates.ts";
import { call } from "#web/api/client.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

export type TemplateForm = {
  name: string;
  type: TemplateType;
  subject: string;
  content: string;
  class: MessageClass;
  /** Fields added by hand. Those in the text are found there. */
  dynamicFields: string[];
};

function formOf(template: Template | undefined): TemplateForm {
  if (!template)
    return { name: "", type: "Email", subject: "", content: "", class: "general", dynamicFields: [] };
  const { name, type, subject, content, class: urgency, dynamicFields } = template;
  const used = new Set(fieldsIn(`${subject}\n${content}`));
  const added = dynamicFields.filter((field) => !used.has(field));
  return { name, type, subject, content, class: urgency, dynamicFields: added };
}

/** The fields of unfinished text, each once, in order of appearance. */
export function fieldsIn(text: string): string[] {
  return [...new Set(piecesOf(text).flatMap(({ field }) => field ?? []))];
}

/** The text without this field. The text around it stays. */
export function withoutField(text: string, field: string): string {
  return piecesOf(text)
    .filter((piece) => piece.field !== field)
    .map(({ raw }) => raw)
    .join("");
}

type Options = {
  template: Template | undefined;
  onSaved: () => void;
};

/** The form of an open editor, and saving it. */
export function useTemplateForm({ template, onSaved }: Options) {
  const [stored, setStored] = useState(template);
  const form = useCheckedForm<TemplateForm>({
    defaultValues: formOf(template),
    resolver: zodResolver(templateBody) as never,
  });
  const saving = useSave({
    form,
    refreshes: [templates.list, templates.versions, templates.read],
    save: (filled) => {
      const body: BodyIn<typeof templates.create> = filled;
      return stored
        ? call(templates.update, {
            params: { id: stored.id },
            body: { ...body, updatedAt: stored.updatedAt },
          })
        : call(templates.create, { body });
    },
    saved: ({ name }) => ({
      title: stored ? "Template Updated" : "Template Created",
      description: `“${isolated(name)}” was saved.`,
    }),
    failed: (reason) => ({
      title: "Error",
      description: `Failed to ${stored ? "update" : "create"} template: ${reason}`,
    }),
    onSaved,
    versions: {
      stored,
      setStored,
      read: ({ id }) => call(templates.read, { params: { id } }),
      formOf,
    },
  });
  return { form, saving, stored };
}
