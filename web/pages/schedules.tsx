import { useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarDays, CalendarSync, ChevronRight, List, Plus, Send } from "lucide-react";
import { useState } from "react";
import { AttentionList } from "#web/features/schedules/attention-list.tsx";
import { CalendarLinkDialog } from "#web/features/schedules/calendar-link-dialog.tsx";
import { CalendarView } from "#web/features/schedules/calendar/calendar-view.tsx";
import { SmallMonth } from "#web/features/schedules/calendar/small-month.tsx";
import { SchedulePanel } from "#web/features/schedules/panel/schedule-panel.tsx";
import { SchedulesList } from "#web/features/schedules/schedules-list.tsx";
import { TodayCard } from "#web/features/schedules/today-card.tsx";
import { CreateNotification } from "#web/pages/create-notification.tsx";
import type { SchedulesSearch } from "#web/pages/schedules-search.ts";
import { Button } from "#web/ui/button.tsx";
import { placeOf } from "#web/ui/format-time.ts";
import { PageHeader } from "#web/ui/page-header.tsx";
import { Segmented } from "#web/ui/segmented.tsx";
import { useZone } from "#web/ui/when.tsx";
import type { ScheduleDialogProps } from "#web/features/schedules/edit/schedule-dialog.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";

/** "Create Schedule" and "Edit Schedule". */
const { Dialog: ScheduleDialog, prefetch: prefetchScheduleDialog } = lazyDialog<ScheduleDialogProps>(
  () => import("#web/features/schedules/edit/schedule-dialog.tsx"),
);

type Open = "create" | "compose" | "link";

export function SchedulesPage() {
  const { edit, schedule, ...search } = useSearch({ from: "/schedules" });
  const navigate = useNavigate({ from: "/schedules" });
  const zone = useZone();
  const [open, setOpen] = useState<Open>();
  const { view, day, ...list } = search;
  const go = (next: SchedulesSearch, { replace }: { replace: boolean }) =>
    void navigate({ search: next, replace, resetScroll: false });
  const create = (
    <Button
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetchScheduleDialog}
      onFocus={prefetchScheduleDialog}
      onClick={() => setOpen("create")}
    >
      Create Schedule
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Schedules"
        subtitle={`What goes out and when.${zone ? ` All times are ${placeOf(zone)} time.` : ""}`}
        actions={
          <>
            <Segmented
              label="Show as"
              segments={shownAs}
              value={view ? "calendar" : "list"}
              onChange={(next) => go(next === "list" ? list : { view: "month" }, { replace: false })}
              className="max-sm:flex max-sm:basis-full"
            />
            <Button icon={<Send aria-hidden />} onClick={() => setOpen("compose")}>
              Send Notification
            </Button>
            {create}
          </>
        }
      />
      <AttentionList />
      {view ? (
        <CalendarView view={view} day={day} onChange={(next) => go(next, { replace: false })} />
      ) : (
        <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_18rem]">
          <SchedulesList
            search={{ ...list, ...(schedule ? { schedule } : {}) }}
            onSearch={go}
            onEdit={({ id }) => go({ ...search, edit: id }, { replace: false })}
            emptyAction={create}
          />
          <div className="flex flex-col gap-5 max-xl:-order-1">
            <SmallMonth
              className="max-xl:hidden"
              onDay={(chosen) => go({ view: "month", day: chosen }, { replace: false })}
            />
            <TodayCard
              footer={
                <Button
                  variant="ghost"
                  icon={<CalendarSync aria-hidden />}
                  className="w-full justify-start!"
                  onClick={() => setOpen("link")}
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
          onEdit={({ id }) => go({ ...search, schedule, edit: id }, { replace: false })}
          onClose={() => go(search, { replace: false })}
        />
      )}
      <ScheduleDialog
        key={edit ?? "new"}
        open={open === "create" || edit !== undefined}
        onOpenChange={(shown) => {
          if (shown) return;
          setOpen(undefined);
          if (edit !== undefined) go({ ...search, ...(schedule ? { schedule } : {}) }, { replace: true });
        }}
        scheduleId={edit}
      />
      <CreateNotification
        open={open === "compose"}
        onOpenChange={(shown) => setOpen(shown ? "compose" : undefined)}
      />
      {open === "link" && <CalendarLinkDialog onClose={() => setOpen(undefined)} />}
    </>
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
