import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Download, ScrollText, SearchX } from "lucide-react";
import { audit, type AuditEvent } from "#contract/calls/audit.ts";
import { numberText } from "#contract/text/locale.ts";
import { address, send } from "#web/api/client.ts";
import { useReadList } from "#web/api/use-read.ts";
import { AuditEntry } from "#web/features/audit/audit-entry.tsx";
import { AuditToolbar } from "#web/features/audit/audit-toolbar.tsx";
import {
  ROWS_PER_PAGE,
  auditFilter,
  auditSearch,
  isFiltered,
  noFilter,
  type AuditFilter,
  type AuditSearch,
} from "#web/features/audit/list-query.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { downloadFile } from "#web/ui/browser/download-file.ts";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { day, nearbyDay, placeOf } from "#web/ui/time/format-time.ts";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { useZone } from "#web/ui/time/when.tsx";

type Props = {
  /** What the address says. */
  search: AuditSearch;
  /** `replace`: leaves no history entry, for instance while typing a search. */
  onSearch: (search: AuditSearch, options: { replace: boolean }) => void;
};

/** Who did what: day by day, newest first. */
export function AuditLog({ search, onSearch }: Props) {
  const filter = auditFilter(search);
  const { page, ...query } = filter;
  const read = useReadList(
    audit.list,
    { query: { ...query, page, pageSize: ROWS_PER_PAGE } },
    { fresh: true },
  );
  const change = (to: Partial<AuditFilter>) => onSearch(auditSearch(filter, to), { replace: "q" in to });
  return (
    <>
      <PageHeader
        title="Audit Log"
        help="audit-log"
        subtitle="Who did what, when and from where"
        above={<BackLink />}
        actions={<ExportButton query={query} total={read.data?.total} about={read.data?.about ?? false} />}
      />
      <Card aria-label="Events" className="max-md:border-0 max-md:bg-transparent max-md:shadow-none">
        <AuditToolbar filter={filter} onFilter={change} />
        <ListStates
          read={read}
          failed="Error loading the audit log"
          skeleton={<LoadingEvents />}
          empty={<NoEvents filtered={isFiltered(filter)} onClear={() => change(noFilter)} />}
          pages={{
            noun: ["event", "events"],
            page,
            pageSize: ROWS_PER_PAGE,
            onPage: (next, options) => onSearch(auditSearch(filter, { page: next }), options),
          }}
        >
          {(rows, stale) => <Days events={rows} stale={stale} />}
        </ListStates>
      </Card>
    </>
  );
}

function BackLink() {
  return (
    <Link
      to="/settings"
      className="inline-flex items-center gap-2 self-start text-sm text-ink-2 hover:text-ink print:hidden"
    >
      <ArrowLeft aria-hidden className="size-4" />
      Settings
    </Link>
  );
}

type ExportProps = { query: Omit<AuditFilter, "page">; total: number | undefined; about: boolean };

function ExportButton({ query, total, about }: ExportProps) {
  const write = useMutation({
    mutationFn: async () => (await send(audit.export, address(audit.export.path, { query }))).blob(),
    onSuccess: (file) => downloadFile("audit log.csv", file),
    onError: (error) => toast({ variant: "destructive", title: "Export Failed", description: error.message }),
  });
  const count = total === undefined ? "" : ` (${about ? "about " : ""}${numberText(total)})`;
  return (
    <Button
      icon={<Download aria-hidden />}
      busy={write.isPending}
      disabled={!total}
      onClick={() => write.mutate()}
    >
      {`Export CSV${count}`}
    </Button>
  );
}

function Days({ events, stale }: { events: readonly AuditEvent[]; stale: boolean }) {
  const zone = useZone();
  const days = Map.groupBy(events, ({ at }) => day(at, { zone }));
  return (
    <div aria-busy={stale || undefined} className={cx(stale && "cursor-progress")}>
      {[...days].map(([date, ofDay], place) => {
        const word = nearbyDay(ofDay[0]?.at ?? "", { zone });
        return (
          <section key={date} aria-label={word === date ? date : `${word}, ${date}`}>
            <h2 className="border-y border-line bg-sunk px-4 py-2 text-sm max-md:rounded-md max-md:border-0 md:[div>section:first-child>&]:border-t-0">
              <strong className="font-semibold">{word}</strong>
              <span className="ml-2 text-ink-2">
                {[word !== date && date, place === 0 && zone && `${placeOf(zone)} time`]
                  .filter(Boolean)
                  .join(", ")}
              </span>
            </h2>
            <ol className="divide-y divide-line">
              {ofDay.map((event) => (
                <AuditEntry key={event.id} event={event} />
              ))}
            </ol>
          </section>
        );
      })}
    </div>
  );
}

function NoEvents({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      icon={<SearchX />}
      title="No matching events found"
      hint="We search the names of people and things, blocked addresses and IP addresses. Try fewer words or clear the filters."
      action={<Button onClick={onClear}>Clear search and filters</Button>}
    />
  ) : (
    <EmptyState
      icon={<ScrollText />}
      title="No events yet"
      hint="Sign-ins and changes will be listed here."
    />
  );
}

function LoadingEvents() {
  return (
    <div aria-hidden className="divide-y divide-line">
      {Array.from({ length: 8 }, (_, place) => (
        <div key={place} className="flex items-center gap-4 px-4 py-4">
          <Skeleton className="size-8 rounded-full" />
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="ml-auto h-4 w-32 max-md:hidden" />
        </div>
      ))}
    </div>
  );
}
