import { Link } from "@tanstack/react-router";
import { useState, type ComponentType } from "react";
import { monthText } from "#contract/calls/archive.ts";
import { deliveryStatusMeaning } from "#contract/delivery.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { users, type UserDetail } from "#contract/calls/users.ts";
import { useReadList } from "#web/api/use-read.ts";
import { PanelSection } from "#web/features/users/person/panel-section.tsx";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { When } from "#web/ui/time/when.tsx";

const PAGE_SIZE = 10;

type Sent = ReplyOf<typeof users.deliveries>[number];
/** Renders a delivery's outcome. The notifications feature provides the badge. */
export type Outcome = ComponentType<Pick<Sent, "status" | "simulated">>;

/** Everything that was sent to this person, with its outcome. */
export function PersonDeliveries({ person, Outcome }: { person: UserDetail; Outcome: Outcome }) {
  const [page, setPage] = useState(1);
  const read = useReadList(users.deliveries, {
    params: { id: person.id },
    query: { page, pageSize: PAGE_SIZE },
  });
  return (
    <PanelSection title="Sent to this person">
      <ListStates
        read={read}
        failed="Error loading messages"
        skeleton={<Skeleton className="h-32 rounded-md" />}
        empty={
          <p className="text-sm text-ink-2">
            {person.archivedThrough
              ? "Nothing has been sent to this person since."
              : "Nothing has been sent to this person yet."}
          </p>
        }
        pages={{ noun: ["message", "messages"], page, pageSize: PAGE_SIZE, onPage: setPage }}
      >
        {(messages, stale) => (
          <ul
            aria-busy={stale || undefined}
            className={cx("divide-y divide-line rounded-md border border-line", stale && "cursor-progress")}
          >
            {messages.map((sent) => (
              <SentRow key={sent.id} sent={sent} Outcome={Outcome} />
            ))}
          </ul>
        )}
      </ListStates>
      {person.archivedThrough && (
        <p className="mt-2 text-sm text-ink-2">
          Delivery details up to {monthText(person.archivedThrough)} are no longer listed here.
        </p>
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
          <bdi translate="no">{sent.title}</bdi>
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
