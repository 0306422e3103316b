import { useState } from "react";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { mintClientKey } from "#web/api/client-key.ts";
import type { ConfirmRunProps } from "#web/features/schedules/confirm-run.tsx";
import { useActions } from "#web/features/schedules/use-actions.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";
import { When } from "#web/ui/time/when.tsx";

/** Reads the dates in the message, which takes code that few screens need. */
export const { Dialog: ConfirmRun } = lazyDialog<ConfirmRunProps>(
  () => import("#web/features/schedules/confirm-run.tsx"),
);

export type Asking = { action: "run" | "delete"; schedule: Schedule };

type Props = {
  asking: Asking | undefined;
  onClose: () => void;
  /** Called after success. */
  onDone?: (asked: Asking) => void;
};

/** Asks before a schedule is deleted or started manually. */
export function ConfirmAction({ asking, onClose, onDone }: Props) {
  if (!asking) return null;
  const shown = { schedule: asking.schedule, onClose, onDone: () => onDone?.(asking) };
  return asking.action === "run" ? <RunNow {...shown} /> : <Delete {...shown} />;
}

type OneProps = { schedule: Schedule; onClose: () => void; onDone: () => void };

function Delete({ schedule, onClose, onDone }: OneProps) {
  const { busy, remove } = useActions();
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Delete Schedule"
      description={
        <>
          <p>
            Are you sure you want to delete <bdi translate="no">{schedule.name}</bdi>? This action cannot be
            undone.
          </p>
          <p className="mt-2 text-sm">
            {schedule.ownNotification
              ? "The recurring notification will be cancelled. What it has sent stays on record."
              : "It won't send anything more. What it has sent stays on record."}
          </p>
        </>
      }
      confirmLabel="Delete"
      danger
      busy={busy}
      onConfirm={() => {
        void remove(schedule).then((done) => {
          if (done) onDone();
          onClose();
        });
      }}
    />
  );
}

function RunNow({ schedule, onClose, onDone }: OneProps) {
  const { busy, run } = useActions();
  // Once per dialog, so that a double click does not run it twice.
  const [clientKey] = useState(mintClientKey);
  return (
    <ConfirmRun
      verb="Run"
      run={{ ...schedule, scheduleId: schedule.id }}
      busy={busy}
      open
      onOpenChange={onClose}
      onConfirm={() => {
        void run(schedule, clientKey).then((done) => {
          if (done) onDone();
          onClose();
        });
      }}
    >
      {schedule.residentDate && "They won't get it again for this date."}
      {schedule.nextRunAt && !schedule.residentDate && (
        <>
          Its next scheduled run is still <When at={schedule.nextRunAt} as="full" />.
        </>
      )}
    </ConfirmRun>
  );
}
