import { people } from "#contract/text/count-text.ts";
import { Send } from "lucide-react";
import { useState } from "react";
import { audience } from "#contract/calls/audience.ts";
import { notifications, type NotificationDetail } from "#contract/calls/notifications.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { AlreadySent, type Twice, twiceOf } from "#web/domain/message/already-sent.tsx";
import { sandboxSentence } from "#web/domain/message/sandbox-text.ts";
import { VERY_MANY } from "#web/domain/message/reach-text.ts";
import { PassedDates, textsOf, usePassedDates } from "#web/domain/message/passed-dates.tsx";
import { writtenOf } from "#web/domain/message/values.ts";
import { Reaches, whoGets } from "#web/features/notifications/detail/reaches.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { When } from "#web/ui/time/when.tsx";

type Props = {
  notification: NotificationDetail;
  /** Opens the form, to change what it says. */
  onEdit: () => void;
};

/** Sends a draft, a scheduled notification, or one that could not start. First says how many people it reaches. */
export function SendNow({ notification, onEdit }: Props) {
  const dates = usePassedDates(
    textsOf({ ...notification, text: notification.contentText }),
    writtenOf(notification),
  );
  const [asking, setAsking] = useState(false);
  const [twice, setTwice] = useState<Twice | null>(null);
  const { list, recent, detail, sendNow } = notifications;
  const write = useWrite(sendNow, { refreshes: [list, recent, detail] });
  const reach = useRead(audience.reach, { body: whoGets(notification) }, { enabled: asking, fresh: true });
  const reached = reach.data?.reached;
  const send = async (again: boolean) => {
    try {
      const { sandboxOnly } = await write.mutateAsync({ params: { id: notification.id }, query: { again } });
      toast({
        title: "Notification Sent",
        description: sandboxOnly ? sandboxSentence() : "Your notification has been sent successfully.",
      });
    } catch (error) {
      if (twiceOf(error)) return setTwice(twiceOf(error));
      const why = reasonOf(error);
      toast({ variant: "destructive", title: "Error Sending Notification", description: why });
    } finally {
      setAsking(false);
    }
    return undefined;
  };
  return (
    <>
      <Button
        // What was missed may no longer be what anyone should read.
        variant={notification.status === "Failed" || dates.length > 0 ? "outline" : "ink"}
        icon={<Send aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Send now
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={
          <>
            Send “<bdi translate="no">{notification.title}</bdi>” now?
          </>
        }
        description={
          <div className="flex min-h-11 flex-col gap-2">
            {reach.isPending && <Skeleton className="h-5 w-3/4" />}
            {reach.isLoadingError && <p>We couldn't count the recipients: {reach.error.message}</p>}
            {reach.data && (
              <p>
                To{" "}
                <bdi dir="ltr" translate="no">
                  {notification.recipients}
                </bdi>
                . <Reaches reach={reach.data} />
              </p>
            )}
            {notification.status === "Scheduled" && notification.scheduled_time && (
              <p>
                It's scheduled for <When at={notification.scheduled_time} as="full" />. It will go out now
                instead, and won't be sent again then.
              </p>
            )}
            <PassedDates dates={dates}>
              <div>
                <Button
                  size="sm"
                  onClick={() => {
                    setAsking(false);
                    onEdit();
                  }}
                >
                  Use new dates
                </Button>
              </div>
            </PassedDates>
          </div>
        }
        confirmLabel={reached ? `Send to ${people(reached)}` : reach.isLoadingError ? "Send anyway" : "Send"}
        confirmable={!reach.isPending && reached !== 0}
        typed={reached !== undefined && reached >= VERY_MANY ? reached : undefined}
        busy={write.isPending}
        onConfirm={() => void send(false)}
      />
      <AlreadySent
        twice={twice}
        busy={write.isPending}
        onAgain={() => {
          setTwice(null);
          void send(true);
        }}
        onCancel={() => setTwice(null)}
      />
    </>
  );
}
