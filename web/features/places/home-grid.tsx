import { LogOut } from "lucide-react";
import { Fragment, useRef, type MouseEvent, type ReactNode } from "react";
import type { Home } from "#contract/calls/places.ts";
import { people } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { floorText } from "#contract/text/unit-name.ts";
import { initials } from "#web/domain/avatar.tsx";
import { between, type Grid } from "#web/features/places/grid.ts";
import { homeSaid, homeLook, nameInBuilding, stateOf } from "#web/features/places/home-text.ts";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  grid: Grid;
  opened: number | undefined;
  selected: ReadonlySet<number>;
  onOpen: (id: number) => void;
  onSelect: (selected: ReadonlySet<number>) => void;
};

/**
 * Floors by stacks. A click opens a home; a click on a floor or stack, a drag across homes, or a click with Shift or Ctrl
 * selects. The list has the same for keyboards and screen readers.
 */
export function HomeGrid({ grid, opened, selected, onOpen, onSelect }: Props) {
  const drag = useRef<{ from: number; moved: boolean }>(null);
  const { stacks, floors, elsewhere } = grid;
  const toggle = (ids: readonly number[]) => {
    const next = new Set(selected);
    const all = ids.every((id) => next.has(id));
    for (const id of ids)
      if (all) next.delete(id);
      else next.add(id);
    onSelect(next);
  };
  const idsOf = (homes: readonly Home[]) => homes.map(({ id }) => id);
  const ofStack = (place: number) => floors.flatMap(({ cells }) => idsOf(cells[place] ?? []));
  const isLit = (ids: readonly number[]) => ids.length > 0 && ids.every((id) => selected.has(id));
  const cell = (home: Home) => (
    <Cell
      key={home.id}
      home={home}
      opened={opened === home.id}
      selected={selected.has(home.id)}
      onPress={() => {
        drag.current = { from: home.id, moved: false };
      }}
      onEnter={() => {
        if (!drag.current || drag.current.from === home.id) return;
        drag.current.moved = true;
        onSelect(new Set(between(grid, drag.current.from, home.id)));
      }}
      onClick={(event) => {
        const dragged = drag.current?.moved;
        drag.current = null;
        if (dragged) return;
        if (event.shiftKey || event.ctrlKey || event.metaKey) toggle([home.id]);
        else onOpen(home.id);
      }}
    />
  );
  return (
    <>
      {floors.length > 0 && (
        <section aria-label="Homes by floor and stack" className="overflow-x-auto pt-1 pb-4 md:px-4">
          <div
            className="grid w-fit items-start gap-2 select-none [--cell:3.5rem] max-md:gap-1.5 md:[--cell:5rem]"
            style={{ gridTemplateColumns: `auto repeat(${stacks.length}, var(--cell))` }}
            onPointerLeave={() => {
              drag.current = null;
            }}
          >
            <span />
            {stacks.map((stack, place) => (
              <Label
                key={stack}
                lit={isLit(ofStack(place))}
                label={`Select stack ${isolated(stack)}`}
                onClick={() => toggle(ofStack(place))}
              >
                <bdi translate="no">{stack}</bdi>
              </Label>
            ))}
            {floors.map(({ floor, cells }) => (
              <Fragment key={floor}>
                <Label
                  lit={isLit(idsOf(cells.flat()))}
                  label={`Select ${floorText(floor).toLowerCase()}`}
                  onClick={() => toggle(idsOf(cells.flat()))}
                  className="sticky left-0 z-1 self-center pr-3 text-left max-md:bg-paper md:static"
                >
                  {floorText(floor)}
                </Label>
                {cells.map((homes, place) => (
                  <span key={stacks[place]} className="flex flex-col gap-2">
                    {homes.map(cell)}
                  </span>
                ))}
              </Fragment>
            ))}
          </div>
          <p className="pt-3 text-sm text-ink-2">
            <span className="touch:hidden">
              Drag across homes, or click a floor or stack, to select them.
            </span>
            <span className="hidden touch:inline">Tap a floor or stack to select its homes.</span>
          </p>
        </section>
      )}
      {elsewhere.length > 0 && (
        <section aria-label="Homes without a floor or stack" className="border-t border-line px-4 py-4">
          <h3 className="pb-2 text-sm text-ink-2">Without a floor or stack. Select homes to correct them.</h3>
          <span className="flex flex-wrap gap-2">{elsewhere.map(cell)}</span>
        </section>
      )}
    </>
  );
}

type LabelProps = {
  lit: boolean;
  label: string;
  onClick: () => void;
  className?: string;
  children: ReactNode;
};

function Label({ lit, label, onClick, className, children }: LabelProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={lit}
      onClick={onClick}
      className={cx(
        "h-8 min-w-8 rounded-sm px-1.5 text-sm hover:bg-hover touch:h-11 touch:min-w-11",
        lit ? "font-semibold text-lamp-ink" : "text-ink-2",
        className,
      )}
    >
      {children}
    </button>
  );
}

type CellProps = {
  home: Home;
  opened: boolean;
  selected: boolean;
  onPress: () => void;
  onEnter: () => void;
  onClick: (event: MouseEvent) => void;
};

const FEW = 2;

function Cell({ home, opened, selected, onPress, onEnter, onClick }: CellProps) {
  const { Icon, tile, mark } = homeLook[stateOf(home)];
  return (
    <button
      type="button"
      aria-pressed={selected}
      onPointerDown={onPress}
      onPointerEnter={onEnter}
      onClick={onClick}
      className={cx(
        "relative flex h-13 w-14 flex-col justify-between rounded-md border p-1.5 text-left text-sm transition-shadow hover:shadow-card md:h-18 md:w-20 md:p-2",
        tile,
        selected && "outline-2 outline-lamp",
        opened && "border-2 border-ink",
      )}
    >
      <span className="flex items-start justify-between gap-1">
        <bdi
          translate="no"
          className={cx("truncate font-semibold", home.people.length === 0 && "text-ink-2")}
        >
          {nameInBuilding(home)}
        </bdi>
        <Icon aria-hidden className={cx("size-4 shrink-0 max-md:hidden", mark)} />
      </span>
      <Icon aria-hidden className={cx("size-4 shrink-0 md:hidden", mark)} />
      <span className="truncate text-xs max-md:sr-only text-ink-2 has-data-initials:text-clip">
        <Living home={home} />
        <span className="sr-only">{homeSaid(home)}</span>
      </span>
      {home.movesOut && (
        <span className="absolute -right-1.5 -bottom-1.5 grid size-5 place-items-center rounded-full bg-info-soft text-info">
          <LogOut aria-hidden className="size-3" />
        </span>
      )}
    </button>
  );
}

/** Who lives there, as far as there is room. */
function Living({ home: { people: living, movesIn } }: { home: Home }) {
  if (living.length === 0)
    return movesIn ? `In ${dayText(movesIn, "short", { weekday: false, year: false })}` : "Empty";
  if (living.length > FEW) return people(living.length);
  return living.map(({ id, name }) => (
    <span
      key={id}
      data-initials
      className="inline-block rounded-full bg-quiet-soft px-1 py-0.5 text-[0.6875rem] font-medium not-last:mr-0.5"
    >
      {initialsOf(name)}
    </span>
  ));
}

function initialsOf(name: string): string {
  const words = name.split(" ");
  return initials({
    firstName: words[0] ?? "",
    lastName: words.length > 1 ? (words.at(-1) ?? "") : "",
    role: "",
  });
}
