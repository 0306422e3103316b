import { useController } from "react-hook-form";
import type { MessageClass } from "#contract/delivery.ts";
import { HighPriorityField } from "#web/domain/high-priority.tsx";
import { useMessage } from "#web/domain/message/message-form.tsx";

/** Whether the message is an emergency. Until someone decides, it is what its source says, by default its template. */
export function PrioritySection({ source }: { source?: MessageClass | undefined }) {
  const { form, template } = useMessage();
  const { field } = useController({ control: form.control, name: "highPriority" });
  return (
    <HighPriorityField
      checked={field.value ?? (template?.class ?? source) === "emergency"}
      onChange={field.onChange}
    />
  );
}
