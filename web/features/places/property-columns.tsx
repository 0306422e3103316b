import { Link } from "@tanstack/react-router";
import {
  Archive,
  ArchiveRestore,
  ArrowDownLeft,
  ArrowUpRight,
  Merge,
  MoreHorizontal,
  Pencil,
  TriangleAlert,
} from "lucide-react";
import type { PropertyRow } from "#contract/calls/places.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { numberText } from "#contract/text/locale.ts";
import { WriteLink } from "#web/domain/write-link.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { aboveRowLink, rowLink, type Column } from "#web/ui/list/data-table.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from "#web/ui/page/menu.tsx";

export type PropertyAction = "edit" | "merge" | "archive" | "restore";

/** From this share of homes without a channel on, the row warns. */
const MANY_MISSED = 0.1;

type Options = {
  /** The month that moves are counted in; undefined while it isn't known. */
  month: string | undefined;
  onAction: (action: PropertyAction, property: PropertyRow) => void;
};

export function propertyColumns({ month, onAction }: Options): Column<PropertyRow>[] {
  return [
    {
      id: "name",
      header: "Property",
      card: "title",
      className: "rows:w-[28%]",
      cell: ({ id, name, address }) => (
        <span className="flex flex-col">
          <Link to="/properties/$id" params={{ id: String(id) }} {...rowLink}>
            <bdi translate="no" className="break-words">
              {name}
            </bdi>
          </Link>
          {address && (
            <bdi translate="no" className="text-ink-2">
              {address}
            </bdi>
          )}
        </span>
      ),
    },
    {
      id: "homes",
      header: "Homes",
      card: "line",
      className: "rows:w-32",
      cell: ({ homes, occupied }) => (
        <span>
          <span>{numberText(homes)}</span>
          {homes > occupied && (
            <span className="text-ink-2">{` · ${numberText(homes - occupied)} empty`}</span>
          )}
        </span>
      ),
    },
    {
      id: "people",
      header: "People",
      card: "line",
      className: "rows:w-20",
      cell: ({ people: living }) => numberText(living),
    },
    {
      id: "reachable",
      header: "Reachable",
      card: "line",
      cell: (property) => <Reachable property={property} />,
    },
    {
      id: "moves",
      header: month ? `Moves in ${month}` : "Moves",
      card: "line",
      className: "rows:w-40 rows:snug:w-34",
      cell: (property) => <Moves property={property} />,
    },
    {
      id: "actions",
      header: "Actions",
      card: "menu",
      className: "rows:w-20 rows:text-right",
      cell: (property) => <PropertyMenu property={property} onAction={onAction} />,
    },
  ];
}

/** How many of the homes in which someone lives can be reached, and the way to the others. */
function Reachable({ property }: { property: PropertyRow }) {
  const { id, occupied, reachable, peopleMissed } = property;
  if (occupied === 0) return <span className="text-ink-2">No one lives here</span>;
  const missed = occupied - reachable;
  const many = missed / occupied >= MANY_MISSED;
  return (
    <span className="flex max-w-72 flex-col items-start gap-1.5">
      <span className={cx(many && "font-semibold text-warn")}>
        {`${numberText(reachable)} of ${numberText(occupied)} ${occupied === 1 ? "home" : "homes"} can be reached`}
      </span>
      <span aria-hidden className="h-1.5 w-full overflow-hidden rounded-full bg-line">
        <span
          className={cx("block h-full rounded-full", many ? "bg-warn" : "bg-good")}
          style={{ width: `${(reachable / occupied) * 100}%` }}
        />
      </span>
      {missed > 0 && (
        <span className="flex flex-wrap items-center gap-x-3">
          <span className={cx("flex items-center gap-1.5", many ? "text-warn" : "text-ink-2")}>
            {many && <TriangleAlert aria-hidden className="size-4 shrink-0" />}
            {`${people(peopleMissed)} would miss every notice`}
          </span>
          <Link
            to="/properties/$id"
            params={{ id: String(id) }}
            search={{ reach: "none", view: "list" }}
            className={cx(
              aboveRowLink,
              "font-medium underline underline-offset-2 touch:inline-flex touch:min-h-11 touch:items-center",
            )}
          >
            {`Review ${counted(missed, "home")}`}
          </Link>
        </span>
      )}
    </span>
  );
}

function Moves({ property: { movesIn, movesOut, nextMove } }: { property: PropertyRow }) {
  if (movesIn + movesOut === 0 && nextMove === null) return <span className="text-ink-2">No moves</span>;
  return (
    <span className="flex flex-col">
      <span className="flex flex-wrap gap-x-3">
        {movesIn > 0 && (
          <span className="inline-flex items-center gap-1">
            <ArrowDownLeft aria-hidden className="size-3.5 text-ink-3" />
            <span>{`${numberText(movesIn)} in`}</span>
          </span>
        )}
        {movesOut > 0 && (
          <span className="inline-flex items-center gap-1">
            <ArrowUpRight aria-hidden className="size-3.5 text-ink-3" />
            <span>{`${numberText(movesOut)} out`}</span>
          </span>
        )}
      </span>
      {nextMove && (
        <span className="text-ink-2">{`Next: ${dayText(nextMove, "short", { year: false })}`}</span>
      )}
    </span>
  );
}

function PropertyMenu({ property, onAction }: { property: PropertyRow; onAction: Options["onAction"] }) {
  return (
    <Menu>
      <MenuTrigger>
        <Button
          variant="ghost"
          size="icon"
          icon={<MoreHorizontal aria-hidden />}
          aria-label={`Actions for ${isolated(property.name)}`}
          className={aboveRowLink}
        />
      </MenuTrigger>
      <MenuContent>
        {property.people > 0 && (
          <MenuItem asChild>
            <WriteLink write={`homes:${property.id}`} />
          </MenuItem>
        )}
        <MenuItem onSelect={() => onAction("edit", property)}>
          <Pencil aria-hidden />
          Edit Property
        </MenuItem>
        <MenuItem onSelect={() => onAction("merge", property)}>
          <Merge aria-hidden />
          Merge into another
        </MenuItem>
        <MenuSeparator />
        {property.archived ? (
          <MenuItem onSelect={() => onAction("restore", property)}>
            <ArchiveRestore aria-hidden />
            Restore
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => onAction("archive", property)}>
            <Archive aria-hidden />
            Archive
          </MenuItem>
        )}
      </MenuContent>
    </Menu>
  );
}
