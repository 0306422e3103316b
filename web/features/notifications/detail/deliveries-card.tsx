import { SearchX, Users } from "lucide-react";
import type { ReactNode } from "react";
import { deliveries } from "#contract/calls/deliveries.ts";
import { channels, peopleOf } from "#contract/delivery.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { numberText } from "#contract/text/locale.ts";
import { useReadList } from "#web/api/use-read.ts";
import {
  changed,
  deliveryFilter,
  type DeliveryView,
  type DetailSearch,
} from "#web/features/notifications/detail/delivery-query.ts";
import { Reasons } from "#web/features/notifications/detail/reasons.tsx";
import { recipientColumns } from "#web/features/notifications/detail/recipient-columns.tsx";
import { leadOf, useRecipients } from "#web/features/notifications/detail/recipients.ts";
import { StatusLegend } from "#web/features/notifications/detail/status-legend.tsx";
import { ROWS_PER_PAGE } from "#web/features/notifications/list-query.ts";
import { missedPeople } from "#web/features/notifications/progress.ts";
import { useTypedSearch } from "#web/ui/list/use-typed-search.ts";
import { Card } from "#web/ui/page/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/list/data-table.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { SearchInput } from "#web/ui/list/search-input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";

type Props = {
  notificationId: number;
  progress: RunProgress;
  search: DetailSearch;
  onSearch: (search: DetailSearch, options: { replace: boolean }) => void;
  /** Opens the question of the retry. */
  onRetry: () => void;
  /** Actions for those who were not reached. */
  actions: ReactNode;
};

/** What happened, a line a person, those not reached first. */
export function DeliveriesCard({ notificationId, progress, search, onSearch, onRetry, actions }: Props) {
  const { show, q, page } = deliveryFilter(search);
  const read = useRecipients(notificationId, search);
  // Only replies to text messages come here. Those to emails go to the organization's mailbox.
  const replies = useReadList(
    deliveries.list,
    { params: { id: notificationId }, query: { show: "replied", pageSize: 1 } },
    { enabled: progress.byChannel.sms !== undefined },
  );
  const [text, setText] = useTypedSearch(q, (next) =>
    onSearch(changed(search, { q: next }), { replace: true }),
  );
  const rows = read.data?.rows;
  const inRun = channels.filter((channel) => progress.byChannel[channel] !== undefined);
  // The people of some views have only the channels that count for them.
  const shown = rows?.length ? inRun.filter((one) => rows[0]?.some(({ channel }) => channel === one)) : inRun;
  const chosen = rows?.flat().find(({ id }) => id === search.delivery)?.channel;
  const columns = recipientColumns({
    channels: shown,
    simulated: progress.simulated
      ? progress.simulatedChannels.length > 0
        ? progress.simulatedChannels
        : inRun
      : [],
    calls: show === "unreached" || show === "opted-out" || show === "cancelled",
    onRetry: progress.state === "finished" ? onRetry : undefined,
    link: ({ id }) => ({ search: changed(search, { page, delivery: id }) }),
    lead: (recipient) => leadOf(recipient, chosen),
  });
  return (
    <Card aria-labelledby="people" className="min-w-0 cards:border-0 cards:bg-transparent cards:shadow-none">
      <h2 id="people" className="sr-only">
        Person by person
      </h2>
      <div className="flex flex-wrap items-center gap-2 p-3 cards:px-0 cards:pt-0">
        <Segmented
          label="Which people"
          segments={segments(progress, replies.data?.total ?? 0)}
          value={show}
          onChange={(next) => onSearch(changed(search, { show: next }), { replace: false })}
          className="min-w-0 flex-wrap max-md:w-full"
        />
        <SearchInput
          slash
          label="Search people"
          placeholder="Search people"
          value={text}
          onChange={setText}
          className="min-w-44 flex-1"
        />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line px-4 py-1.5 empty:hidden cards:border-t-0 cards:px-0 print:hidden">
        {shown.length > 1 && <StatusLegend progress={progress} />}
        {actions}
      </div>
      <div className="cards:mb-3 cards:rounded-lg cards:border cards:border-line cards:bg-card cards:empty:hidden cards:*:border-t-0">
        <Reasons progress={progress} view={show} />
      </div>
      <ListStates
        read={read}
        failed="Error loading the recipients"
        skeleton={<TableSkeleton dense fixed columns={columns} rows={8} />}
        empty={<NoPeople searching={q !== ""} view={show} />}
        pages={{
          noun: ["person", "people"],
          page,
          pageSize: ROWS_PER_PAGE,
          onPage: (next, options) => onSearch(changed(search, { page: next }), options),
        }}
      >
        {(rows, stale) => (
          <DataTable
            label="Recipients"
            columns={columns}
            rows={rows}
            rowKey={([first]) => first.userId}
            stale={stale}
            dense
            fixed
          />
        )}
      </ListStates>
    </Card>
  );
}

/** How many people each view lists. */
function segments(progress: RunProgress, replied: number): { value: DeliveryView; label: string }[] {
  const { people, outcomes, peopleWaiting } = progress;
  const words = (word: string, count: number) => `${word} ${numberText(count)}`;
  const { delivered } = outcomes;
  const sent = peopleOf(outcomes, "reached") - delivered;
  return [
    { value: "all", label: words("All", people) },
    { value: "unreached", label: words("Not reached", missedPeople(progress)) },
    ...(peopleWaiting > 0 ? [{ value: "waiting" as const, label: words("Waiting", peopleWaiting) }] : []),
    ...(sent > 0
      ? [{ value: "sent" as const, label: words(delivered > 0 ? "Sent only" : "Sent", sent) }]
      : []),
    ...(delivered > 0 || sent === 0
      ? [{ value: "delivered" as const, label: words("Delivered", delivered) }]
      : []),
    ...(outcomes["opted-out"] > 0
      ? [{ value: "opted-out" as const, label: words("Turned off", outcomes["opted-out"]) }]
      : []),
    ...(outcomes.cancelled > 0
      ? [
          {
            value: "cancelled" as const,
            label: words(leavesOut(progress) ? "Left out" : "Cancelled", outcomes.cancelled),
          },
        ]
      : []),
    ...(replied > 0 ? [{ value: "replied" as const, label: words("Replied", replied) }] : []),
  ];
}

/** Whether its schedule left people out, and no one's message was stopped. */
const leavesOut = ({ counts, reasons }: RunProgress) =>
  counts.cancelled === 0 && reasons.some(({ reason }) => reason === "settled");

const nobody: Record<DeliveryView, { title: string; hint: string }> = {
  all: { title: "No one yet", hint: "Recipients appear here as we find them." },
  unreached: {
    title: "No one was missed",
    hint: "Everyone has been reached, is still waiting, or has turned it off.",
  },
  waiting: { title: "No one is waiting", hint: "Everything has been sent or has failed." },
  reached: {
    title: "No one has been reached yet",
    hint: "People appear here as soon as a provider accepts their message.",
  },
  sent: { title: "No one is without a receipt", hint: "Everyone who was reached has one." },
  delivered: { title: "Nothing has arrived yet", hint: "People appear here as soon as a provider says so." },
  "opted-out": {
    title: "No one has turned it off",
    hint: "Everyone accepts at least one of these channels.",
  },
  replied: { title: "No one has replied", hint: "Text messages that people write back appear here." },
  cancelled: { title: "Nothing was cancelled", hint: "No one's message was stopped before it went out." },
};

function NoPeople({ searching, view }: { searching: boolean; view: DeliveryView }) {
  if (searching) {
    return (
      <EmptyState icon={<SearchX />} title="No one found" hint="We search names, units and addresses." />
    );
  }
  return <EmptyState icon={<Users />} {...nobody[view]} />;
}
