import { Eye } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { NotificationForm } from "#contract/notifications.ts";
import { emptyForm } from "#web/features/compose/form.ts";
import { PreviewDialog } from "#web/features/compose/preview-dialog.tsx";
import { ReachPanel } from "#web/features/compose/reach-panel.tsx";
import type { RulesContext } from "#web/features/compose/rules.ts";
import { SmsCost } from "#web/features/compose/sms-cost.tsx";
import { usePreview } from "#web/features/compose/use-preview.ts";
import { useReach } from "#web/features/compose/use-reach.ts";
import { Button } from "#web/ui/button.tsx";

type Props = Pick<NotificationForm, "title" | "recipients" | "channels" | "fieldValues" | "attachments"> & {
  content: string;
};

/** Of a message that is written in another form: who gets it, what its text messages cost, and how it arrives. */
export function MessageTruth({ content, ...words }: Props) {
  const [previewing, setPreviewing] = useState(false);
  const { control, ...form } = useForm<NotificationForm, RulesContext, NotificationForm>({
    values: { ...emptyForm, ...words, customMessage: content },
  });
  const told = {
    form: { control, ...form },
    reach: useReach(control, []),
    preview: usePreview(control),
    sending: false,
  };
  return (
    <div className="flex flex-col gap-3">
      <ReachPanel compose={told} />
      <SmsCost compose={told} mend={false} />
      <div>
        <Button
          size="sm"
          icon={<Eye aria-hidden />}
          disabled={!told.preview.written}
          onClick={() => setPreviewing(true)}
        >
          Preview
        </Button>
      </div>
      {previewing && <PreviewDialog compose={told} onClose={() => setPreviewing(false)} />}
    </div>
  );
}
