import { FormProvider } from "react-hook-form";
import type { NotificationForm } from "#contract/notifications.ts";
import { AttachmentsSection } from "#web/features/compose/attachments-section.tsx";
import { ChannelsSection } from "#web/features/compose/channels-section.tsx";
import { ComposeFooter } from "#web/features/compose/compose-footer.tsx";
import { ConfirmMany } from "#web/features/compose/confirm-many.tsx";
import { DiscardDraft } from "#web/features/compose/discard-draft.tsx";
import { DraftNote } from "#web/features/compose/draft-note.tsx";
import { MessageSection } from "#web/features/compose/message-section.tsx";
import type { OfflinePort } from "#web/features/compose/offline-port.ts";
import { ReachPanel } from "#web/features/compose/reach-panel.tsx";
import { RecipientsSection } from "#web/features/compose/recipients-section.tsx";
import { ScheduleSection } from "#web/features/compose/schedule-section.tsx";
import { useCompose } from "#web/features/compose/use-compose.ts";
import { Dialog } from "#web/ui/dialog.tsx";
import { Field } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";

export type ComposeDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  userId: number;
  /** Fills the dialog instead of blank fields, such as a copy of an older notification. */
  initial?: Partial<NotificationForm> | undefined;
  /** `initial` was typed a moment ago and is kept nowhere else: no older draft takes its place. */
  typed?: boolean | undefined;
  /** What is written here is kept as a draft under this name; "new" stands for the plain dialog. */
  draftName?: string | undefined;
  /** The key of a notification that the server has refused and that is being mended. */
  clientKey?: string | undefined;
  /** Takes what cannot reach the server. */
  offline: OfflinePort;
};

/** "Create New Notification". Loaded through launcher.tsx. Everything in it starts anew with each opening. */
export default function ComposeDialog(props: ComposeDialogProps) {
  const { open, onOpenChange } = props;
  const compose = useCompose(props);
  const { form, message, sending } = compose;
  return (
    <FormProvider {...form}>
      <Dialog
        open={open}
        onOpenChange={(next) => {
          if (!sending) onOpenChange(next);
        }}
        title="Create New Notification"
        description="Fill out the form below to send a new notification."
        footer={<ComposeFooter compose={compose} onCancel={() => onOpenChange(false)} />}
      >
        <form
          key={compose.draft.discards}
          noValidate
          // Only the button sends: nothing goes out because somebody pressed Enter in the title.
          onSubmit={(event) => event.preventDefault()}
          className="flex flex-col gap-4.5"
        >
          <DraftNote compose={compose} />
          <Field
            label="Title"
            required
            hint={
              message.template?.subject &&
              "For your list and push notifications. Emails have the template’s subject."
            }
            error={form.formState.errors.title?.message}
          >
            {(wiring) => (
              <Input
                {...wiring}
                {...form.register("title")}
                autoComplete="off"
                disabled={sending}
                data-autofocus
              />
            )}
          </Field>
          <MessageSection compose={compose} />
          <RecipientsSection disabled={sending} />
          <ChannelsSection compose={compose} />
          <ReachPanel compose={compose} />
          <ScheduleSection compose={compose} />
          <AttachmentsSection compose={compose} />
        </form>
        <ConfirmMany compose={compose} />
        <DiscardDraft compose={compose} />
      </Dialog>
    </FormProvider>
  );
}
