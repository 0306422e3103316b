import { people } from "#contract/text/count-text.ts";
import { channelMeaning } from "#contract/delivery.ts";
import { useState, type ReactNode } from "react";
import type { Schedule, ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { listText } from "#contract/text/locale.ts";
import { mintClientKey } from "#web/api/client-key.ts";
import { useRead } from "#web/api/use-read.ts";
import { VERY_MANY } from "#web/domain/message/reach-text.ts";
import { useActions } from "#web/features/schedules/use-actions.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { OutgoingText } from "#web/features/schedules/outgoing-text.tsx";
import { CannotLoad } from "#web/ui/feedback/error-state.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { When } from "#web/ui/time/when.tsx";

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
      onClose={onClose}
      onConfirm={() => {
        void run(schedule, clientKey).then((done) => {
          if (done) onDone();
          onClose();
        });
      }}
    >
      {schedule.nextRunAt && (
        <>
          Its next scheduled run is still <When at={schedule.nextRunAt} as="full" />.
        </>
      )}
    </ConfirmRun>
  );
}

type RunProps = {
  verb: "Run" | "Send";
  run: Pick<ScheduleRun, "scheduleId" | "name" | "recipients" | "channels"> & {
    /** Of a run that was missed or could not start. */
    occurrence?: string;
  };
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** What else to know. */
  children?: ReactNode;
};

/** Asks before a run is started manually, with the number of people, which has to be typed if they are very many. */
export function ConfirmRun({ verb, run, busy, onConfirm, onClose, children }: RunProps) {
  const count = useRead(schedules.people, { body: { ids: [run.scheduleId] } }, { fresh: true });
  const counted = count.data?.[0]?.people;
  const by = listText(run.channels.map((one) => channelMeaning[one].spoken));
  const outgoing = useRead(
    schedules.outgoing,
    {
      params: { id: run.scheduleId },
      query: run.occurrence === undefined ? {} : { occurrence: run.occurrence },
    },
    { fresh: true },
  );
  const forAll = verb === "Run" ? "Run now for" : "Send to";
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        <>
          {verb} “<bdi translate="no">{run.name}</bdi>” now?
        </>
      }
      description={
        <div className="flex flex-col gap-3">
          <p>
            It goes to{" "}
            <bdi dir="ltr" translate="no">
              {run.recipients}
            </bdi>
            {counted !== undefined && ` (${people(counted)})`} by {by} right away.{" "}
            {count.isLoadingError && "We couldn't count the recipients. "}
            {children}
          </p>
          {outgoing.isPending && <Skeleton className="h-24" />}
          {outgoing.isLoadingError && (
            <CannotLoad what="the message, so it can't be sent yet" read={outgoing} />
          )}
          {outgoing.data && <OutgoingText run={run} message={outgoing.data} onLeave={onClose} />}
        </div>
      }
      confirmLabel={
        counted ? `${forAll} ${people(counted)}` : count.isLoadingError ? `${verb} anyway` : `${verb} now`
      }
      // No one sends what they can't see.
      confirmable={!count.isPending && outgoing.data !== undefined && counted !== 0}
      typed={counted !== undefined && counted >= VERY_MANY ? counted : undefined}
      busy={busy}
      onConfirm={onConfirm}
    />
  );
}
