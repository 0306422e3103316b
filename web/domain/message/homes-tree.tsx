import { useRef, useState, type ReactNode } from "react";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { type FoundHomes, type Home, places } from "#contract/calls/places.ts";
import { recipientKey } from "#contract/recipients.ts";
import type { HomesWhere } from "#contract/text/homes-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { useRead, useReadList } from "#web/api/use-read.ts";
import {
  buildingsOf,
  chosenIn,
  choose,
  countsOf,
  isWhole,
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
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";

type Choosing = {
  members: readonly AudienceMember[];
  onChange: (members: AudienceMember[]) => void;
};

const TYPING_PAUSE = 200;

/** What is found for the text, or the first properties: each with what is inside it. */
export function HomesTree({ text, ...choosing }: Choosing & { text: string }) {
  const q = useDebounced(text, TYPING_PAUSE);
  const { data, error } = useReadList(places.find, { query: { q } }, { fresh: true });
  if (error && !data) return <Note>We couldn't look for homes: {error.message}</Note>;
  if (!data) {
    return (
      <Note>
        <Spinner /> <span>Looking for homes</span>
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
          <Found
            key={`${row.propertyId} ${JSON.stringify(row.where)} ${rows.length === 1}`}
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

/** A property, or homes of one: a building opens as well. */
function Found({ row, opened, members, onChange }: Choosing & { row: FoundHomes; opened: boolean }) {
  const { propertyId: id, where, property, name, homes, occupied, people } = row;
  const [open, setOpen] = useState(opened);
  const opens = where.floors === undefined && where.stacks === undefined && where.units === undefined;
  const own = members.filter((member) => member.type === "homes" && member.id === id);
  const { data, error } = useRead(
    places.property,
    { params: { id } },
    { enabled: (opens && open) || own.length > 0, fresh: true },
  );
  const itself: AudienceMember = { type: "homes", id, ...where, name };
  const isItself = (member: AudienceMember) => recipientKey(member) === recipientKey(itself);
  const chosen = data ? chosenIn(members, data) : new Set<number>();
  const tick = (inside: HomesWhere, on: boolean) => data && onChange(choose(members, data, inside, on));
  const tickAll = (on: boolean) => {
    if (isWhole(where)) onChange([...members.filter((one) => !own.includes(one)), ...(on ? [itself] : [])]);
    else if (data) tick(where, on);
    else onChange([...members.filter((one) => !isItself(one)), ...(on ? [itself] : [])]);
  };
  const state = data
    ? stateOf(chosen, meets(data.homesListed, where))
    : own.some((one) => isWhole(one) || isItself(one)) || (isWhole(where) && own.length > 0 && "some");
  const inside = data?.homesListed.filter(
    ({ building }) => where.building === undefined || building === where.building,
  );
  return (
    <HomesRow
      label={<bdi translate="no">{name}</bdi>}
      name={isWhole(where) ? property : name}
      homes={homes}
      empty={homes - occupied}
      living={people}
      single={where.units !== undefined}
      state={state}
      onTick={tickAll}
      {...(opens && { open, onOpen: setOpen })}
    >
      {error && <Note>We couldn't read its homes: {error.message}</Note>}
      {inside && isWhole(where) && <Buildings homes={inside} chosen={chosen} tick={tick} />}
      {inside && !isWhole(where) && <Parts homes={inside} chosen={chosen} tick={tick} within={where} />}
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
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 py-1.5 pl-9 text-sm text-ink-3">
        <span aria-hidden>Choose by</span>
        <Segmented label="Choose by" segments={ways} value={way} onChange={setWay} />
      </div>
      <Rows way={way} homes={homes} chosen={chosen} tick={tick} within={within} />
    </>
  );
}

function Rows({ way, homes, within, ...part }: Part & { way: Way; within: HomesWhere }) {
  const rows = rowsBy(way, homes);
  const last = useRef<string>(undefined);
  /** With Shift, everything from the last one that was ticked, as in a list of files. */
  const tickRow = ({ name, where }: PartRow, on: boolean, range: boolean) => {
    const ends = [last.current, name].map((end) => rows.findIndex((row) => row.name === end));
    const [from = 0, to = 0] = ends.toSorted((one, other) => one - other);
    const through = range && from >= 0 ? rows.slice(from, to + 1).map((row) => row.where) : [where];
    last.current = name;
    part.tick({ ...within, ...together(through) }, on);
  };
  return (
    <ul>
      {rows.map((row) => (
        <Row key={JSON.stringify(row.where)} way={way} row={row} within={within} {...part} onTick={tickRow} />
      ))}
    </ul>
  );
}

type RowProps = Omit<Part, "homes"> & {
  way: Way;
  row: PartRow;
  within: HomesWhere;
  onTick: (row: PartRow, on: boolean, range: boolean) => void;
};

/** A floor, a stack or a home. A stack opens, for some of its floors. */
function Row({ way, row, within, chosen, tick, onTick }: RowProps) {
  const [open, setOpen] = useState(false);
  const { name, where, homes } = row;
  const ids = homes.map(({ id }) => id);
  return (
    <HomesRow
      label={<bdi translate={way === "floors" ? undefined : "no"}>{name}</bdi>}
      name={name}
      {...countsOf(homes)}
      single={way === "homes"}
      state={stateOf(chosen, ids)}
      onTick={(on, range) => onTick(row, on, range)}
      {...(where.stacks && { open, onOpen: setOpen })}
    >
      <Rows way="floors" homes={homes} chosen={chosen} tick={tick} within={{ ...within, ...where }} />
    </HomesRow>
  );
}
