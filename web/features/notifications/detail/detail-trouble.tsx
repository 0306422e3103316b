import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { BackLink } from "#web/features/notifications/detail/detail-header.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";

/** There is no notification at this URL. */
export function DetailMissing({ hint }: { hint?: string }) {
  return (
    <>
      <PageHeader title="Notification" above={<BackLink />} />
      <Card>
        <EmptyState
          icon={<SearchX />}
          title="Notification not found"
          hint={hint ?? "The link may be wrong. You'll find every notification in the list."}
          action={
            <Link to="/notifications" className={buttonClass()}>
              All notifications
            </Link>
          }
        />
      </Card>
    </>
  );
}

type ErrorProps = { detail: string | undefined; busy: boolean; onRetry: () => void };

export function DetailError({ detail, busy, onRetry }: ErrorProps) {
  return (
    <>
      <PageHeader title="Notification" above={<BackLink />} />
      <Card>
        <ErrorState
          title="Error loading notification details"
          detail={detail}
          busy={busy}
          onRetry={onRetry}
        />
      </Card>
    </>
  );
}
