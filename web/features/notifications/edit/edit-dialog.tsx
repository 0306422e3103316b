import { Trash2 } from "lucide-react";
import { useEffect, useRef } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import type { MessageForm, NotificationDetail } from "#contract/calls/notifications.ts";
import { AlreadySent } from "#web/domain/message/already-sent.tsx";
import { AttachmentsSection } from "#web/domain/message/attachments-section.tsx";
import { ChannelsSection } from "#web/domain/message/channels-section.tsx";
import { MessageProvider } from "#web/domain/message/message-form.tsx";
import { MessageSection, TitleField } from "#web/domain/message/message-section.tsx";
import { PlannedTimeFields } from "#web/domain/message/plan-fields.tsx";
import { NewDatesNote } from "#web/domain/message/new-dates-note.tsx";
import { PrioritySection } from "#web/domain/message/priority-section.tsx";
import { SendTest } from "#web/domain/message/send-test.tsx";
import { ReachPanel } from "#web/domain/message/reach-panel.tsx";
import { RecipientsSection } from "#web/domain/message/recipients-section.tsx";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import type { EditForm } from "#web/features/notifications/edit/edit-form.ts";
import { canChange, writtenOf } from "#web/domain/message/values.ts";
import { GoneOut } from "#web/features/notifications/edit/gone-out.tsx";
import { useEdit } from "#web/features/notifications/edit/use-edit.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Select } from "#web/ui/form/select.tsx";

export type EditDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its current state. */
  notification: NotificationDetail;
  /** Where the dialog starts. */
  start: "title" | "schedule";
  /** Asks whether to delete this draft. */
  onDelete: () => void;
  /** Opens the create dialog with this in it; `typed` says that some of it was just typed. */
  onCopy: (message: MessageForm, typed: boolean) => void;
};

/** "Edit Notification". Loaded on first use, and remounted each time it opens. */
export default function EditDialog(props: EditDialogProps) {
  const { open, onOpenChange, notification, start, onDelete, onCopy } = props;
  const onClose = () => onOpenChange(false);
  const { form, message, saving, typed, ...edit } = useEdit({ notification, onSaved: onClose });
  const [status, scheduledDate] = useWatch({ control: form.control, name: ["status", "scheduledDate"] });
  const goesOut = (status === "Scheduled" && scheduledDate) || undefined;
  const current = saving.newer ?? notification;
  if (!canChange(current)) {
    return (
      <GoneOut
        notification={current}
        typed={form.formState.isDirty}
        onClose={onClose}
        onCopy={() => onCopy(typed(), form.formState.isDirty)}
      />
    );
  }
  return (
    <MessageProvider form={form} message={message} busy={saving.saving}>
      <SaveDialog
        open={open}
        onOpenChange={onOpenChange}
        title="Edit Notification"
        description={
          notification.status === "Recurring"
            ? "Changes apply from the next run on. When it repeats is set in its schedule."
            : "It hasn't gone out yet, so you can still change everything."
        }
        saving={saving}
        label="Save Changes"
        what="this notification"
        aside={
          notification.status === "Draft" && (
            <Button variant="ghost" icon={<Trash2 aria-hidden />} onClick={onDelete}>
              Delete
            </Button>
          )
        }
      >
        <TitleField first={start === "title"} />
        <MessageSection />
        {notification.status !== "Recurring" && (
          <NewDatesNote written={writtenOf(notification)} goesOut={goesOut} />
        )}
        <RecipientsSection goesOut={goesOut} />
        <ChannelsSection label="Type" named="label" />
        <ReachPanel />
        <SendTest />
        <PrioritySection source={notification.class} />
        <StatusFields recurs={notification.status === "Recurring"} start={start === "schedule"} />
        <AttachmentsSection />
        <AlreadySent
          twice={edit.twice}
          busy={saving.saving}
          onAgain={() => void edit.saveAgain()}
          onCancel={edit.forgetTwice}
        />
      </SaveDialog>
    </MessageProvider>
  );
}

type StatusProps = {
  /** It has a recurrence rule, which stays as it is. */
  recurs: boolean;
  /** The dialog starts here. */
  start: boolean;
};

/** Draft or planned, and when. */
function StatusFields({ recurs, start }: StatusProps) {
  const { register, getValues, formState } = useFormContext<EditForm>();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (start) place.current?.scrollIntoView({ block: "start" });
  }, [start]);
  return (
    <div ref={place} className="flex scroll-mt-2 flex-col gap-3">
      <Field label="Status" error={formState.errors.status?.message}>
        {(wiring) => (
          <Select {...wiring} {...register("status")} data-autofocus={start || undefined}>
            <option value="Draft">Draft</option>
            <option value="Scheduled">Scheduled</option>
            {recurs && <option value="Recurring">Recurring</option>}
          </Select>
        )}
      </Field>
      {getValues("status") === "Scheduled" && <PlannedTimeFields />}
    </div>
  );
}
