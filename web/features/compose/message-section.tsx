import { Eye } from "lucide-react";
import { useState } from "react";
import { useController } from "react-hook-form";
import { AskedFields } from "#web/features/compose/asked-fields.tsx";
import { MessageEditor } from "#web/features/compose/message-editor.tsx";
import { PreviewDialog } from "#web/features/compose/preview-dialog.tsx";
import { SmsCost } from "#web/features/compose/sms-cost.tsx";
import { TemplatePicker } from "#web/features/compose/template-picker.tsx";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { Segmented } from "#web/ui/segmented.tsx";

const kinds = [
  { value: "template", label: "Template" },
  { value: "custom", label: "Custom message" },
] as const;

/** What is to be said: a template or own words, what it asks for, and how it will look. */
export function MessageSection({ compose }: { compose: Compose }) {
  const { form, sending, preview } = compose;
  const { control, formState, clearErrors, trigger, setValue, getValues } = form;
  const kind = useController({ control, name: "messageType" }).field;
  const templateId = useController({ control, name: "templateId" }).field;
  const text = useController({ control, name: "customMessage" }).field;
  const [previewing, setPreviewing] = useState(false);
  const { errors } = formState;
  const problem = preview.preview?.problem ?? undefined;
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

  return (
    <div className="flex flex-col gap-3">
      <Field
        label="Message"
        required
        error={errors.templateId?.message ?? errors.customMessage?.message ?? problem}
        aside={
          <Segmented
            label="Message type"
            segments={kinds}
            value={kind.value}
            disabled={sending}
            onChange={(value) => {
              kind.onChange(value);
              // What holds of the other kind, too, must not vanish with the switch.
              if (formState.isSubmitted) void trigger(["templateId", "customMessage"]);
              else clearErrors(["templateId", "customMessage"]);
            }}
          />
        }
      >
        {(wiring) =>
          kind.value === "template" ? (
            <TemplatePicker
              {...wiring}
              message={compose.message}
              value={templateId.value}
              disabled={sending}
              aside={previewButton}
              onChange={({ slug, id, name }) => {
                templateId.onChange(slug ?? String(id));
                if (getValues("title").trim() === "")
                  setValue("title", name, { shouldValidate: formState.isSubmitted });
              }}
            />
          ) : (
            <MessageEditor
              {...wiring}
              value={text.value}
              disabled={sending}
              onChange={(value) => {
                text.onChange(value);
                // The sentence for a missing message stands on the template's field, whichever is shown.
                if (formState.isSubmitted) void trigger("templateId");
              }}
              aside={previewButton}
            />
          )
        }
      </Field>
      <AskedFields compose={compose} />
      <SmsCost compose={compose} />
      {previewing && <PreviewDialog compose={compose} onClose={() => setPreviewing(false)} />}
    </div>
  );
}
