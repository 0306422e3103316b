import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { places, type Home, type UnreachedPerson } from "#contract/calls/places.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { addressText } from "#contract/delivery-reasons.ts";
import { useMay } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { Unblock } from "#web/domain/unblock.tsx";
import { homeColumns } from "#web/features/places/home-table.tsx";
import { fixOf } from "#web/features/places/unreached-text.ts";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { aboveRowLink, DataTable, TableSkeleton, type Column } from "#web/ui/list/data-table.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";

type Way = UnreachedPerson["ways"][number];
type Blocked = NonNullable<Way["blocked"]> & Pick<Way, "channel">;

type Props = {
  propertyId: number;
  homes: readonly Home[];
  opened: number | undefined;
  selected: ReadonlySet<number>;
  onSelect: (selected: ReadonlySet<number>) => void;
};

/** The homes that no message reaches: why not, person by person, and what can be done about it. */
export function UnreachedTable({ propertyId, homes, ...options }: Props) {
  const read = useRead(places.unreached, { params: { id: propertyId } }, { fresh: true });
  const [asked, setAsked] = useState<Blocked>();
  const columns = unreachedColumns({ reasons: read.data ?? [], onUnblock: setAsked, ...options });
  return (
    <>
      <ReadStates
        read={read}
        failed="Error loading the reasons"
        skeleton={<TableSkeleton fixed columns={columns} rows={Math.min(homes.length, 4)} />}
      >
        {() => (
          <DataTable
            fixed
            label="Homes that can't be reached"
            columns={columns}
            rows={homes}
            rowKey={({ id }) => id}
            lit={({ id }) => options.selected.has(id)}
          />
        )}
      </ReadStates>
      {asked && <Unblock blocked={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

/** Beside the first of several people. */
const top = "[td&]:align-top";

type Reasons = ReplyOf<typeof places.unreached>;
type ColumnOptions = Omit<Props, "propertyId" | "homes"> & {
  reasons: Reasons;
  onUnblock: (blocked: Blocked) => void;
};

function unreachedColumns({ reasons, onUnblock, ...options }: ColumnOptions): Column<Home>[] {
  const [select, home] = homeColumns(options);
  const peopleOf = new Map(reasons.map(({ homeId, people }) => [homeId, people]));
  return [
    { ...select!, className: `${select!.className} ${top}` },
    { ...home!, className: `rows:w-[22%] ${top}` },
    {
      id: "why",
      header: "Why, and what helps",
      card: "wide",
      className: top,
      cell: ({ id }) => (
        <ul className="flex flex-col gap-4">
          {peopleOf.get(id)?.map((person) => (
            <Person key={person.id} person={person} onUnblock={onUnblock} />
          ))}
        </ul>
      ),
    },
  ];
}

type PersonProps = { person: UnreachedPerson; onUnblock: (blocked: Blocked) => void };

function Person({ person: { id, name, ways }, onUnblock }: PersonProps) {
  return (
    <li className="flex flex-col gap-1.5">
      <Link
        to="/users"
        search={{ person: id }}
        className={`${aboveRowLink} w-fit font-semibold underline-offset-2 hover:underline touch:min-h-11 touch:content-center`}
      >
        <bdi translate="no">{name}</bdi>
      </Link>
      <ul className="flex flex-col gap-1.5">
        {ways.map((way) => (
          <li key={way.channel} className="flex items-start gap-2.5">
            <ChannelIcon channel={way.channel} className="size-6.5" />
            <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
              <span className="min-w-0 py-0.5 break-words">{way.sentence}</span>
              <Fix personId={id} name={name} way={way} onUnblock={onUnblock} />
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}

type FixProps = { personId: number; name: string; way: Way; onUnblock: (blocked: Blocked) => void };

function Fix({ personId, name, way, onUnblock }: FixProps) {
  const may = useMay("people:write");
  const { channel, blocked } = way;
  const { edit, unblock, advice } = fixOf(way);
  const forWhom = <span className="sr-only">{` for ${name}`}</span>;
  return (
    <>
      {may && edit && (
        <Link
          to="."
          search={(now: object) => ({ ...now, edit: personId, field: edit.field })}
          resetScroll={false}
          className={`${aboveRowLink} ${buttonClass({ size: "sm" })}`}
        >
          {`${edit.verb} ${addressText(channel)}`}
          {forWhom}
        </Link>
      )}
      {may && unblock && blocked && (
        <Button size="sm" className={aboveRowLink} onClick={() => onUnblock({ ...blocked, channel })}>
          Unblock
          {forWhom}
        </Button>
      )}
      {advice && <span className="text-ink-2">{advice}</span>}
    </>
  );
}
