import { Ban, CircleAlert, Copy, Info, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";
import { numberText } from "#contract/text/locale.ts";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { useRecentItem } from "#web/domain/recent-items.ts";
import { PassedDates, textsOf, usePassedDates } from "#web/domain/message/passed-dates.tsx";
import { messageOf, writtenOf } from "#web/domain/message/values.ts";
import { readClock, useOrganizationClock } from "#web/domain/organization-clock.ts";
import { MOST_NAMED, WriteLink } from "#web/domain/write-link.tsx";
import { CancelRun } from "#web/features/notifications/cancel-run.tsx";
import { DeleteDraft } from "#web/features/notifications/delete-draft.tsx";
import { ArchivedCard } from "#web/features/notifications/detail/archived-card.tsx";
import { DeliveriesCard } from "#web/features/notifications/detail/deliveries-card.tsx";
import { changed, type DetailSearch } from "#web/features/notifications/detail/delivery-query.ts";
import { DeliveryStats } from "#web/features/notifications/detail/delivery-stats.tsx";
import { DetailHeader } from "#web/features/notifications/detail/detail-header.tsx";
import { DownloadReport } from "#web/features/notifications/detail/download-report.tsx";
import { FilesCard, MessageCard } from "#web/features/notifications/detail/message-card.tsx";
import { PersonCard } from "#web/features/notifications/detail/person-card.tsx";
import { SchedulePanel } from "#web/features/notifications/detail/schedule-panel.tsx";
import { Retry } from "#web/features/notifications/detail/retry.tsx";
import { SendNow } from "#web/features/notifications/detail/send-now.tsx";
import type { EditDialogProps } from "#web/features/notifications/edit/edit-dialog.tsx";
import { isRunning, missedPeople } from "#web/features/notifications/progress.ts";
import { RunAnnouncer } from "#web/features/notifications/run-announcer.tsx";
import { Banner } from "#web/ui/feedback/banner.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";
import { Tooltip } from "#web/ui/feedback/tooltip.tsx";
import { WithMoments } from "#web/ui/time/when.tsx";

// The form is loaded only when it is needed.
const edit = lazyDialog<EditDialogProps>(() => import("#web/features/notifications/edit/edit-dialog.tsx"));

type Props = {
  notification: NotificationDetail;
  search: DetailSearch;
  onSearch: (search: DetailSearch, options: { replace: boolean }) => void;
  /** It was a draft and has been deleted. */
  onDeleted: () => void;
} & Pick<EditDialogProps, "onCopy">;

/** One notification: the message, the result, and what happened for each person. */
export function NotificationView({ notification, search, onSearch, onDeleted, onCopy }: Props) {
  const { id, title, status, statusReason, progress } = notification;
  useRecentItem("notification", id, title);
  const show = (edit: DetailSearch["edit"], { replace }: { replace: boolean }) =>
    onSearch(changed(search, { page: search.page, edit }), { replace });
  const [stopping, setStopping] = useState(false);
  const [retrying, setRetrying] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const [deleted, setDeleted] = useState(false);
  const waits = status === "Scheduled" || status === "Recurring";
  const running = isRunning(progress);
  const copy = notification.kind === "message" ? id : undefined;
  const cancel = (
    <Button icon={<Ban aria-hidden />} onClick={() => setStopping(true)}>
      Cancel
    </Button>
  );
  return (
    <>
      <DetailHeader
        notification={notification}
        actions={
          <>
            {progress && <DownloadReport notificationId={id} people={progress.people} />}
            {notification.kind === "message" && (
              <>
                <Button
                  icon={<Pencil aria-hidden />}
                  onPointerEnter={edit.prefetch}
                  onFocus={edit.prefetch}
                  onClick={() => show("title", { replace: false })}
                >
                  Edit Notification
                </Button>
                <Tooltip content="Copy to new notification">
                  <Button
                    icon={<Copy aria-hidden />}
                    aria-label="Copy to new notification"
                    onClick={() => onCopy(messageOf(notification), false)}
                  >
                    Copy
                  </Button>
                </Tooltip>
              </>
            )}
            {status === "Draft" && (
              <Button icon={<Trash2 aria-hidden />} onClick={() => setDeleting(true)}>
                Delete
              </Button>
            )}
            {waits && cancel}
            {canSend(notification) && (
              <SendNow notification={notification} onEdit={() => show("title", { replace: false })} />
            )}
          </>
        }
      />
      <div className="flex flex-col gap-3 pb-5 empty:hidden">
        {statusReason && (
          <Banner
            tone={status === "Failed" ? "bad" : "info"}
            icon={<CircleAlert />}
            title={reasonTitle(status)}
          >
            {statusReason}
          </Banner>
        )}
        {status === "Scheduled" && (
          <PlannedDates notification={notification} onEdit={() => show("title", { replace: false })} />
        )}
        {progress?.notes.map((note) => (
          <Banner key={note} tone="warn" icon={<Info />} title="">
            <WithMoments text={note} />
          </Banner>
        ))}
      </div>
      {progress ? (
        <div className="flex flex-col gap-5">
          <DeliveryStats notification={notification} progress={progress} cancel={running && cancel} />
          <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem] min-[90rem]:grid-cols-[minmax(0,1fr)_25rem]">
            {progress.archived ? (
              <ArchivedCard archive={progress.archived} />
            ) : (
              <DeliveriesCard
                notificationId={id}
                progress={progress}
                search={search}
                onSearch={onSearch}
                onRetry={() => setRetrying(true)}
                actions={
                  <div className="flex flex-wrap justify-end gap-2 max-md:has-[a]:w-full max-md:has-[a]:*:grow">
                    <Retry
                      notification={notification}
                      progress={progress}
                      asking={retrying}
                      onAsk={setRetrying}
                    />
                    {copy && <WriteToMissed id={id} progress={progress} />}
                  </div>
                }
              />
            )}
            <div className="flex flex-col gap-5 xl:sticky xl:top-20 xl:max-h-[calc(100dvh-6rem)] xl:overflow-y-auto xl:rounded-lg print:max-h-none print:overflow-visible">
              {progress.archived ? (
                <MessageCard notification={notification} />
              ) : (
                <>
                  <PersonCard notificationId={id} search={search} onSearch={onSearch} copy={copy} />
                  <FilesCard files={notification.attachments} />
                </>
              )}
            </div>
          </div>
        </div>
      ) : (
        <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem] min-[90rem]:grid-cols-[minmax(0,1fr)_25rem]">
          <MessageCard notification={notification} />
          {waits && (
            <SchedulePanel notification={notification} onEdit={() => show("schedule", { replace: false })} />
          )}
        </div>
      )}
      <RunAnnouncer runs={[notification]} />
      <CancelRun row={stopping ? notification : undefined} onClose={() => setStopping(false)} />
      {search.edit && !deleted && notification.kind === "message" && (
        <edit.Dialog
          open
          onOpenChange={() => show(undefined, { replace: true })}
          notification={notification}
          start={search.edit}
          onDelete={() => setDeleting(true)}
          onCopy={(copied, typed) => {
            show(undefined, { replace: true });
            onCopy(copied, typed);
          }}
        />
      )}
      {deleting && (
        <DeleteDraft
          draft={notification}
          onClose={() => setDeleting(false)}
          onDeleted={() => {
            // What was typed in the dialog is deleted too, so nothing asks about it.
            flushSync(() => setDeleted(true));
            onDeleted();
          }}
        />
      )}
    </>
  );
}

/** Warns of dates that will have passed when it goes out. */
function PlannedDates({ notification, onEdit }: Pick<Props, "notification"> & { onEdit: () => void }) {
  const clock = useOrganizationClock();
  const goesOut =
    clock && notification.scheduled_time
      ? readClock(Date.parse(notification.scheduled_time), clock.zone).day
      : undefined;
  const texts = textsOf({ ...notification, text: notification.contentText });
  return (
    <PassedDates dates={usePassedDates(texts, writtenOf(notification), goesOut)} goesOut={goesOut}>
      <div>
        <Button size="sm" onClick={onEdit}>
          Use new dates
        </Button>
      </div>
    </PassedDates>
  );
}

/** Starts a copy to those who weren't reached, on channels that reach them. */
function WriteToMissed({ id, progress }: { id: number; progress: RunProgress }) {
  const missed = missedPeople(progress);
  if (isRunning(progress) || missed === 0 || missed > MOST_NAMED) return null;
  return (
    <WriteLink write={`missed:${id}`} className={buttonClass()}>
      {`Write to the ${numberText(missed)} not reached`}
    </WriteLink>
  );
}

/**
 * A draft with content and recipients, a planned one, or one whose run never began: missed, or failed before it could.
 */
function canSend({ status, progress, content, audience, channels }: NotificationDetail): boolean {
  if (content.trim() === "" || audience.length === 0 || channels.length === 0) return false;
  return status === "Draft" || status === "Scheduled" || (status === "Failed" && progress === null);
}

function reasonTitle(status: NotificationDetail["status"]): string {
  return status === "Failed" ? "Nothing has gone out." : "";
}
