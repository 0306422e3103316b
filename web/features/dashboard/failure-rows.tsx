import { Link } from "@tanstack/react-router";
import { UserX } from "lucide-react";
import { useState } from "react";
import { dashboard, type DashboardFigures } from "#contract/calls/dashboard.ts";
import { people } from "#contract/text/count-text.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { numberText } from "#contract/text/locale.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRefresh } from "#web/api/use-read.ts";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { leaveListItem } from "#web/ui/dialog/return-focus.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Failures = DashboardFigures["failures"];

const SHOWN = 3;
const moreClass =
  "inline-flex items-center font-semibold hover:underline hover:underline-offset-4 touch:min-h-11";

/** What didn't reach everyone, as rows of "Needs attention": the newest, and the others once someone asks for them. */
export function useFailureRows({ total, newest }: Failures = { total: 0, newest: [] }) {
  const [all, setAll] = useState(false);
  const shown = all ? newest : newest.slice(0, SHOWN);
  const rows = shown.map((failure) => <FailureRow key={`notification-${failure.id}`} failure={failure} />);
  const more = total - shown.length;
  if (more > 0) {
    const text = `Show ${numberText(more)} more`;
    rows.push(
      <li key="more" className="flex min-h-10 items-center text-sm">
        {shown.length < newest.length ? (
          <button
            type="button"
            className={moreClass}
            onClick={({ currentTarget }) => {
              leaveListItem(currentTarget);
              setAll(true);
            }}
          >
            {text}
          </button>
        ) : (
          <Link to="/notifications" search={{ status: "Failures" }} className={moreClass}>
            {text}
          </Link>
        )}
      </li>,
    );
  }
  return rows;
}

function FailureRow({ failure }: { failure: Failures["newest"][number] }) {
  const { id, title, status, reason, missed } = failure;
  const { busy, dismiss } = useDismiss(failure);
  const unreached = people(missed);
  const params = { id: String(id) };
  const look = buttonClass({ size: "sm" });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <UserX aria-hidden className="size-5 shrink-0 self-start text-bad" />
      <div className="min-w-56 flex-1 max-sm:min-w-[calc(100%-2.25rem)]">
        <p className="font-semibold">{missed > 0 ? `${unreached} not reached` : status}</p>
        <p className="break-words text-ink-2">
          <bdi translate="no">{title}</bdi>
          {reason && `. ${reason}`}
        </p>
      </div>
      {/* On a phone, below the words. */}
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-2 max-sm:ml-9">
        {missed > 0 ? (
          <Link to="/notifications/$id" params={params} search={{ show: "unreached" }} className={look}>
            Review {unreached}
            <span className="sr-only">
              {" "}
              of <bdi translate="no">{title}</bdi>
            </span>
          </Link>
        ) : (
          <Link to="/notifications/$id" params={params} className={look}>
            Review
            <span className="sr-only">
              {" "}
              <bdi translate="no">{title}</bdi>
            </span>
          </Link>
        )}
        <Button
          variant="ghost"
          size="sm"
          disabled={busy}
          onClick={({ currentTarget }) => {
            leaveListItem(currentTarget);
            void dismiss();
          }}
        >
          Dismiss
          <span className="sr-only">
            {" "}
            <bdi translate="no">{title}</bdi>
          </span>
        </Button>
      </span>
    </li>
  );
}

function useDismiss({ id, title, missed }: Failures["newest"][number]) {
  const refresh = useRefresh();
  const undo = useUndo();
  const [busy, setBusy] = useState(false);
  const write = (seen: number | null) =>
    call(notifications.dismiss, { params: { id }, body: { missed: seen } });
  const dismiss = async () => {
    setBusy(true);
    try {
      await write(missed);
      toast({
        title: "Notification Dismissed",
        description: title,
        action: undo({
          make: () => write(null),
          refreshes: [dashboard.read],
          done: { title: "Dismissal Undone", description: title },
        }),
      });
    } catch (error) {
      toast({ variant: "destructive", title: "Not dismissed", description: reasonOf(error) });
    } finally {
      // Also after a failure, because someone else may have been faster.
      await refresh(dashboard.read);
      setBusy(false);
    }
  };
  return { busy, dismiss };
}
