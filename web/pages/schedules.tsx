import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus, Send } from "lucide-react";
import { useState } from "react";
import { ScheduleDialog, prefetchScheduleDialog } from "#web/features/schedules/launcher.ts";
import { SchedulePanel } from "#web/features/schedules/panel/schedule-panel.tsx";
import { SchedulesList } from "#web/features/schedules/schedules-list.tsx";
import { CreateNotification } from "#web/pages/create-notification.tsx";
import type { SchedulesSearch } from "#web/pages/schedules-search.ts";
import { Button } from "#web/ui/button.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { placeOf } from "#web/ui/format-time.ts";
import { useZone } from "#web/ui/when.tsx";

export function SchedulesPage() {
  const { edit, ...search } = useSearch({ from: "/schedules" });
  const navigate = useNavigate({ from: "/schedules" });
  const zone = useZone();
  const [creating, setCreating] = useState(false);
  const [composing, setComposing] = useState(false);
  const go = (next: SchedulesSearch, { replace }: { replace: boolean }) =>
    void navigate({ search: next, replace, resetScroll: false });
  const create = (
    <Button
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetchScheduleDialog}
      onFocus={prefetchScheduleDialog}
      onClick={() => setCreating(true)}
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
            <Button icon={<Send aria-hidden />} onClick={() => setComposing(true)}>
              Send Notification
            </Button>
            {create}
          </>
        }
      />
      <SchedulesList
        search={search}
        onSearch={go}
        onEdit={({ id }) => go({ ...search, edit: id }, { replace: false })}
        emptyAction={create}
      />
      {search.schedule !== undefined && edit === undefined && (
        <SchedulePanel
          key={search.schedule}
          scheduleId={search.schedule}
          onEdit={({ id }) => go({ ...search, edit: id }, { replace: false })}
          onClose={() => {
            const { schedule: _, ...list } = search;
            go(list, { replace: false });
          }}
        />
      )}
      <ScheduleDialog
        key={edit ?? "new"}
        open={creating || edit !== undefined}
        onOpenChange={(open) => {
          if (open) return;
          setCreating(false);
          if (edit !== undefined) go(search, { replace: true });
        }}
        scheduleId={edit}
      />
      <CreateNotification open={composing} onOpenChange={setComposing} />
    </>
  );
}
