import { SearchX, Users } from "lucide-react";
import type { ReactNode } from "react";
import { deliveries } from "#contract/calls/deliveries.ts";
import { peopleOf } from "#contract/delivery.ts";
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
import { byPerson, recipientColumns } from "#web/features/notifications/detail/recipient-columns.tsx";
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

/** What happened, person by person, those not reached first. */
export function DeliveriesCard({ notificationId, progress, search, onSearch, onRetry, actions }: Props) {
  const { show, q, page } = deliveryFilter(search);
  const read = useReadList(deliveries.list, {
    params: { id: notificationId },
    query: { show, q, page, pageSize: ROWS_PER_PAGE },
  });
  // Only replies to text messages come here. Those to emails go to the organization's mailbox.
  const replies = useReadList(
    deliveries.list,
    { params: { id: notificationId }, query: { show: "replied", pageSize: 1 } },
    { enabled: progress.byChannel.sms !== undefined },
  );
  const [text, setText] = useTypedSearch(q, (next) =>
    onSearch(changed(search, { q: next }), { replace: true }),
  );
  const columns = recipientColumns(
    {
      calls: show === "unreached" || show === "opted-out" || show === "cancelled",
      onRetry: progress.state === "finished" ? onRetry : undefined,
    },
    ({ id }) => ({ search: changed(search, { page, delivery: id }) }),
  );
  return (
    <Card aria-labelledby="people" className="min-w-0 cards:border-0 cards:bg-transparent cards:shadow-none">
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5 cards:px-0">
        <h2 id="people" className="text-base font-semibold">
          Person by person
        </h2>
        {actions}
      </div>
      <div className="flex flex-wrap items-center gap-2 px-3 pb-3 cards:px-0">
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
      <div className="cards:rounded-lg cards:border cards:border-line cards:bg-card cards:empty:hidden cards:mb-3 cards:*:border-t-0">
        <Reasons progress={progress} view={show} />
      </div>
      <ListStates
        read={{ ...read, data: read.data && { ...read.data, rows: byPerson(read.data.rows) } }}
        failed="Error loading the recipients"
        skeleton={<TableSkeleton columns={columns} rows={6} />}
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
  return [
    { value: "all", label: words("All", people) },
    { value: "unreached", label: words("Not reached", missedPeople(progress)) },
    { value: "waiting", label: words("Waiting", peopleWaiting) },
    { value: "reached", label: words("Reached", peopleOf(outcomes, "reached")) },
    ...(outcomes["opted-out"] > 0
      ? [{ value: "opted-out" as const, label: words("Opted out", outcomes["opted-out"]) }]
      : []),
    ...(outcomes.cancelled > 0
      ? [{ value: "cancelled" as const, label: words("Cancelled", outcomes.cancelled) }]
      : []),
    ...(replied > 0 ? [{ value: "replied" as const, label: words("Replied", replied) }] : []),
  ];
}

const nobody: Record<DeliveryView, { title: string; hint: string }> = {
  all: { title: "No one yet", hint: "Recipients appear here as we find them." },
  unreached: {
    title: "No one was missed",
    hint: "Everyone has been reached, is still waiting, or has opted out.",
  },
  waiting: { title: "No one is waiting", hint: "Everything has been sent or has failed." },
  reached: {
    title: "No one has been reached yet",
    hint: "People appear here as soon as a provider accepts their message.",
  },
  "opted-out": { title: "No one has opted out", hint: "Everyone accepts at least one of these channels." },
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
