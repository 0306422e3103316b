import { useNavigate, useSearch } from "@tanstack/react-router";
import { Upload } from "lucide-react";
import { useDeferredValue } from "react";
import { dashboard } from "#contract/calls/dashboard.ts";
import { shell } from "#contract/calls/shell.ts";
import { useMay } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { ChannelMix } from "#web/features/dashboard/channel-mix.tsx";
import { DeliveryTrend } from "#web/features/dashboard/delivery-trend.tsx";
import { useFailureRows } from "#web/features/dashboard/failure-rows.tsx";
import { accountRows } from "#web/features/dashboard/account-rows.tsx";
import { FirstSteps } from "#web/features/dashboard/first-steps.tsx";
import { StatCards } from "#web/features/dashboard/stat-cards.tsx";
import { NewNotificationButton } from "#web/features/compose/launcher.tsx";
import { CsvDialog, prefetchCsv } from "#web/features/csv/launcher.tsx";
import { NoticeDialog } from "#web/features/notices/notice-dialog.tsx";
import { NoticePage } from "#web/features/notices/notice-page.tsx";
import { NoticesList } from "#web/features/notices/notices-list.tsx";
import {
  RecentNotifications,
  useRecentNotifications,
} from "#web/features/notifications/recent-notifications.tsx";
import { QuickActions } from "#web/features/quick-actions/quick-actions.tsx";
import { AttentionList, useAttention } from "#web/features/schedules/attention-list.tsx";
import { UpcomingSchedules, useUpcomingSchedules } from "#web/features/schedules/upcoming-schedules.tsx";
import { useOptOutRows } from "#web/domain/opt-out-question.tsx";
import type { DashboardSearch } from "#web/pages/page-search.ts";
import { useUnsent } from "#web/pages/use-unsent.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { useLater } from "#web/ui/browser/use-later.ts";

export function DashboardPage() {
  return useMay("console") ? <StaffDashboard /> : <TenantDashboard />;
}

function StaffDashboard() {
  const { page = 1, notice, open } = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  const go = (change: DashboardSearch, { replace }: { replace: boolean }) =>
    void navigate({ search: (now: DashboardSearch) => ({ ...now, ...change }), replace, resetScroll: false });
  const { unsent, unsentActions, editDialog } = useUnsent();
  const read = useRead(dashboard.read, {}, { fresh: true });
  const figures = read.data;
  const failureRows = useFailureRows(figures?.failures);
  const optOutRows = useOptOutRows();
  const state = useRead(shell.state);
  const attention = useAttention();
  // On a new system, figures and lists would all be empty. The first steps stand alone.
  const firstStepsAlone = Boolean(figures?.firstSteps?.nothingYet) && unsent.length === 0;
  // What needs attention stands above the rest, so nothing is shown before it is known: it would push the rest down.
  const known = !read.isPending && !attention.isPending && !state.isPending;
  // Rendered in short steps between which the browser can respond.
  const ready = useDeferredValue(known);
  const restReady = useLater(known && ready);
  // Read at the same time.
  const upcoming = useUpcomingSchedules();
  useRecentNotifications(page);
  const importButton = (label: string) => (
    <Button
      icon={<Upload aria-hidden />}
      onPointerEnter={prefetchCsv}
      onFocus={prefetchCsv}
      onClick={() => go({ open: "import" }, { replace: false })}
    >
      {label}
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Dashboard"
        help="dashboard"
        subtitle="Overview of your notification system"
        actions={
          <>
            {importButton("Import CSV")}
            <NewNotificationButton />
          </>
        }
      />
      {!(known && ready) && <LoadingDashboard />}
      {known && ready && (
        <>
          {figures?.firstSteps && (
            <FirstSteps
              steps={figures.firstSteps}
              importButton={importButton("Import people")}
              composeButton={
                <NewNotificationButton variant="outline" icon={null}>
                  Write a notification
                </NewNotificationButton>
              }
            />
          )}
          <AttentionList
            read={attention}
            more="link"
            others={[...optOutRows, ...accountRows(state.data?.providers ?? []), ...failureRows]}
          />
          {!firstStepsAlone && (
            <>
              <div className="mb-5">
                <ReadStates
                  read={read}
                  failed="Error loading figures"
                  skeleton={<StatCards figures={undefined} />}
                  card
                >
                  {(found) => <StatCards figures={found} />}
                </ReadStates>
              </div>
              <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_18rem] 2xl:grid-cols-3">
                <div className="xl:col-span-2">
                  <RecentNotifications
                    page={page}
                    onPage={(next, options) => go({ page: next }, options)}
                    unsent={unsent}
                    unsentActions={unsentActions}
                    emptyAction={importButton("Import people")}
                  />
                </div>
                <UpcomingSchedules read={upcoming} />
                {figures && restReady && (
                  <>
                    <div className="self-stretch *:h-full xl:col-span-2">
                      <DeliveryTrend figures={figures} />
                    </div>
                    <div className="self-stretch *:h-full">
                      <ChannelMix figures={figures} />
                    </div>
                  </>
                )}
                {restReady && (
                  <div className="xl:col-span-3">
                    <QuickActions />
                  </div>
                )}
              </div>
            </>
          )}
        </>
      )}
      {editDialog}
      {notice !== undefined && (
        <NoticeDialog id={notice} onClose={() => go({ notice: undefined }, { replace: true })} />
      )}
      <CsvDialog
        tab="import"
        open={open === "import"}
        onFile={(id) => void navigate({ to: "/users", search: { import: id } })}
        onOpenChange={() => go({ open: undefined }, { replace: true })}
      />
    </>
  );
}

function LoadingDashboard() {
  return (
    <>
      <output className="sr-only">Loading...</output>
      <StatCards figures={undefined} />
      <div aria-hidden className="mt-5 grid grid-cols-1 gap-5">
        <Skeleton className="h-80 rounded-lg" />
        <Skeleton className="h-80 rounded-lg" />
      </div>
    </>
  );
}

function TenantDashboard() {
  const search = useSearch({ from: "/" });
  const navigate = useNavigate({ from: "/" });
  if (search.notice !== undefined) return <NoticePage key={search.notice} id={search.notice} />;
  return (
    <div className="mx-auto w-full max-w-[40rem]">
      <PageHeader title="Notices" subtitle="Messages sent to you" help="notices" />
      <NoticesList
        search={search}
        onSearch={(next, { replace }) => void navigate({ search: next, replace, resetScroll: false })}
      />
    </div>
  );
}
