import { useId } from "react";
import type { ComponentType } from "react";
import type { NotificationDetail } from "#contract/notifications.ts";
import { AttachmentsField } from "#web/features/notifications/edit/attachments-field.tsx";
import { canChange } from "#web/features/notifications/edit/edit-form.ts";
import type { EditForm } from "#web/features/notifications/edit/edit-form.ts";
import { GoneOut } from "#web/features/notifications/edit/gone-out.tsx";
import { MessageFields } from "#web/features/notifications/edit/message-fields.tsx";
import { PlanFields } from "#web/features/notifications/edit/plan-fields.tsx";
import { useEdit } from "#web/features/notifications/edit/use-edit.ts";
import { WhoFields } from "#web/features/notifications/edit/who-fields.tsx";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { StaleNotice } from "#web/ui/stale-notice.tsx";

/** Shows who gets the message and how it arrives; the create dialog's own, which a page lends. */
export type Truth = ComponentType<
  Pick<EditForm, "title" | "content" | "recipients" | "channels" | "fieldValues" | "attachments">
>;

export type EditDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** As it stands now. */
  notification: NotificationDetail;
  /** Where the dialog starts. */
  start: "title" | "schedule";
  Truth: Truth;
  /** Opens the create dialog with this in it; `typed` says that somebody has just typed something of it. */
  onCopy: (notification: NotificationDetail, typed: boolean) => void;
};

/** "Edit Notification". A page fetches and lends it; mounted anew with each opening. */
export default function EditDialog({
  open,
  onOpenChange,
  notification,
  start,
  Truth,
  onCopy,
}: EditDialogProps) {
  const onClose = () => onOpenChange(false);
  const formId = useId();
  const edit = useEdit({ notification, formId, onSaved: onClose });
  const { form, values, uploads, busy, newer } = edit;
  // Read at every drawing: the form only keeps track of what somebody looks at.
  const { isDirty, errors } = form.formState;
  const current = newer ?? notification;
  if (!canChange(current)) {
    return (
      <GoneOut
        notification={current}
        typed={isDirty}
        onClose={onClose}
        onCopy={() => onCopy(edit.typed(), isDirty)}
      />
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => {
        if (!next && !busy) onClose();
      }}
      title="Edit Notification"
      description="It has not gone out, so everything can still change."
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button variant="ink" type="submit" form={formId} busy={busy}>
            Save Changes
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => void edit.save(event)}
        className="flex flex-col gap-5"
      >
        {newer && (
          <StaleNotice what="this notification" onTakeTheirs={edit.takeNewer} onKeepMine={edit.keepMine} />
        )}
        <MessageFields
          form={form}
          templates={edit.templates}
          asked={edit.asked}
          disabled={busy}
          start={start === "title"}
        />
        <WhoFields form={form} disabled={busy} />
        <Truth
          title={values.title}
          content={values.content}
          recipients={values.recipients}
          channels={values.channels}
          fieldValues={values.fieldValues}
          attachments={values.attachments}
        />
        <PlanFields
          form={form}
          recurs={notification.status === "Recurring"}
          disabled={busy}
          start={start === "schedule"}
        />
        <AttachmentsField
          value={values.attachments}
          channels={values.channels}
          onChange={(next) => form.setValue("attachments", next, { shouldDirty: true })}
          uploads={uploads}
          error={errors.attachments?.message}
          onMend={() => form.clearErrors("attachments")}
          disabled={busy}
        />
      </form>
    </Dialog>
  );
}
