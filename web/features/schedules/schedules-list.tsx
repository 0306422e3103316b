import { CalendarClock, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";
import { schedules } from "#contract/calls/schedules.ts";
import type { Schedule } from "#contract/calls/schedule-replies.ts";
import { numberText } from "#contract/text/locale.ts";
import { useReadList } from "#web/api/use-read.ts";
import { ConfirmAction, type Asking } from "#web/features/schedules/confirm-action.tsx";
import { useSchedulePeople } from "#web/features/schedules/reads.ts";
import { scheduleColumns } from "#web/features/schedules/schedule-columns.tsx";
import { withUnsent } from "#web/features/schedules/unsent-cell.tsx";
import { DiscardUnsent } from "#web/domain/unsent/discard-unsent.tsx";
import type { UnsentActions } from "#web/domain/unsent/unsent-cells.tsx";
import { isUnsent, mergeUnsent, type Unsent } from "#web/domain/unsent/unsent.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/list/data-table.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/page/tabs.tsx";

const ROWS_PER_PAGE = 25;

/** The search parameters of the list: ?tab=all&q=rent&page=2&schedule=12 */
type ListSearch = { tab?: "all"; q?: string; page?: number; schedule?: number };

/** What this browser keeps, and what can be done with it. */
export type KeptSchedules = {
  /** Newest first. */
  unsent: readonly Unsent[];
  unsentActions: UnsentActions;
};

type Props = KeptSchedules & {
  search: ListSearch;
  /** `replace`: leaves no history entry, for instance while typing a search. */
  onSearch: (search: ListSearch, options: { replace: boolean }) => void;
  onEdit: (schedule: Schedule) => void;
  /** Cancels a scheduled notification, after asking. */
  onCancel: (schedule: Schedule) => void;
  emptyAction: ReactNode;
};

export function SchedulesList(props: Props) {
  const { search, onSearch, onEdit, onCancel, emptyAction, unsent, unsentActions } = props;
  const [discarding, setDiscarding] = useState<Unsent>();
  const { tab = "active", q = "", page = 1 } = search;
  const [asking, setAsking] = useState<Asking>();
  const read = useReadList(schedules.list, { query: { tab, q, page, pageSize: ROWS_PER_PAGE } });
  const counted = useSchedulePeople(read.data?.rows.map(({ id }) => id) ?? []);
  const open = ({ id }: Schedule) => ({ ...search, schedule: id });
  const change = (to: Omit<ListSearch, "page" | "schedule">, replace: boolean) =>
    onSearch(
      {
        ...(to.tab ? { tab: to.tab } : {}),
        ...(to.q ? { q: to.q } : {}),
        // One may have been opened before the pause after typing was over.
        ...(search.schedule === undefined ? {} : { schedule: search.schedule }),
      },
      { replace },
    );
  const keepTab = tab === "all" ? { tab } : {};
  const stored = scheduleColumns({
    counted,
    link: (schedule) => ({
      search: open(schedule),
      ...(search.schedule === schedule.id ? { "aria-current": "true" as const } : {}),
    }),
    onEdit,
    onCancel,
    onAsk: setAsking,
    onOpen: (schedule) => onSearch(open(schedule), { replace: false }),
  });
  const columns = withUnsent(stored, { ...unsentActions, onDiscard: setDiscarding });
  const merged = mergeUnsent(read.data ?? { rows: [], total: 0 }, unsent, { q, page });
  const shownRows: (Schedule | Unsent)[] = [...merged.unsent, ...merged.rows];

  return (
    <Card aria-label="Schedules" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <Tabs
        value={tab}
        onValueChange={(next) => change({ ...(next === "all" ? { tab: next } : {}), q }, false)}
      >
        <ListToolbar
          label="Search schedules"
          placeholder="Search schedules..."
          q={q}
          onSearch={(next) => change({ ...keepTab, q: next }, true)}
          before={
            <TabList aria-label="Which schedules" className="max-md:w-full">
              <Tab value="active">
                Active <Total tab="active" q={q} />
              </Tab>
              <Tab value="all">
                All Schedules <Total tab="all" q={q} />
              </Tab>
            </TabList>
          }
        />
        <TabPanel value={tab}>
          <ListStates
            read={read}
            failed="Error loading schedules"
            skeleton={<TableSkeleton columns={columns} rows={6} />}
            empty={
              q === "" ? (
                <EmptyState
                  icon={<CalendarClock />}
                  title={tab === "active" ? "No active schedules found" : "No schedules found"}
                  hint="A schedule sends a template or a notification automatically, once or on a regular basis."
                  action={emptyAction}
                />
              ) : (
                <EmptyState
                  icon={<SearchX />}
                  title={tab === "active" ? "No active schedules found" : "No schedules found"}
                  hint="We search names and recipients. Try fewer words."
                  action={<Button onClick={() => change(keepTab, false)}>Clear search</Button>}
                />
              )
            }
            shown={{ rows: shownRows, total: merged.total, paged: read.data?.total ?? 0 }}
            pages={{
              noun: ["schedule", "schedules"],
              page,
              pageSize: ROWS_PER_PAGE,
              onPage: (next, options) => onSearch({ ...search, page: next }, options),
            }}
          >
            {(rows, stale) => (
              <DataTable
                label="Schedules"
                columns={columns}
                rows={rows}
                rowKey={(row) => (isUnsent(row) ? `local-${row.clientKey}` : row.id)}
                stale={stale}
              />
            )}
          </ListStates>
        </TabPanel>
      </Tabs>
      <ConfirmAction asking={asking} onClose={() => setAsking(undefined)} />
      <DiscardUnsent
        unsent={discarding}
        onDiscard={unsentActions.onDiscard}
        onClose={() => setDiscarding(undefined)}
      />
    </Card>
  );
}

/** The number of schedules in a tab. */
function Total({ tab, q }: { tab: "active" | "all"; q: string }) {
  const { data } = useReadList(schedules.list, { query: { tab, q, page: 1, pageSize: 1 } });
  return data ? <span className="ml-1 text-ink-2 tabular">{numberText(data.total)}</span> : null;
}
