import { Eye } from "lucide-react";
import { useState } from "react";
import { useController } from "react-hook-form";
import { isolated } from "#contract/text/isolate.ts";
import { channels, type Channel } from "#contract/delivery.ts";
import { shell } from "#contract/calls/shell.ts";
import { templateChannel, type Template } from "#contract/calls/templates.ts";
import { useRead } from "#web/api/use-read.ts";
import { AskedFields } from "#web/domain/message/asked-fields.tsx";
import { CustomEditor } from "#web/domain/message/custom-editor.tsx";
import { MessageEditor } from "#web/domain/message/message-editor.tsx";
import { inFieldNames, templateSubject } from "#web/domain/message/fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { PreviewDialog } from "#web/domain/message/preview-dialog.tsx";
import { costlyLetter, SmsCost } from "#web/domain/message/sms-cost.tsx";
import { TemplatePicker } from "#web/domain/message/template-picker.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Field, type FieldWiring } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";

const kinds = [
  { value: "template", label: "Template" },
  { value: "custom", label: "Custom message" },
] as const;

/** `first`: the dialog starts here. */
export function TitleField({ first = true }: { first?: boolean }) {
  const { form, values, ...known } = useMessage();
  const subject = templateSubject(values, known);
  return (
    <Field
      label="Title"
      required
      hint={
        subject &&
        `Used in your list and for push notifications. The subject of emails is “${isolated(inFieldNames(subject))}”.`
      }
      error={form.formState.errors.title?.message}
    >
      {(wiring) => (
        <Input
          {...wiring}
          {...form.register("title")}
          autoComplete="off"
          data-autofocus={first || undefined}
        />
      )}
    </Field>
  );
}

/** The message: a template or custom text, the fields it asks for, and its preview. */
export function MessageSection() {
  const { form, preview, template, ownText } = useMessage();
  const { control, formState, clearErrors, setValue, getValues } = form;
  const kind = useController({ control, name: "messageType" }).field;
  const templateId = useController({ control, name: "templateId" }).field;
  const text = useController({ control, name: "customMessage" }).field;
  const formatted = useController({ control, name: "formatted" }).field;
  const [previewing, setPreviewing] = useState(false);
  const { errors, isSubmitted } = formState;
  const turnedOn: readonly Channel[] = useRead(shell.state).data?.channels ?? channels;
  const byTemplate = kind.value === "template";
  const problem = errors.customMessage?.message ?? preview.preview?.problem ?? undefined;

  const choose = ({ id, name, type, subject, content, version, class: urgency }: Template) => {
    const set = { shouldDirty: true, shouldValidate: isSubmitted };
    // A title that was only ever a template's name was not typed by anyone.
    if (["", template?.name].includes(getValues("title").trim())) setValue("title", name, set);
    if (ownText) {
      setValue("customMessage", content, set);
      setValue("ownTemplate", { subject, formatted: type === "Email", version }, set);
    }
    setValue("highPriority", null, set);
    const own = templateChannel[type];
    if (urgency === "emergency" && turnedOn.includes(own)) {
      const ticked = getValues("channels");
      setValue(
        "channels",
        channels.filter((channel) => channel === own || ticked.includes(channel)),
        set,
      );
    }
    templateId.onChange(String(id));
  };
  const previewButton = (
    <Button
      variant="ghost"
      size="sm"
      icon={<Eye aria-hidden />}
      disabled={!preview.written}
      onClick={() => setPreviewing(true)}
    >
      Preview
    </Button>
  );
  const custom = (wiring: FieldWiring) =>
    formatted.value === undefined ? (
      editor(wiring)
    ) : (
      <CustomEditor
        {...wiring}
        value={text.value}
        formatted={formatted.value}
        onChange={(written, as) => {
          text.onChange(written);
          formatted.onChange(as);
        }}
        marked={costlyLetter(preview.preview?.sms)}
        aside={previewButton}
      />
    );
  const editor = (wiring: FieldWiring) => (
    <MessageEditor
      {...wiring}
      value={text.value}
      marked={costlyLetter(preview.preview?.sms)}
      onChange={text.onChange}
      aside={previewButton}
    />
  );

  return (
    <div className="flex flex-col gap-3">
      <Field
        label={!ownText ? "Message" : byTemplate ? "Template" : "Content"}
        required
        group={!byTemplate && formatted.value === true}
        error={errors.templateId?.message ?? (byTemplate && ownText ? undefined : problem)}
        aside={
          <Segmented
            label="Message type"
            segments={kinds}
            value={kind.value}
            onChange={(value) => {
              kind.onChange(value);
              // Values that also apply to the other kind must not vanish when switching.
              if (!isSubmitted) clearErrors(["templateId", "customMessage"]);
            }}
          />
        }
      >
        {(wiring) =>
          byTemplate ? (
            <TemplatePicker
              {...wiring}
              value={templateId.value}
              onChange={choose}
              aside={ownText ? undefined : previewButton}
            />
          ) : (
            custom(wiring)
          )
        }
      </Field>
      {byTemplate && ownText && (
        <Field label="Content" required error={problem} hint="Changes here apply to this notification only.">
          {editor}
        </Field>
      )}
      <AskedFields />
      <SmsCost />
      {previewing && <PreviewDialog onClose={() => setPreviewing(false)} />}
    </div>
  );
}
