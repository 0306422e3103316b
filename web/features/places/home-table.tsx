import { Link } from "@tanstack/react-router";
import { LogIn, LogOut } from "lucide-react";
import type { Home } from "#contract/calls/places.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { ChannelIcons } from "#web/domain/channel.tsx";
import { homeLook, homeName, stateOf, whereText } from "#web/features/places/home-text.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { aboveRowLink, DataTable, rowLink, type Column } from "#web/ui/list/data-table.tsx";

type Props = {
  homes: readonly Home[];
  opened: number | undefined;
  selected: ReadonlySet<number>;
  onSelect: (selected: ReadonlySet<number>) => void;
};

/** Everything that the grid shows, as rows. */
export function HomeTable({ homes, ...options }: Props) {
  return (
    <DataTable
      fixed
      label="Homes"
      columns={homeColumns(options)}
      rows={homes}
      rowKey={({ id }) => id}
      lit={({ id }) => options.selected.has(id)}
    />
  );
}

/** The first two are what selects a home and what opens it. */
export const homeColumns = ({ opened, selected, onSelect }: Omit<Props, "homes">): Column<Home>[] => [
  {
    id: "select",
    header: "Select",
    card: "icon",
    className: "rows:w-20",
    cell: ({ id, name }) => (
      <span className={aboveRowLink}>
        <Checkbox
          label={<span className="sr-only">{`Select home ${isolated(homeName(name))}`}</span>}
          checked={selected.has(id)}
          onChange={(event) => {
            const next = new Set(selected);
            if (event.target.checked) next.add(id);
            else next.delete(id);
            onSelect(next);
          }}
        />
      </span>
    ),
  },
  {
    id: "home",
    header: "Home",
    card: "title",
    className: "rows:w-[26%]",
    cell: (home) => (
      <span className="flex flex-col">
        <Link
          to="."
          search={(now: object) => ({ ...now, home: home.id })}
          resetScroll={false}
          {...rowLink}
          {...(opened === home.id ? { "aria-current": "true" as const } : {})}
        >
          <bdi translate="no">{homeName(home.name)}</bdi>
        </Link>
        <span className="text-ink-2">{whereText(home)}</span>
      </span>
    ),
  },
  {
    id: "people",
    header: "Residents",
    card: "line",
    cell: ({ people }) =>
      people.length === 0 ? (
        <span className="text-ink-2">No one</span>
      ) : (
        <span className="flex flex-col cards:items-end">
          {people.map(({ id, name }) => (
            <bdi key={id} translate="no">
              {name}
            </bdi>
          ))}
        </span>
      ),
  },
  {
    id: "reach",
    header: "Reachable",
    card: "line",
    className: "rows:w-44",
    cell: (home) => <Reach home={home} />,
  },
  {
    id: "moves",
    header: "Moves",
    card: "line",
    className: "rows:w-44",
    cell: ({ movesIn, movesOut }) => (
      <span className="flex flex-col gap-0.5">
        {!movesOut && !movesIn && <span className="text-ink-2">No moves</span>}
        {movesOut && (
          <Move icon={<LogOut aria-hidden />} text={`Out ${dayText(movesOut, "short", { year: false })}`} />
        )}
        {movesIn && (
          <Move icon={<LogIn aria-hidden />} text={`In ${dayText(movesIn, "short", { year: false })}`} />
        )}
      </span>
    ),
  },
];

function Reach({ home }: { home: Home }) {
  const state = stateOf(home);
  const { label, Icon, mark } = homeLook[state];
  return (
    <span className="flex items-center gap-2">
      <span className={cx("flex items-center gap-1.5", mark)}>
        <Icon aria-hidden className="size-4 shrink-0" />
        <span className={cx(home.channels.length > 0 && "sr-only")}>{label}</span>
      </span>
      <ChannelIcons channels={home.channels} className="size-7" />
    </span>
  );
}

const Move = ({ icon, text }: { icon: React.ReactNode; text: string }) => (
  <span className="inline-flex items-center gap-1.5 [&_svg]:size-3.5 [&_svg]:text-info">
    {icon}
    {text}
  </span>
);
