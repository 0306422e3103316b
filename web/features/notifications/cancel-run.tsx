import { messages } from "#contract/text/count-text.ts";
import { useState, type ComponentProps } from "react";
import { notifications, type NotificationRow } from "#contract/calls/notifications.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { isRunning, runNumbers } from "#web/features/notifications/progress.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { When } from "#web/ui/time/when.tsx";

type Stoppable = Pick<NotificationRow, "id" | "title" | "status" | "scheduled_time" | "progress">;

type Props = {
  /** What to stop, kept up to date while the confirmation is open; undefined while no one asks. */
  row: Stoppable | undefined;
  onClose: () => void;
};

/** Stops a run or cancels a planned one. Says beforehand how many messages have gone out and how many will not. */
export function CancelRun({ row, onClose }: Props) {
  const { list, recent, detail, cancel } = notifications;
  const write = useWrite(cancel, { refreshes: [list, recent, detail] });
  const undo = useUndo();
  // The row changes before the reply arrives, and the question should not.
  const [answered, setAnswered] = useState<Stoppable>();
  if (!row) return null;
  const onConfirm = async () => {
    setAnswered(row);
    try {
      const after = await write.mutateAsync({ params: { id: row.id } });
      toast({
        title: "Notification cancelled",
        description: outcome(after.progress),
        ...(row.status === "Scheduled" && {
          action: undo({
            make: () => call(notifications.uncancel, { params: { id: row.id } }),
            refreshes: [list, recent, detail],
            done: { title: "Notification scheduled again", description: row.title },
          }),
        }),
      });
    } catch (error) {
      const why = reasonOf(error);
      toast({ variant: "destructive", title: "Failed to cancel notification", description: why });
    } finally {
      setAnswered(undefined);
      onClose();
    }
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      {...questionOf(answered ?? row)}
      danger
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}

type Question = Pick<
  ComponentProps<typeof Confirm>,
  "title" | "description" | "confirmLabel" | "cancelLabel"
>;

function questionOf({ title, status, scheduled_time: at, progress }: Stoppable): Question {
  const name = (
    <>
      “<bdi translate="no">{title}</bdi>”
    </>
  );
  if (status === "Scheduled" || status === "Recurring") {
    return {
      title: <>Cancel {name}?</>,
      description:
        status === "Scheduled" ? (
          <p>
            It won't go out
            {at && (
              <>
                {" "}
                on <When at={at} as="full" />
              </>
            )}
            . No one has received it, and you can still copy it to a new one.
          </p>
        ) : (
          <p>It won't go out again. What it has sent stays on record.</p>
        ),
      confirmLabel: "Cancel notification",
      cancelLabel: "Keep it",
    };
  }
  if (progress && isRunning(progress)) {
    return {
      title: <>Stop {name}?</>,
      description: <Consequences progress={progress} />,
      confirmLabel: "Stop sending",
      cancelLabel: "Keep sending",
    };
  }
  return {
    title: <>{name} can't be cancelled</>,
    description: <p>It's no longer scheduled or being sent. There's nothing left to stop.</p>,
    confirmLabel: null,
    cancelLabel: "Close",
  };
}

function Consequences({ progress }: { progress: RunProgress }) {
  const { gone, queued } = runNumbers(progress);
  return (
    <>
      <p>
        <strong className="font-semibold text-ink">{messages(gone)}</strong>{" "}
        {gone === 1 ? "has gone out or is on its way and" : "have gone out or are on their way and"} can't be
        recalled. <strong className="font-semibold text-ink">{messages(queued)}</strong> will not be sent.
      </p>
      {progress.state === "fanning-out" && (
        <p className="mt-2">We're still finding recipients. Anyone we find later won't get it either.</p>
      )}
    </>
  );
}

function outcome(progress: NotificationRow["progress"]): string | undefined {
  if (!progress) return undefined;
  const stayed = progress.counts.cancelled;
  return `${messages(runNumbers(progress).gone)} had gone out, ${messages(stayed)} ${stayed === 1 ? "was" : "were"} not sent.`;
}
