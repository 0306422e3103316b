import { Building2, SearchX } from "lucide-react";
import { useState, type ReactNode } from "react";
import { places, type PropertyRow } from "#contract/calls/places.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { dateFormat } from "#contract/text/locale.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead, useReadList } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { MergeDialog, PropertyDialog } from "#web/features/places/launcher.ts";
import { reachedText } from "#web/features/places/home-text.ts";
import { propertyColumns, type PropertyAction } from "#web/features/places/property-columns.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { DataTable, TableSkeleton } from "#web/ui/list/data-table.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";

export const ROWS_PER_PAGE = 25;

type Search = { q?: string; page?: number; archived?: "yes" };
type Props = {
  search: Search;
  onSearch: (search: Search, options: { replace: boolean }) => void;
  /** The property whose form is open. */
  editing: number | undefined;
  onEditing: (id: number | undefined) => void;
  emptyAction: ReactNode;
};

/** The list, and what opens from it. */
export function PropertiesList({ search, onSearch, editing, onEditing, emptyAction }: Props) {
  const { q = "", page = 1, archived } = search;
  const query = {
    archived: archived !== undefined,
    page,
    pageSize: ROWS_PER_PAGE,
  };
  const read = useReadList(places.list, { query: q === "" ? query : { q, ...query } }, { fresh: true });
  const [merging, setMerging] = useState<PropertyRow>();
  const archive = useArchive();
  const change = (to: Search, replace: boolean) => {
    const { q: text, page: turned, archived: old } = { ...search, page: 1, ...to };
    onSearch(
      {
        ...(text ? { q: text } : {}),
        ...(turned && turned > 1 ? { page: turned } : {}),
        ...(old ? { archived: old } : {}),
      },
      { replace },
    );
  };
  const act = (action: PropertyAction, property: PropertyRow) => {
    if (action === "edit") onEditing(property.id);
    else if (action === "merge") setMerging(property);
    else void archive(property, action === "archive");
  };
  const today = read.data?.rows[0]?.today;
  const month = today && dateFormat({ month: "long", timeZone: "UTC" }).format(Date.parse(today));
  const columns = propertyColumns({ month, onAction: act });
  return (
    <Card aria-label="Properties" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <ListToolbar
        label="Search properties"
        placeholder="Search properties..."
        q={q}
        onSearch={(next) => change({ q: next }, true)}
        order="By name, A to Z"
      >
        <Segmented
          label="Which properties"
          segments={[
            { value: "no", label: "Current" },
            { value: "yes", label: "Archived" },
          ]}
          value={archived ?? "no"}
          onChange={(value) =>
            onSearch({ ...(q && { q }), ...(value === "yes" ? { archived: "yes" } : {}) }, { replace: false })
          }
        />
      </ListToolbar>
      <ListStates
        read={read}
        failed="Error loading properties"
        skeleton={<TableSkeleton fixed columns={columns} rows={6} />}
        empty={
          <NoProperty
            q={q}
            archived={archived !== undefined}
            onClear={() => change({ q: "" }, true)}
            action={emptyAction}
          />
        }
        pages={{
          noun: ["property", "properties"],
          page,
          pageSize: ROWS_PER_PAGE,
          onPage: (next, { replace }) => change({ page: next }, replace),
        }}
        footer={<Totals q={q} archived={archived !== undefined} />}
      >
        {(rows, stale) => (
          <DataTable
            fixed
            label="Properties"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            stale={stale}
          />
        )}
      </ListStates>
      <PropertyDialog
        open={editing !== undefined}
        onOpenChange={() => onEditing(undefined)}
        propertyId={editing}
      />
      {merging && <MergeDialog open property={merging} onOpenChange={() => setMerging(undefined)} />}
    </Card>
  );
}

/** What all listed properties have together, also on other pages. */
function Totals({ q, archived }: { q: string; archived: boolean }) {
  const query = { archived, ...(q && { q }) };
  const { data } = useRead(places.totals, { query }, { fresh: true, keep: true });
  if (!data) return null;
  const { homes, people: living, occupied, reachable } = data;
  return ["", counted(homes, "home"), people(living), occupied > 0 && reachedText({ occupied, reachable })]
    .filter((part) => part !== false)
    .join(" · ");
}

/** Archives a property or brings it back, which the toast can undo. */
function useArchive() {
  const { mutateAsync } = useWrite(places.update, { refreshes: [places.list, places.property] });
  const undo = useUndo();
  return async ({ id, name }: PropertyRow, archived: boolean) => {
    const said = (done: boolean) => ({
      title: done ? "Property archived" : "Property restored",
      description: `“${isolated(name)}” ${done ? "is out of the list. Its history stays." : "is back in the list."}`,
    });
    try {
      await mutateAsync({ params: { id }, body: { archived } });
      toast({
        ...said(archived),
        action: undo({
          make: () => call(places.update, { params: { id }, body: { archived: !archived } }),
          refreshes: [places.list, places.property],
          done: said(!archived),
        }),
      });
    } catch (error) {
      toast({ title: "Not archived", description: reasonOf(error), variant: "destructive" });
    }
  };
}

type NoneProps = { q: string; archived: boolean; onClear: () => void; action: ReactNode };

function NoProperty({ q, archived, onClear, action }: NoneProps) {
  if (q)
    return (
      <EmptyState
        icon={<SearchX />}
        title="No properties found"
        hint={`No property has “${isolated(q)}” in its name or address.`}
        action={<Button onClick={onClear}>Clear search</Button>}
      />
    );
  if (archived)
    return (
      <EmptyState
        icon={<Building2 />}
        title="No archived properties"
        hint="What you archive is kept here with its history."
      />
    );
  return (
    <EmptyState
      icon={<Building2 />}
      title="No properties yet"
      hint="They appear as soon as someone has a Property/Unit. You can also add one here."
      action={action}
    />
  );
}
