import { messages } from "#contract/count-text.ts";
import { notifications, type NotificationRow } from "#contract/notifications.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { isRunning, runNumbers } from "#web/features/notifications/progress.ts";
import { Confirm } from "#web/ui/confirm.tsx";
import { toast } from "#web/ui/toast-store.ts";
import { When } from "#web/ui/when.tsx";

type Props = {
  /** What to stop, kept up to date while the confirmation is open; undefined while no one asks. */
  row: NotificationRow | undefined;
  onClose: () => void;
};

/** Stops a run or cancels a planned one. Says beforehand how many messages have gone out and how many will not. */
export function CancelRun({ row, onClose }: Props) {
  const { list, recent, detail, cancel } = notifications;
  const write = useWrite(cancel, { refreshes: [list, recent, detail] });
  const undo = useUndo();
  if (!row) return null;
  const onConfirm = async () => {
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
      onClose();
    }
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        <>
          Stop “<bdi>{row.title}</bdi>”?
        </>
      }
      description={<Consequences row={row} />}
      confirmLabel={row.status === "Scheduled" ? "Cancel notification" : "Stop sending"}
      cancelLabel={row.status === "Scheduled" || row.status === "Recurring" ? "Keep it" : "Keep sending"}
      danger
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}

function Consequences({ row }: { row: NotificationRow }) {
  const { progress } = row;
  if (!progress) {
    return (
      <p>
        It won't go out
        {row.scheduled_time && (
          <>
            {" "}
            on <When at={row.scheduled_time} as="full" />
          </>
        )}
        . No one has received it, and you can still copy it to a new one.
      </p>
    );
  }
  if (!isRunning(progress)) return <p>It has just finished. There's nothing left to stop.</p>;
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
