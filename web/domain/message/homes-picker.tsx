import { History } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { type Home, places, type PropertyRow } from "#contract/calls/places.ts";
import type { HomesWhere } from "#contract/text/homes-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { useRead, useReadList } from "#web/api/use-read.ts";
import {
  buildingsOf,
  chosenIn,
  choose,
  countsOf,
  isWhole,
  memberFor,
  meets,
  rowsBy,
  stateOf,
  together,
  type PartRow,
  type Way,
  ways,
} from "#web/domain/message/homes-choice.ts";
import { HomesRow } from "#web/domain/message/homes-row.tsx";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";
import { Popover, PopoverAnchor, PopoverContent } from "#web/ui/dialog/popover.tsx";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { Chip, type PickerOption } from "#web/ui/form/multi-picker.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";

type Props = FieldWiring & {
  /** The chips of everything that is chosen. */
  chips: readonly (PickerOption & { member: AudienceMember })[];
  onChange: (members: AudienceMember[]) => void;
  /** The tree shows right away, as someone has just asked for it. */
  opened: boolean;
};

/** Beside every choice of homes. */
export const WHO = "Whoever lives there when it is sent.";

const PAGE = 25;
const TYPING_PAUSE = 200;

/** Chips, and a tree that opens in place: properties, their buildings, floors, stacks and homes. */
export function HomesPicker({ chips, onChange, opened, id, ...wiring }: Props) {
  const [open, setOpen] = useState(opened);
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const members = chips.map(({ member }) => member);
  const remove = (key: string) => {
    onChange(chips.filter((chip) => chip.key !== key).map(({ member }) => member));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = chips.at(-1);
    if (event.key === "Backspace" && text === "" && last) remove(last.key);
    else if (event.key === "Enter") {
      event.preventDefault();
      setOpen(true);
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      setOpen(true);
      panel.current?.querySelector<HTMLElement>("button, input")?.focus();
    } else if (event.key === "Escape" && open) {
      // Close only the tree, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      setOpen(false);
    }
  };
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverAnchor asChild>
        <div
          role="presentation"
          className="control flex min-h-9 cursor-text flex-wrap items-center gap-1.5 px-2 py-1 touch:min-h-11"
          onMouseDown={(event) => {
            if (event.target !== event.currentTarget) return;
            event.preventDefault();
            input.current?.focus();
            setOpen(true);
          }}
        >
          {chips.map((chip) => (
            <Chip key={chip.key} option={chip} onRemove={() => remove(chip.key)} />
          ))}
          <input
            {...wiring}
            id={id}
            ref={input}
            type="text"
            role="combobox"
            aria-haspopup="dialog"
            aria-expanded={open}
            aria-controls={`${id}-homes`}
            autoComplete="off"
            placeholder={chips.length > 0 ? "Add more" : "Search properties"}
            value={text}
            onClick={() => setOpen(true)}
            onChange={(event) => {
              setText(event.target.value);
              setOpen(true);
            }}
            onKeyDown={onKeyDown}
            className="h-7 min-w-28 flex-1 bg-transparent px-1 text-sm outline-none touch:text-[1rem]"
          />
        </div>
      </PopoverAnchor>
      <PopoverContent
        id={`${id}-homes`}
        ref={panel}
        aria-label="Homes"
        className="w-(--radix-popover-trigger-width) overflow-hidden"
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          setOpen(false);
          input.current?.focus();
        }}
        onInteractOutside={(event) => {
          const anchor = input.current?.parentElement;
          if (event.target instanceof Node && anchor?.contains(event.target)) event.preventDefault();
        }}
      >
        <div className="max-h-72 overflow-y-auto overscroll-contain p-1.5">
          <Properties text={text.trim()} members={members} onChange={onChange} />
        </div>
        <p className="flex items-center gap-2 border-t border-line px-4 py-2 text-sm text-ink-3">
          <History aria-hidden className="size-4 shrink-0" />
          {WHO}
        </p>
      </PopoverContent>
    </Popover>
  );
}

type Choosing = { members: readonly AudienceMember[]; onChange: Props["onChange"] };

function Properties({ text, ...choosing }: Choosing & { text: string }) {
  const q = useDebounced(text, TYPING_PAUSE);
  const { data, error } = useReadList(places.list, { query: { q, pageSize: PAGE } }, { fresh: true });
  if (error && !data) return <Note>We couldn't read the properties: {error.message}</Note>;
  if (!data) {
    return (
      <Note>
        <Spinner /> <span>Looking for properties</span>
      </Note>
    );
  }
  const { rows, total } = data;
  if (rows.length === 0) {
    return (
      <Note>
        {q === "" ? "No properties yet. They come with people's homes." : `Nothing found for “${q}”`}
      </Note>
    );
  }
  return (
    <>
      <ul>
        {rows.map((row) => (
          // One that is alone is meant.
          <Property
            key={`${row.id} ${rows.length === 1}`}
            row={row}
            opened={rows.length === 1}
            {...choosing}
          />
        ))}
      </ul>
      {total > rows.length && <Note>{numberText(total - rows.length)} more. Type to find one.</Note>}
    </>
  );
}

function Note({ children }: { children: ReactNode }) {
  return <p className="flex items-center gap-2 px-2.5 py-2 text-sm text-ink-3">{children}</p>;
}

function Property({ row, opened, members, onChange }: Choosing & { row: PropertyRow; opened: boolean }) {
  const [open, setOpen] = useState(opened);
  const { data, error } = useRead(
    places.property,
    { params: { id: row.id } },
    { enabled: open, fresh: true },
  );
  const own = members.filter(({ type, id }) => type === "homes" && id === row.id);
  const tree = data ?? { id: row.id, name: row.name, homesListed: [] };
  const tick = (where: HomesWhere, on: boolean) => onChange(choose(members, tree, where, on));
  const chosen = chosenIn(members, tree);
  const state = data
    ? stateOf(chosen, meets(data.homesListed, {}))
    : own.some(isWhole)
      ? true
      : own.length > 0
        ? "some"
        : false;
  return (
    <HomesRow
      label={<bdi translate="no">{row.name}</bdi>}
      name={row.name}
      homes={row.homes}
      empty={row.homes - row.occupied}
      living={row.people}
      state={state}
      onTick={(on) => {
        const others = members.filter((member) => !own.includes(member));
        onChange(on ? [...others, memberFor(tree, {})] : others);
      }}
      open={open}
      onOpen={setOpen}
    >
      {error && <Note>We couldn't read its homes: {error.message}</Note>}
      {data && <Buildings homes={data.homesListed} chosen={chosen} tick={tick} />}
    </HomesRow>
  );
}

type Part = {
  homes: readonly Home[];
  chosen: ReadonlySet<number>;
  tick: (where: HomesWhere, on: boolean) => void;
};

function Buildings({ homes, chosen, tick }: Part) {
  const buildings = buildingsOf(homes);
  if (buildings.length === 0) return <Parts homes={homes} chosen={chosen} tick={tick} within={{}} />;
  return (
    <ul>
      {buildings.map((building) => (
        <Building key={building} building={building} homes={homes} chosen={chosen} tick={tick} />
      ))}
    </ul>
  );
}

function Building({ building, homes, chosen, tick }: Part & { building: string }) {
  const [open, setOpen] = useState(false);
  const inside = homes.filter((home) => home.building === building);
  const name = building === "" ? "No building" : `Building ${building}`;
  return (
    <HomesRow
      label={building === "" ? name : <bdi translate="no">{name}</bdi>}
      name={name}
      {...countsOf(inside)}
      state={stateOf(
        chosen,
        inside.map(({ id }) => id),
      )}
      onTick={(on) => tick({ building }, on)}
      open={open}
      onOpen={setOpen}
    >
      <Parts homes={inside} chosen={chosen} tick={tick} within={{ building }} />
    </HomesRow>
  );
}

function Parts({ homes, chosen, tick, within }: Part & { within: HomesWhere }) {
  const [way, setWay] = useState<Way>(() => (homes.some(({ floor }) => floor !== null) ? "floors" : "homes"));
  const rows = rowsBy(way, homes);
  const last = useRef<string>(undefined);
  /** With Shift, everything from the last one that was ticked, as in a list of files. */
  const tickRow = ({ name, where }: PartRow, on: boolean, range: boolean) => {
    const ends = [last.current, name].map((end) => rows.findIndex((row) => row.name === end));
    const [from = 0, to = 0] = ends.toSorted((one, other) => one - other);
    const through = range && from >= 0 ? rows.slice(from, to + 1).map((row) => row.where) : [where];
    last.current = name;
    tick({ ...within, ...together(through) }, on);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 py-1.5 pl-9 text-sm text-ink-3">
        <span aria-hidden>Choose by</span>
        <Segmented label="Choose by" segments={ways} value={way} onChange={setWay} />
      </div>
      <ul>
        {rows.map((row) => {
          const { name, where, homes: inside } = row;
          return (
            <HomesRow
              key={JSON.stringify(where)}
              label={<bdi translate={way === "floors" ? undefined : "no"}>{name}</bdi>}
              name={name}
              {...countsOf(inside)}
              single={way === "homes"}
              state={stateOf(
                chosen,
                inside.map(({ id }) => id),
              )}
              onTick={(on, range) => tickRow(row, on, range)}
            />
          );
        })}
      </ul>
    </>
  );
}
