import { Copy } from "lucide-react";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

type Props = {
  notification: NotificationDetail;
  /** Something was typed before it went out. */
  typed: boolean;
  onClose: () => void;
  onCopy: () => void;
};

/** Why nothing can be edited anymore, and what to do instead. */
export function GoneOut({ notification, typed, onClose, onCopy }: Props) {
  const { status, sent_time } = notification;
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Edit Notification"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="ink" icon={<Copy aria-hidden />} onClick={onCopy}>
            Copy to new notification
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p>
          {status === "Sending" && "This notification is going out right now, so it can't be changed."}
          {status !== "Sending" &&
            sent_time &&
            "This notification has gone out. What people have received can't be changed."}
          {status !== "Sending" &&
            !sent_time &&
            "This notification was cancelled before anything was sent. It's kept for the record."}
        </p>
        <p className="text-ink-2">
          You can copy it to a new notification, change that, and send it.
          {typed && " What you just typed is copied too."}
        </p>
      </div>
    </Dialog>
  );
}
