import { SearchX, Users } from "lucide-react";
import type { ReactNode } from "react";
import { deliveries } from "#contract/deliveries.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { useReadList } from "#web/api/use-read.ts";
import { deliveryColumns } from "#web/features/notifications/detail/delivery-columns.tsx";
import { changed, deliveryFilter } from "#web/features/notifications/detail/delivery-query.ts";
import type { DeliveryView, DetailSearch } from "#web/features/notifications/detail/delivery-query.ts";
import { Reasons } from "#web/features/notifications/detail/reasons.tsx";
import { ROWS_PER_PAGE } from "#web/features/notifications/list-query.ts";
import { missedPeople } from "#web/features/notifications/progress.ts";
import { useTypedSearch } from "#web/ui/use-typed-search.ts";
import { Card } from "#web/ui/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { ListStates } from "#web/ui/list-states.tsx";
import { SearchInput } from "#web/ui/search-input.tsx";
import { Segmented } from "#web/ui/segmented.tsx";

type Props = {
  notificationId: number;
  progress: RunProgress;
  search: DetailSearch;
  onSearch: (search: DetailSearch, options: { replace: boolean }) => void;
  /** What can be done about those who were not reached. */
  actions: ReactNode;
};

/** Person by person what happened, the unreached first. */
export function DeliveriesCard({ notificationId, progress, search, onSearch, actions }: Props) {
  const { show, q, page } = deliveryFilter(search);
  const read = useReadList(deliveries.list, {
    params: { id: notificationId },
    query: { show, q, page, pageSize: ROWS_PER_PAGE },
  });
  const [text, setText] = useTypedSearch(q, (next) =>
    onSearch(changed(search, { q: next }), { replace: true }),
  );
  const columns = deliveryColumns({ sent: show === "all" || show === "reached" }, ({ id }) => ({
    search: changed(search, { page, delivery: id }),
  }));
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
          segments={segments(progress)}
          value={show}
          onChange={(next) => onSearch(changed(search, { show: next }), { replace: false })}
          className="min-w-0 max-md:w-full"
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
        read={read}
        failed="Error loading the recipients"
        skeleton={<TableSkeleton columns={columns} rows={6} />}
        empty={<Nobody searching={q !== ""} view={show} />}
        pages={{
          noun: read.data?.total === 1 ? "entry" : "entries",
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
            rowKey={(row) => row.id}
            stale={stale}
          />
        )}
      </ListStates>
    </Card>
  );
}

/** How many people each view is about; on several channels it lists more entries than that. */
function segments(progress: RunProgress): { value: DeliveryView; label: string }[] {
  const { people, outcomes, peopleWaiting } = progress;
  const words = (word: string, count: number) => `${word} ${count.toLocaleString("en-US")}`;
  return [
    { value: "all", label: words("All", people) },
    { value: "unreached", label: words("Not reached", missedPeople(progress)) },
    { value: "waiting", label: words("Waiting", peopleWaiting) },
    { value: "reached", label: words("Reached", outcomes.delivered + outcomes.sent) },
  ];
}

const nobody: Record<DeliveryView, { title: string; hint: string }> = {
  all: { title: "Nobody yet", hint: "Recipients appear here as they are found." },
  unreached: {
    title: "Nobody was missed",
    hint: "Everyone it could go to has been reached or is still waiting.",
  },
  waiting: { title: "Nobody is waiting", hint: "Nothing more is going to happen by itself." },
  reached: {
    title: "Nobody has been reached yet",
    hint: "As soon as a provider takes a message it is listed here.",
  },
};

function Nobody({ searching, view }: { searching: boolean; view: DeliveryView }) {
  if (searching) {
    return (
      <EmptyState icon={<SearchX />} title="Nobody found" hint="Names, units and addresses are searched." />
    );
  }
  return <EmptyState icon={<Users />} {...nobody[view]} />;
}
