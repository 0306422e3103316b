import { people } from "#contract/text/count-text.ts";
import { Link } from "@tanstack/react-router";
import { CircleAlert, Pencil, Send, SkipForward, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { schedules } from "#contract/calls/schedules.ts";
import type { ResidentDate } from "#contract/recurrence.ts";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { useRead, useReadList } from "#web/api/use-read.ts";
import { ChannelIcons } from "#web/domain/channel.tsx";
import { useRecentItem } from "#web/domain/recent-items.ts";
import { ConfirmAction, type Asking } from "#web/features/schedules/confirm-action.tsx";
import { NextResidents } from "#web/features/schedules/next-residents.tsx";
import { shortDay } from "#web/features/schedules/short-day.ts";
import { useSchedulePeople } from "#web/features/schedules/reads.ts";
import { RunEntry } from "#web/features/schedules/run-entry.tsx";
import { useActions } from "#web/features/schedules/use-actions.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { ReadStates, isMissing } from "#web/ui/feedback/read-states.tsx";
import { Skeleton, SkeletonRows } from "#web/ui/feedback/skeleton.tsx";
import { Switch } from "#web/ui/form/switch.tsx";
import { When } from "#web/ui/time/when.tsx";

const RUNS_PER_PAGE = 10;

type Props = { scheduleId: number; onEdit: (schedule: Schedule) => void; onClose: () => void };

/** Everything about one schedule, next to the list: its next run, and the outcome of each past run. */
export function SchedulePanel({ scheduleId, onEdit, onClose }: Props) {
  const [asking, setAsking] = useState<Asking>();
  const read = useRead(schedules.read, { params: { id: scheduleId } }, { fresh: true });
  const schedule = isMissing(read.error) ? undefined : read.data;
  useRecentItem("schedule", scheduleId, schedule?.name);
  return (
    <Dialog
      side
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={schedule ? <bdi translate="no">{schedule.name}</bdi> : "Schedule details"}
      description={schedule?.rule ?? (read.isPending && <Skeleton className="h-5 w-48" />)}
      footer={
        schedule?.kind === "schedule" && (
          <>
            <Button
              variant="ghost"
              className="mr-auto"
              icon={<Trash2 aria-hidden />}
              onClick={() => setAsking({ action: "delete", schedule })}
            >
              Delete
            </Button>
            <Button icon={<Send aria-hidden />} onClick={() => setAsking({ action: "run", schedule })}>
              Run now
            </Button>
            <Button
              variant="ink"
              className="max-sm:order-first max-sm:w-full"
              icon={<Pencil aria-hidden />}
              onClick={() => onEdit(schedule)}
            >
              Edit
            </Button>
          </>
        )
      }
    >
      <ReadStates
        read={read}
        failed="Error loading this schedule"
        missing={
          <EmptyState
            title="This schedule no longer exists"
            hint="It was deleted, or it was sent. What it has sent is under Notifications."
          />
        }
        skeleton={<SkeletonRows rows={6} className="h-12" />}
      >
        {(found) => (
          <div className="flex flex-col gap-7">
            <Facts schedule={found} />
            {found.residentDate && <Residents schedule={found} residentDate={found.residentDate} />}
            {found.kind === "schedule" && <History scheduleId={scheduleId} />}
          </div>
        )}
      </ReadStates>
      <ConfirmAction
        asking={asking}
        onClose={() => setAsking(undefined)}
        onDone={({ action }) => {
          if (action === "delete") onClose();
        }}
      />
    </Dialog>
  );
}

function Facts({ schedule }: { schedule: Schedule }) {
  const { id, kind, channels, recipients, oncePerHome, leavesOut, problem, createdBy, active, state } =
    schedule;
  const { busy, setActive } = useActions();
  const counted = useSchedulePeople([id]).get(id);
  return (
    <div className="flex flex-col gap-4">
      {problem && (
        <p className="flex items-start gap-2.5 rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {problem}
        </p>
      )}
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-3 gap-y-3 text-sm">
        <Fact name="Next run">
          <NextRun schedule={schedule} />
        </Fact>
        <Fact name="Sends">
          <MessageLink schedule={schedule} />
        </Fact>
        <Fact name="Recipients">
          <bdi dir="ltr" translate="no" className="break-words">
            {recipients || "No one"}
          </bdi>
          {counted !== undefined && <span className="text-ink-2"> · {people(counted)} today</span>}
          {oncePerHome && <span className="block text-ink-2">One message per home</span>}
          {leavesOut && <span className="block text-ink-2">Left out: {leavesOut}</span>}
        </Fact>
        <Fact name="Channels">
          <ChannelIcons channels={channels} />
        </Fact>
        <Fact name="Created by">
          <bdi translate="no">{createdBy}</bdi>
        </Fact>
      </dl>
      {kind === "schedule" && state !== "finished" && (
        <Switch
          label="Active"
          hint={active ? "Turn off to pause it." : "It's paused. Turn on to run it again."}
          checked={active}
          disabled={busy}
          onChange={() => void setActive(schedule, !active)}
        />
      )}
    </div>
  );
}

function Residents({
  schedule: { id, name },
  residentDate,
}: {
  schedule: Schedule;
  residentDate: ResidentDate;
}) {
  const read = useRead(schedules.residents, { params: { id } }, { fresh: true });
  return (
    <div className="flex flex-col gap-4">
      <NextResidents
        residents={read.data}
        residentDate={residentDate}
        isPending={read.isPending}
        failed={read.isError}
        scheduleId={id}
        name={name}
      />
    </div>
  );
}

function MessageLink({ schedule: { message, templateId, notificationId } }: { schedule: Schedule }) {
  const look = "font-semibold underline-offset-4 hover:underline";
  if (message === null)
    return <span className="text-warn">Its message was deleted. Edit the schedule to choose another.</span>;
  return templateId === null ? (
    <Link to="/notifications/$id" params={{ id: String(notificationId) }} className={look}>
      <bdi translate="no">{message}</bdi>
    </Link>
  ) : (
    <>
      <Link to="/templates" search={{ edit: templateId }} className={look}>
        <bdi translate="no">{message}</bdi>
      </Link>
      <span className="text-ink-2">, in its latest version at each run</span>
    </>
  );
}

function noNextRun({ state, recurrence }: Schedule): string {
  if (state === "paused") return "None while it is paused";
  return recurrence === "resident-date" ? "No one yet" : "None left";
}

function NextRun({ schedule }: { schedule: Schedule }) {
  const { busy, skip, unskip } = useActions();
  const { kind, nextRunAt, nextOccurrence, skips } = schedule;
  return (
    <div className="flex flex-col items-start gap-2">
      {nextRunAt ? (
        <span>
          <When at={nextRunAt} as="full" className="font-semibold" />{" "}
          <span className="text-ink-2">
            (<When at={nextRunAt} as="ago" />)
          </span>
        </span>
      ) : (
        <span className="text-ink-2">{noNextRun(schedule)}</span>
      )}
      {kind === "schedule" && nextOccurrence && (
        <Button
          size="sm"
          icon={<SkipForward aria-hidden />}
          disabled={busy}
          onClick={() => void skip(schedule, nextOccurrence)}
        >
          Skip the next one
        </Button>
      )}
      {skips.map((day) => (
        <span key={day} className="flex flex-wrap items-center gap-2 text-warn">
          Skips {shortDay(day)}
          <Button size="sm" disabled={busy} onClick={() => void unskip(schedule, day)}>
            Undo<span className="sr-only"> skipping {shortDay(day)}</span>
          </Button>
        </span>
      ))}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}

function History({ scheduleId }: { scheduleId: number }) {
  const [page, setPage] = useState(1);
  const counted = useSchedulePeople([scheduleId]).get(scheduleId);
  const read = useReadList(
    schedules.history,
    { params: { id: scheduleId }, query: { page, pageSize: RUNS_PER_PAGE } },
    { fresh: true },
  );
  return (
    <section aria-labelledby="schedule-history">
      <h3 id="schedule-history" className="font-semibold">
        History
      </h3>
      <ListStates
        read={read}
        failed="Error loading the history"
        skeleton={<SkeletonRows rows={4} className="h-12" />}
        empty={<p className="pt-2 text-sm text-ink-2">It hasn't run yet.</p>}
        pages={{ noun: ["run", "runs"], page, pageSize: RUNS_PER_PAGE, onPage: setPage }}
      >
        {(runs) => (
          <ol tabIndex={-1} className="divide-y divide-line outline-none">
            {runs.map((run) => (
              <li key={run.occurrence} className="py-3">
                <RunEntry badge run={run} title={<When at={run.startsAt} as="full" />} counted={counted} />
              </li>
            ))}
          </ol>
        )}
      </ListStates>
    </section>
  );
}
