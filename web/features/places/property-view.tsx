import { Link } from "@tanstack/react-router";
import { Archive, ArrowLeft, Building2, DoorOpen, LogOut, Pencil, SearchX } from "lucide-react";
import { useDeferredValue, useState, type ReactNode } from "react";
import type { ReplyOf } from "#contract/endpoint.ts";
import { places, type Home } from "#contract/calls/places.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { compareNames } from "#contract/text/fold.ts";
import { isolated } from "#contract/text/isolate.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useRead, useRefresh } from "#web/api/use-read.ts";
import { WriteLink } from "#web/domain/write-link.tsx";
import { gridOf } from "#web/features/places/grid.ts";
import { buildingShown, matchesHome } from "#web/features/places/home-search.ts";
import { HomeGrid } from "#web/features/places/home-grid.tsx";
import type { Outcome } from "#web/features/places/home-notices.tsx";
import { HomePanel } from "#web/features/places/home-panel.tsx";
import { HomeTable } from "#web/features/places/home-table.tsx";
import { homeLook, homeName, homeStates, reachedText, stateOf } from "#web/features/places/home-text.ts";
import { AddHomes, CorrectHomes, PropertyDialog } from "#web/features/places/launcher.ts";
import { SelectionBar } from "#web/features/places/selection-bar.tsx";
import { UnreachedTable } from "#web/features/places/unreached-table.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { useMedia } from "#web/ui/browser/use-media.ts";
import { Banner } from "#web/ui/feedback/banner.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";

type Search = {
  building?: string;
  view?: "list" | "grid";
  q?: string;
  reach?: "none";
  home?: number | undefined;
};
type Props = {
  id: number;
  search: Search;
  onSearch: (search: Search, options: { replace: boolean }) => void;
  Outcome: Outcome;
};
type Property = ReplyOf<typeof places.property>;

/** One property: its homes by floors and stacks, or as a list, and the home that is open. */
export function PropertyView({ id, ...rest }: Props) {
  const read = useRead(places.property, { params: { id } }, { fresh: true });
  return (
    <ReadStates
      card
      read={read}
      failed="Error loading this property"
      missing={<PropertyMissing />}
      skeleton={<Waiting />}
    >
      {(property) => <Loaded property={property} {...rest} />}
    </ReadStates>
  );
}

export function PropertyMissing() {
  return (
    <>
      <PageHeader title="Property not found" above={<Back />} />
      <Card>
        <EmptyState
          icon={<Building2 />}
          title="Property not found"
          hint="It was merged into another one, or the address is wrong."
          action={
            <Link to="/properties" className={buttonClass()}>
              Open Properties
            </Link>
          }
        />
      </Card>
    </>
  );
}

const Back = () => (
  <Link
    to="/properties"
    className="flex w-fit items-center gap-2 text-sm font-medium text-ink-2 hover:text-ink touch:min-h-11"
  >
    <ArrowLeft aria-hidden className="size-4" />
    Properties
  </Link>
);

function Waiting() {
  return (
    <div aria-hidden className="flex flex-col gap-5">
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-96 rounded-lg" />
    </div>
  );
}

function Loaded({ property, search, onSearch, Outcome }: { property: Property } & Omit<Props, "id">) {
  const [editing, setEditing] = useState(false);
  const [adding, setAdding] = useState(false);
  const [correcting, setCorrecting] = useState(false);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const wide = useMedia("(width >= 48rem)");
  const { homesListed: homes } = useDeferredValue(property);
  // Those in no building are last.
  const buildings = [...new Set(homes.map(({ building }) => building))].toSorted(
    (one, other) => Number(one === "") - Number(other === "") || compareNames(one, other),
  );
  const found = homes.filter((home) => fits(home, search));
  const chosenBuilding = buildings.find((one) => one === search.building) ?? buildings[0] ?? "";
  const building = buildingShown(buildings, chosenBuilding, found);
  const hasFloors = homes.some(({ floor, stack }) => floor !== null && stack !== null);
  const view = hasFloors ? (search.view ?? (wide ? "grid" : "list")) : "list";
  const unreached = homes.filter((home) => stateOf(home) === "none").length;
  // Those that can't be reached are listed together.
  const everywhere = buildings.length < 2 || (search.reach === "none" && view === "list");
  const shown = found.filter((home) => everywhere || home.building === building);
  const change = (to: Search, replace = true) => {
    const { home: _, ...next } = { ...search, ...to };
    onSearch(Object.fromEntries(Object.entries(next).filter(([, value]) => value)), { replace });
  };
  const open = (home: number | undefined) => {
    const { home: _, ...rest } = search;
    onSearch(home === undefined ? rest : { ...rest, home }, { replace: home === undefined });
  };
  const chosen = homes.filter(({ id }) => selected.has(id));
  return (
    <>
      <PageHeader
        title={property.name}
        help="properties"
        above={<Back />}
        subtitle={subtitleOf(property)}
        actions={
          <>
            <Button icon={<DoorOpen aria-hidden />} onClick={() => setAdding(true)}>
              Add homes
            </Button>
            <Button icon={<Pencil aria-hidden />} onClick={() => setEditing(true)}>
              Edit Property
            </Button>
            {property.people > 0 && (
              <WriteLink write={`homes:${property.id}`} className={buttonClass({ variant: "ink" })} />
            )}
          </>
        }
      />
      <Notes property={property} />
      <Card aria-label="Homes" className="cards:border-0 cards:bg-transparent cards:shadow-none">
        <ListToolbar
          label="Search homes"
          placeholder="Search homes or people..."
          q={search.q ?? ""}
          onSearch={(q) => change({ q })}
          before={
            everywhere ? undefined : (
              <Segmented
                label="Building"
                segments={buildings.map((one) => ({
                  value: one,
                  label: <BuildingLabel name={one} homes={found} />,
                }))}
                value={building}
                onChange={(one) => change({ building: one })}
              />
            )
          }
        >
          {(search.reach === "none" || unreached > 0) && (
            <Segmented
              label="Which homes"
              segments={[
                { value: "all", label: "All homes" },
                { value: "none", label: <Counted count={unreached}>Can't be reached</Counted> },
              ]}
              value={search.reach ?? "all"}
              onChange={(value) => {
                const { reach: _, view: __, ...rest } = search;
                // Only the list has the reasons.
                onSearch(value === "none" ? { ...rest, reach: "none", view: "list" } : rest, {
                  replace: true,
                });
              }}
            />
          )}
          {hasFloors && (
            <Segmented
              label="View"
              segments={[
                { value: "grid", label: "Grid" },
                { value: "list", label: "List" },
              ]}
              value={view}
              onChange={(next) => change({ view: next })}
              className="ml-auto"
            />
          )}
        </ListToolbar>
        {homes.length > 0 && search.reach !== "none" && <Legend homes={shown} />}
        {shown.length === 0 ? (
          <NoHome
            search={homes.length > 0 ? search : undefined}
            onClear={() => onSearch({}, { replace: true })}
          />
        ) : view === "grid" ? (
          <HomeGrid
            grid={gridOf(shown)}
            opened={search.home}
            selected={selected}
            onOpen={open}
            onSelect={setSelected}
          />
        ) : search.reach === "none" ? (
          <UnreachedTable
            propertyId={property.id}
            homes={shown}
            opened={search.home}
            selected={selected}
            onSelect={setSelected}
          />
        ) : (
          <HomeTable homes={shown} opened={search.home} selected={selected} onSelect={setSelected} />
        )}
      </Card>
      {chosen.length > 0 && (
        <SelectionBar
          propertyId={property.id}
          homes={chosen}
          onCorrect={() => setCorrecting(true)}
          onClear={() => setSelected(new Set())}
        />
      )}
      {search.home !== undefined && (
        <HomePanel key={search.home} homeId={search.home} Outcome={Outcome} onClose={() => open(undefined)} />
      )}
      <PropertyDialog open={editing} onOpenChange={setEditing} propertyId={property.id} />
      <AddHomes open={adding} onOpenChange={setAdding} property={property} />
      <CorrectHomes open={correcting} onOpenChange={setCorrecting} homes={chosen} />
    </>
  );
}

function fits(home: Home, { q = "", reach }: Search): boolean {
  return (reach !== "none" || stateOf(home) === "none") && matchesHome(home, q);
}

function subtitleOf({ address, homes, people: living, reachable, occupied }: Property): string {
  return [
    address && isolated(address),
    counted(homes, "home"),
    people(living),
    occupied > 0 && reachedText({ occupied, reachable }),
  ]
    .filter(Boolean)
    .join(" · ");
}

function BuildingLabel({ name, homes }: { name: string; homes: readonly Home[] }) {
  return (
    <Counted count={homes.filter(({ building }) => building === name).length}>
      {name === "" ? (
        "No building"
      ) : (
        <>
          <span className="max-sm:sr-only">Building </span>
          <bdi translate="no">{name}</bdi>
        </>
      )}
    </Counted>
  );
}

const Counted = ({ count, children }: { count: number; children: ReactNode }) => (
  <span className="flex gap-1.5">
    <span>{children}</span> <span className="text-ink-2">{numberText(count)}</span>
  </span>
);

/** What its names say about it: other spellings, and what was merged into it. */
function Notes({ property: { id, spellings, merged, archived } }: { property: Property }) {
  const refresh = useRefresh();
  const separate = () =>
    void call(places.unmerge, { params: { id } })
      .then(({ message }) => toast({ title: "Merge undone", description: message }))
      .catch((error: unknown) =>
        toast({ title: "Not undone", description: reasonOf(error), variant: "destructive" }),
      )
      .finally(() => void refresh(places.property, places.list));
  if (spellings.length === 0 && !archived) return null;
  return (
    <div className="mb-4 flex flex-col gap-3">
      {archived && (
        <Banner tone="info" icon={<Archive />} title="Archived.">
          It's out of the list of properties. Restore it there.
        </Banner>
      )}
      {spellings.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2">
          <span>{`Also written ${listText(spellings.map((one) => isolated(one)))}.`}</span>
          {merged && (
            <Button size="sm" variant="ghost" onClick={separate}>
              {`Separate ${isolated(merged.name)} again`}
            </Button>
          )}
        </p>
      )}
    </div>
  );
}

/** Icon, color and meaning of each state, with how many homes have it. */
function Legend({ homes }: { homes: readonly Home[] }) {
  const soon = homes.filter(({ movesOut }) => movesOut !== null).length;
  return (
    <ul
      aria-label="How many homes can be reached"
      className="flex flex-wrap gap-x-5 gap-y-2 px-4 py-3 text-sm cards:px-1"
    >
      {homeStates.map((state) => {
        const { label, Icon, tile, mark } = homeLook[state];
        return (
          <li key={state} className="flex items-center gap-2">
            <span className={cx("grid size-5.5 place-items-center rounded-sm border", tile, mark)}>
              <Icon aria-hidden className="size-3.5" />
            </span>
            <span className="text-ink-2">{label}</span>
            <strong className="tabular font-semibold">
              {numberText(homes.filter((home) => stateOf(home) === state).length)}
            </strong>
          </li>
        );
      })}
      {soon > 0 && (
        <li className="flex items-center gap-2">
          <span className="grid size-5.5 place-items-center rounded-full bg-info-soft text-info">
            <LogOut aria-hidden className="size-3.5" />
          </span>
          <span className="text-ink-2">Moving out within 30 days</span>
          <strong className="tabular font-semibold">{numberText(soon)}</strong>
        </li>
      )}
    </ul>
  );
}

/** `search`: what none of the homes fits; undefined: there are none. */
function NoHome({ search, onClear }: { search: Search | undefined; onClear: () => void }) {
  return search ? (
    <EmptyState
      icon={<SearchX />}
      title={search.reach && !search.q ? "Every occupied home can be reached" : "No homes found"}
      action={<Button onClick={onClear}>Show all homes</Button>}
    />
  ) : (
    <EmptyState
      icon={<DoorOpen />}
      title="No homes yet"
      hint={`They appear as people get this property in their details. You can also add them here, such as ${homeName("101")}.`}
    />
  );
}
