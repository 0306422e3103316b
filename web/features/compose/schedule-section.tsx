import { useController, useWatch } from "react-hook-form";
import type { NotificationForm } from "#contract/calls/notifications.ts";
import { NextRuns, useRunsPreview } from "#web/domain/message/next-runs.tsx";
import { PlannedTimeFields, RecurrenceFields } from "#web/domain/message/plan-fields.tsx";
import { repeatedAnswers } from "#web/domain/message/repeated-answers.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { daysAfter } from "#web/ui/form/calendar-day.ts";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { useShowOnChange } from "#web/ui/browser/use-show-on-change.ts";

const kinds = [
  { value: "immediate", label: "Send immediately" },
  { value: "later", label: "Schedule for later" },
  { value: "recurring", label: "Recurring" },
] as const;

/** When it is sent: now, at a time in the organization's zone, or on a recurring schedule. */
export function ScheduleSection({ compose }: { compose: Compose }) {
  const { form, message } = compose;
  const kind = useController({ control: form.control, name: "schedule" }).field;
  const section = useShowOnChange<HTMLDivElement>(kind.value);
  return (
    <div ref={section} className="flex scroll-my-3 flex-col gap-3">
      <Segmented
        label="Schedule"
        segments={kinds}
        value={kind.value}
        onChange={(value) => {
          kind.onChange(value);
          if (value === "later" && message.clock && form.getValues("scheduledDate") === "")
            form.setValue("scheduledDate", daysAfter(message.clock.read().day, 1));
          if (!form.formState.isSubmitted) form.clearErrors(["scheduledDate", "scheduledTime"]);
        }}
        className="self-start max-sm:self-stretch max-sm:[&_label]:px-1.5"
      />
      {kind.value === "later" && <PlannedTimeFields />}
      {kind.value === "recurring" && (
        <>
          <RecurrenceFields />
          <Runs compose={compose} />
        </>
      )}
    </div>
  );
}

/** A preview of the next runs. */
function Runs({ compose: { form, message } }: { compose: Compose }) {
  const values = useWatch({ control: form.control }) as NotificationForm;
  const { messageType, templateId, customMessage, recurrence, recurringDay, recurringTime } = values;
  const read = useRunsPreview({
    recurrence,
    ...(recurrence === "weekly" ? { dayOfWeek: recurringDay } : {}),
    ...(recurrence === "monthly" ? { dayOfMonth: recurringDay } : {}),
    time: recurringTime,
    name: values.title,
    ...(messageType === "template" && templateId !== "" ? { templateId: Number(templateId) } : {}),
    ...(messageType === "custom" ? { content: customMessage } : {}),
    fieldValues: repeatedAnswers(values, message.savedFields),
  });
  return <NextRuns read={read} shown={Object.keys(values.relativeDates)} />;
}
