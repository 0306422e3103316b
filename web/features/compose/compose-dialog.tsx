import { useWatch } from "react-hook-form";
import type { NotificationForm } from "#contract/calls/notifications.ts";
import { AlreadySent } from "#web/domain/message/already-sent.tsx";
import { AttachmentsSection } from "#web/domain/message/attachments-section.tsx";
import { ChannelsSection } from "#web/domain/message/channels-section.tsx";
import { MessageProvider } from "#web/domain/message/message-form.tsx";
import type { Written } from "#web/domain/message/values.ts";
import { MessageSection, TitleField } from "#web/domain/message/message-section.tsx";
import { NewDatesNote } from "#web/domain/message/new-dates-note.tsx";
import { PrioritySection } from "#web/domain/message/priority-section.tsx";
import { ReachPanel } from "#web/domain/message/reach-panel.tsx";
import { RecipientsSection } from "#web/domain/message/recipients-section.tsx";
import { ComposeFooter } from "#web/features/compose/compose-footer.tsx";
import { ConfirmMany } from "#web/features/compose/confirm-many.tsx";
import { DiscardDraft, DraftNote } from "#web/features/compose/draft-note.tsx";
import { SendTest } from "#web/domain/message/send-test.tsx";
import { ScheduleSection } from "#web/features/compose/schedule-section.tsx";
import { useCompose } from "#web/features/compose/use-compose.ts";
import type { OfflinePort } from "#web/features/compose/use-send.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

export type ComposeDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  userId: number;
  /** Fills the dialog instead of blank fields, such as a copy of an older notification. */
  initial?: Partial<NotificationForm> | undefined;
  /** `initial` was just typed and is stored nowhere else, so no older draft replaces it. */
  typed?: boolean | undefined;
  /** When `initial` was written, if it is older. */
  written?: Written | undefined;
  /** Called when it has been sent or scheduled. */
  onSent?: (() => void) | undefined;
  /** The draft is stored under this name; "new" is the plain dialog's. */
  draftName?: string | undefined;
  /** The key of a notification that the server refused and that is being corrected. */
  clientKey?: string | undefined;
  /** Stores what cannot reach the server. */
  offline: OfflinePort;
};

/** "Create New Notification". Loaded through launcher.tsx. Everything in it is reset each time it is opened. */
export default function ComposeDialog(props: ComposeDialogProps) {
  const compose = useCompose(props);
  const { form, message, sending, draft } = compose;
  const [schedule, scheduledDate] = useWatch({
    control: form.control,
    name: ["schedule", "scheduledDate"],
  });
  const goesOut = (schedule === "later" && scheduledDate) || undefined;
  return (
    <MessageProvider form={form} message={message} busy={sending}>
      <Dialog
        open={props.open}
        onOpenChange={compose.closing.close}
        title="Create New Notification"
        description="Fill out the form below to send a new notification."
        footer={<ComposeFooter compose={compose} />}
      >
        <form
          key={draft.discards}
          {...compose.formProps}
          // Only the button sends: pressing Enter in the title must not.
          onSubmit={(event) => event.preventDefault()}
        >
          <fieldset disabled={sending} className="flex min-w-0 flex-col gap-4.5">
            <DraftNote compose={compose} />
            <TitleField />
            <MessageSection />
            <NewDatesNote written={compose.draft.written} goesOut={goesOut} />
            <RecipientsSection goesOut={goesOut} />
            <ChannelsSection />
            <ReachPanel />
            <SendTest />
            <PrioritySection />
            <ScheduleSection compose={compose} />
            <AttachmentsSection />
          </fieldset>
        </form>
        <ConfirmMany
          asking={compose.asking}
          verb={form.getValues("schedule") === "immediate" ? "Send" : "Schedule"}
          onConfirm={compose.submit}
          onCancel={compose.unask}
        />
        <AlreadySent
          twice={compose.twice}
          busy={sending}
          onAgain={() => void compose.sendAgain()}
          onCancel={compose.forgetTwice}
        />
        <DiscardDraft compose={compose} />
        {compose.closing.question}
      </Dialog>
    </MessageProvider>
  );
}
