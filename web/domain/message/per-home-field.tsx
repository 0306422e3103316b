import { useController } from "react-hook-form";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { Switch } from "#web/ui/form/switch.tsx";

/** Whether each home gets one message. People who were chosen one by one are meant themselves. */
export function PerHomeField() {
  const { form, template, values } = useMessage();
  const { field } = useController({ control: form.control, name: "perHome" });
  if (!field.value && values.recipients.every(({ type }) => type === "user")) return null;
  const emergency = values.highPriority ?? template?.class === "emergency";
  return (
    <Switch
      label="One message per home"
      hint={
        emergency
          ? "In an emergency, leave this off so that each person gets it."
          : "One person in each home gets it, a leaseholder first."
      }
      checked={field.value}
      onChange={(event) => field.onChange(event.target.checked)}
      onBlur={field.onBlur}
    />
  );
}
