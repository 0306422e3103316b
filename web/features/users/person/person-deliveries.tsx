import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ComponentType } from "react";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { users } from "#contract/users.ts";
import { useReadList } from "#web/api/use-read.ts";
import { PanelSection } from "#web/features/users/person/panel-section.tsx";
import { ChannelIcon } from "#web/ui/channel.tsx";
import { cx } from "#web/ui/class-names.ts";
import { ErrorState } from "#web/ui/error-state.tsx";
import { Pagination } from "#web/ui/pagination.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { When } from "#web/ui/when.tsx";

const PAGE_SIZE = 10;

type Sent = ReplyOf<typeof users.deliveries>[number];
/** Draws what came of a delivery; the notifications bring their own badge. */
export type Outcome = ComponentType<Pick<Sent, "status" | "simulated">>;

/** Everything that was sent to this person, and what came of it. */
export function PersonDeliveries({ personId, Outcome }: { personId: number; Outcome: Outcome }) {
  const [page, setPage] = useState(1);
  const { data, isPending, isPlaceholderData, isFetching, error, refetch } = useReadList(users.deliveries, {
    params: { id: personId },
    query: { page, pageSize: PAGE_SIZE },
  });
  return (
    <PanelSection title="Sent to this person">
      {isPending && <Skeleton className="h-32 rounded-md" />}
      {error && !data && (
        <ErrorState
          title="Error loading what was sent"
          detail={error.message}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {data?.total === 0 && <p className="text-sm text-ink-2">Nothing has been sent to this person yet.</p>}
      {data && data.total > 0 && (
        <>
          <ul
            aria-busy={isPlaceholderData || undefined}
            className={cx(
              "divide-y divide-line rounded-md border border-line transition-opacity",
              isPlaceholderData && "cursor-progress",
            )}
          >
            {data.rows.map((sent) => (
              <SentRow key={sent.id} sent={sent} Outcome={Outcome} />
            ))}
          </ul>
          <Pagination
            shown={data.rows.length}
            total={data.total}
            noun="messages"
            page={page}
            pageSize={PAGE_SIZE}
            onPage={setPage}
          />
        </>
      )}
    </PanelSection>
  );
}

function SentRow({ sent, Outcome }: { sent: Sent; Outcome: Outcome }) {
  const { group } = deliveryStatusMeaning[sent.status];
  return (
    <li className="relative flex items-start gap-3 px-3.5 py-3 text-sm hover:bg-hover">
      <ChannelIcon channel={sent.channel} />
      <div className="min-w-0 flex-1">
        <Link
          to="/notifications/$id"
          params={{ id: String(sent.notificationId) }}
          search={{ delivery: sent.id }}
          className="font-semibold break-words outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
        >
          <bdi>{sent.title}</bdi>
        </Link>
        <p className="text-ink-2">
          <When at={sent.at} />
        </p>
        {group !== "reached" && <p className="mt-0.5 break-words text-ink-2">{sent.sentence}</p>}
      </div>
      <span className="flex shrink-0 flex-col items-end gap-1">
        <Outcome status={sent.status} simulated={sent.simulated} />
      </span>
    </li>
  );
}
