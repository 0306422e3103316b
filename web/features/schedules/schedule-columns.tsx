import { people } from "#contract/text/count-text.ts";
import { Link } from "@tanstack/react-router";
import { CircleAlert, Pause, Pencil, SkipForward, Ban } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { ChannelIcons } from "#web/domain/channel.tsx";
import { HighPriority } from "#web/domain/high-priority.tsx";
import { NoReceipts } from "#web/domain/no-receipts.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import type { Asking } from "#web/features/schedules/confirm-action.tsx";
import { shortDay } from "#web/features/schedules/short-day.ts";
import { RowMenu } from "#web/features/schedules/row-menu.tsx";
import { outcomeText, runLook } from "#web/features/schedules/run-look.tsx";
import { toneText } from "#web/ui/feedback/badge.tsx";
import { useActions } from "#web/features/schedules/use-actions.ts";
import { Button } from "#web/ui/page/button.tsx";
import { aboveRowLink, rowLink, type Column } from "#web/ui/list/data-table.tsx";
import { Switch } from "#web/ui/form/switch.tsx";
import { When, WithMoments } from "#web/ui/time/when.tsx";

type Options = {
  /** People in each audience today, by schedule id. */
  counted: ReadonlyMap<number, number>;
  /** The search parameters that open a schedule's details. */
  link: (schedule: Schedule) => { search: object; "aria-current"?: "true" };
  onEdit: (schedule: Schedule) => void;
  /** Cancels a scheduled notification, after asking. */
  onCancel: (schedule: Schedule) => void;
  onAsk: (asking: Asking) => void;
  onOpen: (schedule: Schedule) => void;
};

export function scheduleColumns({
  counted,
  link,
  onEdit,
  onCancel,
  onAsk,
  onOpen,
}: Options): Column<Schedule>[] {
  return [
    {
      id: "channels",
      header: "Type",
      card: "icon",
      className: "rows:w-[5.75rem]",
      cell: ({ channels }) => <ChannelIcons channels={channels} className="size-6.5! [&_svg]:size-3.5" />,
    },
    {
      id: "schedule",
      header: "Schedule",
      card: "title",
      cell: (schedule) => <Name schedule={schedule} link={link} />,
    },
    {
      id: "next",
      header: "Next run",
      card: "start",
      className: "text-balance rows:w-36 min-[90rem]:rows:w-43",
      cell: (schedule) => <NextRun schedule={schedule} />,
    },
    {
      id: "recipients",
      header: "Recipients",
      className: "rows:w-28",
      cell: ({ id, recipients }) => {
        const count = counted.get(id);
        return (
          <span className="cards:text-right">
            <bdi dir="ltr" translate="no" className="line-clamp-2 break-words">
              {recipients || "No one"}
            </bdi>
            <span className="block min-h-5 text-ink-3">{count !== undefined && people(count)}</span>
          </span>
        );
      },
    },
    {
      id: "active",
      header: "Active",
      className: "rows:w-20 cards:items-center",
      cell: (schedule) => <ActiveSwitch schedule={schedule} />,
    },
    {
      id: "actions",
      header: "Actions",
      card: "menu",
      className: "rows:w-24 rows:text-right",
      cell: (schedule) => (
        <span className={`${aboveRowLink} inline-flex items-center`}>
          <Button
            variant="ghost"
            size="icon"
            icon={<Pencil aria-hidden />}
            aria-label={`Edit ${isolated(schedule.name)}`}
            onClick={() => onEdit(schedule)}
          />
          {schedule.kind === "notification" ? (
            <Button
              variant="ghost"
              size="icon"
              icon={<Ban aria-hidden />}
              aria-label={`Cancel ${isolated(schedule.name)}`}
              onClick={() => onCancel(schedule)}
            />
          ) : (
            <RowMenu schedule={schedule} onAsk={onAsk} onOpen={onOpen} />
          )}
        </span>
      ),
    },
  ];
}

function Name({ schedule, link }: { schedule: Schedule; link: Options["link"] }) {
  const { name, rule, kind, state, problem, recurrence, ownNotification } = schedule;
  const title = (
    <span className="line-clamp-3 break-words" title={name}>
      {schedule.highPriority && (
        <>
          <HighPriority compact />{" "}
        </>
      )}
      <bdi translate="no">{name}</bdi>
    </span>
  );
  const what =
    kind === "notification"
      ? "One-time notification"
      : recurrence === "once"
        ? `One-time, ${rule}`
        : ownNotification
          ? `${rule} · Recurring notification`
          : rule;
  return (
    <>
      {kind === "notification" ? (
        <Link to="/notifications/$id" params={{ id: String(schedule.notificationId) }} {...rowLink}>
          {title}
        </Link>
      ) : (
        <Link to="/schedules" {...link(schedule)} resetScroll={false} {...rowLink}>
          <span className={state === "paused" ? "text-ink-2" : undefined}>{title}</span>
        </Link>
      )}
      <span className="block text-balance text-ink-3">
        {/* "move-in" stays on one line. */}
        <WithMoments text={what.replaceAll("move-", "move\u2011")} />
      </span>
      {problem && (
        <span className="mt-1 flex items-start gap-1.5 text-warn">
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span title={problem} className="rows:line-clamp-2">
            {problem}
          </span>
        </span>
      )}
    </>
  );
}

function NextRun({ schedule }: { schedule: Schedule }) {
  const { recurrence, state, nextRunAt, nextOccurrence, skips, lastRun } = schedule;
  if (state === "paused") {
    return (
      <>
        <span className="flex items-center gap-1.5 text-ink-2">
          <Pause aria-hidden className="size-4" />
          Paused
        </span>
        {lastRun && (
          <span className="block text-ink-3">
            Last run <When at={lastRun.startsAt} as="sentence" />
          </span>
        )}
      </>
    );
  }
  if (!nextRunAt && recurrence === "resident-date") {
    return (
      <>
        <span className="text-ink-2">No one yet</span>
        {lastRun && (
          <span className="block text-ink-3">
            Last run <When at={lastRun.startsAt} as="sentence" />
          </span>
        )}
      </>
    );
  }
  if (!nextRunAt) {
    if (!lastRun) return <span className="text-ink-2">No runs left</span>;
    const { tone, Icon } = runLook(lastRun);
    return (
      <>
        <span className={`flex items-center gap-1.5 ${toneText[tone]}`}>
          <Icon aria-hidden className="size-4 shrink-0" />
          <span>
            {outcomeText(lastRun)}{" "}
            {lastRun.simulated || lastRun.simulatedChannels.length > 0 ? (
              <Simulated bare channels={lastRun.simulatedChannels} />
            ) : (
              <NoReceipts bare {...lastRun.noReceipts} />
            )}
          </span>
        </span>
        <When at={lastRun.startsAt} className="text-ink-3" />
      </>
    );
  }
  const skipped = skips.filter((day) => nextOccurrence !== null && day < nextOccurrence);
  return (
    <>
      <When at={nextRunAt} className="font-medium" />
      <span className="block text-ink-3">
        {skipped.length > 0 ? (
          <span className="flex items-center gap-1.5 text-warn">
            <SkipForward aria-hidden className="size-4 shrink-0" />
            Skips {skipped.map((day) => shortDay(day)).join(", ")}
          </span>
        ) : (
          <When at={nextRunAt} as="ago" />
        )}
      </span>
    </>
  );
}

function ActiveSwitch({ schedule }: { schedule: Schedule }) {
  const { busy, setActive } = useActions();
  const { kind, state, active, name } = schedule;
  if (kind === "notification") return <span className="text-ink-2">Scheduled</span>;
  if (state === "finished") return <span className="text-ink-2">Finished</span>;
  return (
    <span className={`${aboveRowLink} inline-block`}>
      <Switch
        label={
          <span className="sr-only">
            <bdi translate="no">{name}</bdi> is active
          </span>
        }
        checked={active}
        disabled={busy}
        onChange={() => void setActive(schedule, !active)}
        className="gap-0!"
      />
    </span>
  );
}
