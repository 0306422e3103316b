import { useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarDays, CalendarSync, ChevronRight, List, Plus, Send } from "lucide-react";
import { useState } from "react";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { CancelRun } from "#web/features/notifications/cancel-run.tsx";
import { scheduleReads } from "#web/features/schedules/reads.ts";
import { AttentionList, useAttention } from "#web/features/schedules/attention-list.tsx";
import { CalendarLinkDialog } from "#web/features/schedules/calendar-link-dialog.tsx";
import { CalendarView } from "#web/features/schedules/calendar/calendar-view.tsx";
import { SmallMonth } from "#web/features/schedules/calendar/small-month.tsx";
import { SchedulePanel } from "#web/features/schedules/panel/schedule-panel.tsx";
import { SchedulesList } from "#web/features/schedules/schedules-list.tsx";
import { TodayCard } from "#web/features/schedules/today-card.tsx";
import { NewNotificationButton } from "#web/features/compose/launcher.tsx";
import { offlineSchedules, useUnsentSchedules } from "#web/pages/use-unsent-schedules.tsx";
import { dialogsOf } from "#web/pages/page-search.ts";
import type { SchedulesSearch } from "#web/pages/schedules-search.ts";
import { Button } from "#web/ui/page/button.tsx";
import { placeOf } from "#web/ui/time/format-time.ts";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { useZone } from "#web/ui/time/when.tsx";
import type { ScheduleDialogProps } from "#web/features/schedules/edit/schedule-dialog.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

/** "Create Schedule" and "Edit Schedule". */
const { Dialog: ScheduleDialog, prefetch: prefetchScheduleDialog } = lazyDialog<ScheduleDialogProps>(
  () => import("#web/features/schedules/edit/schedule-dialog.tsx"),
);

export function SchedulesPage() {
  const { open, edit, schedule, ...search } = useSearch({ from: "/schedules" });
  const navigate = useNavigate({ from: "/schedules" });
  const zone = useZone();
  const [allAttention, setAllAttention] = useState(false);
  const [cancelling, setCancelling] = useState<Schedule>();
  const attention = useAttention(allAttention ? 100 : undefined);
  const { view, day, ...list } = search;
  const kept = useUnsentSchedules();
  const go = (next: SchedulesSearch, { replace }: { replace: boolean }) =>
    void navigate({
      search: (now: SchedulesSearch) => ({ ...dialogsOf(now), ...next }),
      replace,
      resetScroll: false,
    });
  const here = { ...search, ...(schedule ? { schedule } : {}) };
  const show = (dialog: Pick<SchedulesSearch, "open" | "edit">) =>
    go({ ...here, open: undefined, edit: undefined, ...dialog }, { replace: false });
  const close = () => go({ ...here, open: undefined, edit: undefined }, { replace: true });
  const create = (
    <Button
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetchScheduleDialog}
      onFocus={prefetchScheduleDialog}
      onClick={() => show({ open: "new" })}
    >
      Create Schedule
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Schedules"
        help="schedules"
        subtitle={`What goes out and when.${zone ? ` All times are ${placeOf(zone)} time.` : ""}`}
        actions={
          <>
            <Segmented
              label="Show as"
              segments={shownAs}
              value={view ? "calendar" : "list"}
              onChange={(next) => go(next === "list" ? list : { ...list, view: "month" }, { replace: false })}
              className="max-sm:flex max-sm:basis-full"
            />
            <NewNotificationButton variant="outline" icon={<Send aria-hidden />}>
              Send Notification
            </NewNotificationButton>
            {create}
          </>
        }
      />
      <AttentionList read={attention} more={allAttention ? "nothing" : () => setAllAttention(true)} />
      {view ? (
        <CalendarView
          view={view}
          day={day}
          onChange={(next) => go({ ...list, ...next }, { replace: false })}
        />
      ) : (
        <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_18rem]">
          <SchedulesList
            search={{ ...list, ...(schedule ? { schedule } : {}) }}
            onSearch={go}
            onEdit={({ id }) => show({ edit: id })}
            onCancel={setCancelling}
            emptyAction={create}
            unsent={kept.unsent}
            unsentActions={kept.unsentActions}
          />
          <div className="flex flex-col gap-5 max-xl:-order-1">
            <SmallMonth
              className="max-xl:hidden"
              onDay={(chosen) => go({ ...list, view: "month", day: chosen }, { replace: false })}
            />
            <TodayCard
              footer={
                <Button
                  variant="ghost"
                  icon={<CalendarSync aria-hidden />}
                  className="w-full justify-start!"
                  onClick={() => show({ open: "link" })}
                >
                  Subscribe in a calendar app
                  <ChevronRight aria-hidden className="ml-auto" />
                </Button>
              }
            />
          </div>
        </div>
      )}
      {schedule !== undefined && edit === undefined && (
        <SchedulePanel
          key={schedule}
          scheduleId={schedule}
          onEdit={({ id }) => show({ edit: id })}
          onClose={() => go(search, { replace: true })}
        />
      )}
      <ScheduleDialog
        key={edit ?? "new"}
        open={open === "new" || edit !== undefined}
        onOpenChange={(shown) => {
          if (!shown) close();
        }}
        scheduleId={edit}
        offline={offlineSchedules}
      />
      {kept.edited && (
        <ScheduleDialog
          key={kept.edited.clientKey}
          open
          onOpenChange={(shown) => {
            if (!shown) kept.close();
          }}
          scheduleId={undefined}
          offline={offlineSchedules}
          unsent={kept.edited}
        />
      )}
      <CancelPlanned plan={cancelling} onClose={() => setCancelling(undefined)} />
      {open === "link" && <CalendarLinkDialog onClose={close} />}
    </>
  );
}

/** Asks before a scheduled notification of the list is cancelled. */
function CancelPlanned({ plan, onClose }: { plan: Schedule | undefined; onClose: () => void }) {
  const refresh = useRefresh();
  if (!plan?.notificationId) return null;
  const { notificationId: id, name: title, nextRunAt } = plan;
  return (
    <CancelRun
      row={{ id, title, status: "Scheduled", scheduled_time: nextRunAt, progress: null }}
      onClose={() => {
        onClose();
        void refresh(...scheduleReads);
      }}
    />
  );
}

const shownAs = [
  { value: "list", label: <ViewLabel icon={<List aria-hidden />} word="List" /> },
  { value: "calendar", label: <ViewLabel icon={<CalendarDays aria-hidden />} word="Calendar" /> },
] as const;

function ViewLabel({ icon, word }: { icon: React.ReactNode; word: string }) {
  return (
    <span className="flex items-center gap-2 [&_svg]:size-4">
      {icon}
      {word}
    </span>
  );
}
