import { Send } from "lucide-react";
import { useState } from "react";
import { useController } from "react-hook-form";
import { templateChannel, templates, templateTypes, type Template } from "#contract/calls/templates.ts";
import { call } from "#web/api/client.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead } from "#web/api/use-read.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { HighPriorityField } from "#web/domain/high-priority.tsx";
import { MessageEditor } from "#web/domain/message/message-editor.tsx";
import { costlyLetter } from "#web/domain/message/sms-cost.tsx";
import { OpeningDialog } from "#web/domain/save/opening-dialog.tsx";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { useRecentItem } from "#web/domain/recent-items.ts";
import { DynamicFields } from "#web/features/templates/edit/dynamic-fields.tsx";
import { LetterEditor } from "#web/domain/message/letter-editor.tsx";
import { SubjectInput } from "#web/features/templates/edit/subject-input.tsx";
import {
  fieldsIn,
  useTemplateForm,
  withoutField,
  type TemplateForm,
} from "#web/features/templates/edit/template-form.ts";
import { TemplatePreview, useTemplatePreview } from "#web/features/templates/edit/template-preview.tsx";
import { UsesNote } from "#web/features/templates/edit/uses-note.tsx";
import { Versions } from "#web/features/templates/edit/versions.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

export type TemplateDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Undefined for a new template. */
  templateId: number | undefined;
};

/** "New Template" and "Edit Template". Loaded on first use, and remounted each time it opens. */
export default function TemplateDialog({ templateId, ...props }: TemplateDialogProps) {
  return templateId === undefined ? (
    <Editor {...props} template={undefined} />
  ) : (
    <EditDialog {...props} templateId={templateId} />
  );
}

type EditProps = Omit<TemplateDialogProps, "templateId"> & { templateId: number };

function EditDialog({ templateId, ...props }: EditProps) {
  const read = useRead(templates.read, { params: { id: templateId } }, { fresh: true });
  useRecentItem("template", templateId, read.data?.name);
  return (
    <OpeningDialog {...props} title="Edit Template" what="this template" read={read}>
      {(template) => <Editor {...props} template={template} />}
    </OpeningDialog>
  );
}

type EditorProps = Omit<TemplateDialogProps, "templateId"> & { template: Template | undefined };

function Editor({ open, onOpenChange, template: opened }: EditorProps) {
  const {
    form,
    saving,
    stored: template,
  } = useTemplateForm({
    template: opened,
    onSaved: () => onOpenChange(false),
  });
  const { errors } = form.formState;
  const values = form.watch();
  const shown = useTemplatePreview(values);
  const [plain, setPlain] = useState(false);
  const type = useController({ control: form.control, name: "type" }).field;
  const content = useController({ control: form.control, name: "content" }).field;
  const subject = useController({ control: form.control, name: "subject" }).field;
  const set = (name: keyof TemplateForm, value: string | string[]) =>
    form.setValue(name, value, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const used = fieldsIn(`${values.type === "Email" ? values.subject : ""}\n${values.content}`);
  const isEmail = values.type === "Email";

  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={template ? "Edit Template" : "New Template"}
      description={
        template
          ? "Changes apply to future messages. Messages already sent stay as they were."
          : "A message you write once and send whenever you need it."
      }
      saving={saving}
      label={template ? "Save Template" : "Create Template"}
      what="this template"
      aside={
        <SendTest
          values={values}
          samples={shown.samples}
          onRefused={(field, text) => form.setError(field, { message: text })}
        />
      }
      beside={
        <div className="flex flex-col gap-6">
          <TemplatePreview values={values} shown={shown} onPlain={(text) => set("content", text)} />
          {template && (
            <Versions
              template={template}
              now={values}
              onRestore={({ name, type: kind, subject: line, content: text, dynamicFields }) => {
                set("name", name);
                set("type", kind);
                set("subject", line);
                set("content", text);
                const own = new Set(fieldsIn(`${line}\n${text}`));
                set(
                  "dynamicFields",
                  dynamicFields.filter((field) => !own.has(field)),
                );
              }}
            />
          )}
        </div>
      }
    >
      <div className="grid gap-5 sm:grid-cols-[1fr_min-content]">
        <Field label="Template name" required error={errors.name?.message}>
          {(wiring) => <Input {...wiring} {...form.register("name")} autoComplete="off" data-autofocus />}
        </Field>
        <Field label="Type" group error={errors.type?.message}>
          {() => (
            <Segmented
              label="Type"
              segments={templateTypes.map((value) => {
                const { Icon } = channelLook[templateChannel[value]];
                return {
                  value,
                  label: (
                    <span className="flex items-center gap-1.5 [&_svg]:size-4">
                      <Icon aria-hidden />
                      {value}
                    </span>
                  ),
                };
              })}
              value={type.value}
              onChange={type.onChange}
            />
          )}
        </Field>
      </div>
      {isEmail && (
        <Field
          label="Subject"
          hint="Leave blank to use the default email subject from Settings."
          error={errors.subject?.message}
        >
          {(wiring) => <SubjectInput {...wiring} value={subject.value} onChange={subject.onChange} />}
        </Field>
      )}
      <Field label="Content" required group={isEmail && !plain} error={errors.content?.message}>
        {(wiring) =>
          isEmail && !plain ? (
            <LetterEditor
              {...wiring}
              value={content.value}
              onChange={content.onChange}
              aside={
                <Button variant="ghost" size="sm" onClick={() => setPlain(true)}>
                  Plain text
                </Button>
              }
            />
          ) : (
            <MessageEditor
              {...wiring}
              value={content.value}
              marked={costlyLetter(shown.preview?.sms)}
              onChange={content.onChange}
              aside={
                isEmail && (
                  <Button variant="ghost" size="sm" onClick={() => setPlain(false)}>
                    Formatted
                  </Button>
                )
              }
            />
          )
        }
      </Field>
      <DynamicFields
        used={used}
        added={values.dynamicFields}
        onAdd={(field) => set("dynamicFields", [...values.dynamicFields, field])}
        onRemove={(field) => {
          set(
            "dynamicFields",
            values.dynamicFields.filter((one) => one !== field),
          );
          if (!used.includes(field)) return;
          set("content", withoutField(values.content, field));
          set("subject", withoutField(values.subject, field));
        }}
      />
      <HighPriorityField
        checked={values.class === "emergency"}
        onChange={(on) =>
          set("class", on ? "emergency" : template?.class === "transactional" ? "transactional" : "general")
        }
      />
      {template && <UsesNote template={template} fields={used} />}
    </SaveDialog>
  );
}

type SendTestProps = {
  values: TemplateForm;
  samples: Record<string, string>;
  onRefused: (field: keyof TemplateForm, sentence: string) => void;
};

/** Sends the current text, saved or not, to the person who is editing it. */
function SendTest({ values: { type, subject, content }, samples, onRefused }: SendTestProps) {
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const { message } = await call(templates.sendTest, {
        body: { type, subject, content, fieldValues: samples },
      });
      toast({ title: "Test Sent", description: message });
    } catch (error) {
      const reason = reasonOf(error);
      toast({ title: "Error Sending Test", description: reason, variant: "destructive" });
      if (!(error instanceof ApiError)) return;
      for (const field of ["subject", "content", "type"] as const) {
        const sentence = error.fields[field];
        if (sentence) onRefused(field, sentence);
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      icon={<Send aria-hidden />}
      busy={busy}
      disabled={content.trim() === ""}
      onClick={() => void send()}
    >
      Send a test to me
    </Button>
  );
}
