import { useController } from "react-hook-form";
import type { ValuesSummary } from "#contract/calls/notification-fields.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { everyoneIn, withFile } from "#web/domain/message/own-values/recipients.ts";

/** The file with a value for each person, as the form has it. */
export function useOwnValues() {
  const { form } = useMessage();
  const { field, fieldState } = useController({ control: form.control, name: "ownValues" });
  const set = (next: ValuesSummary | null) => {
    form.clearErrors(["ownValues", "fieldValues"]);
    field.onChange(next);
    const before = form.getValues("recipients");
    if (!before.some(({ type }) => type === "file")) return;
    form.setValue("recipients", withFile(before, next), { shouldDirty: true });
  };
  /** What the file has by now, if it is still the message's. */
  const update = (now: ValuesSummary) => {
    if (form.getValues("ownValues")?.id === now.id) set(now);
  };
  return {
    file: field.value,
    error: fieldState.error?.message,
    set,
    update,
    /** The message goes to everyone in the file. */
    sendToAll: (file: ValuesSummary) => {
      form.setValue("recipients", [everyoneIn(file)], { shouldDirty: true });
      form.clearErrors("recipients");
    },
  };
}
