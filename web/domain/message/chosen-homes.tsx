import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleAlert, LogIn, LogOut } from "lucide-react";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { type Home, places } from "#contract/calls/places.ts";
import { counted, people } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { numberText } from "#contract/text/locale.ts";
import { floorText } from "#contract/text/unit-name.ts";
import { call } from "#web/api/client.ts";
import { readKey } from "#web/api/use-read.ts";
import { chosenIn } from "#web/domain/message/homes-choice.ts";
import {
  areMovesKnown,
  floorsAndStacks,
  movesBefore,
  type Plan,
  planOf,
} from "#web/domain/message/homes-plan.ts";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  members: readonly AudienceMember[];
  /** The day it goes out, if that is planned. */
  goesOut: string | undefined;
};

/** Homes of more properties are only counted, by the reach. */
const PROPERTIES_MAX = 12;
const MOVES_MAX = 4;

/** Which homes are chosen, building by building, and who moves before it goes out. Loaded by recipients-section.tsx. */
export default function ChosenHomes({ members, goesOut }: Props) {
  const client = useQueryClient();
  const ids = [...new Set(members.flatMap(({ type, id }) => (type === "homes" ? [id] : [])))];
  const read = async (id: number) =>
    client.fetchQuery({
      queryKey: readKey(places.property, { params: { id } }),
      queryFn: ({ signal }) => call(places.property, { params: { id } }, { signal }),
    });
  const { data: trees } = useQuery({
    queryKey: readKey(places.property, { ids }),
    queryFn: async () => Promise.all(ids.map((id) => read(id))),
    enabled: ids.length > 0 && ids.length <= PROPERTIES_MAX,
    placeholderData: keepPreviousData,
  });
  if (!trees || ids.length > PROPERTIES_MAX) return null;
  const plans = trees.flatMap((tree) => planOf(tree, chosenIn(members, tree)));
  const homes = plans.flatMap((plan) => plan.homes.filter(({ id }) => plan.chosen.has(id)));
  const lived = homes.filter((home) => home.people.length > 0);
  const living = new Set(lived.flatMap((home) => home.people.map(({ id }) => id))).size;
  const empty = homes.length - lived.length;
  const areKnown = trees.every(({ today }) => goesOut !== undefined && areMovesKnown(today, goesOut));
  const moves = goesOut !== undefined && areKnown ? movesBefore(homes, goesOut) : [];
  return (
    <>
      <details className="group rounded-md bg-sunk px-3.5 text-sm">
        <summary className="flex cursor-pointer flex-wrap items-center justify-between gap-x-3 py-2.5">
          <span>
            <strong className="font-semibold">{`${people(living)} in ${counted(lived.length, "home")}`}</strong>
            {empty > 0 && <span className="text-ink-2">{`, ${numberText(empty)} empty`}</span>}
          </span>
          <span className="font-semibold group-open:hidden">Show homes</span>
          <span className="hidden font-semibold group-open:inline">Hide homes</span>
        </summary>
        <div className="flex max-h-96 flex-col gap-4 overflow-auto overscroll-contain pt-1 pb-3.5">
          {plans.map((plan) => (
            <BuildingPlan key={`${plan.id} ${plan.building}`} plan={plan} />
          ))}
        </div>
      </details>
      {moves.length > 0 && (
        <section aria-label="Moves before then" className="rounded-md bg-sunk px-3.5 py-2.5 text-sm">
          <h3 className="font-semibold">Moves before then</h3>
          <ul className="mt-1 flex flex-col gap-1">
            {moves.slice(0, MOVES_MAX).map(({ home, into, day }) => (
              <li key={`${home.id} ${into}`} className="flex items-start gap-2.5">
                {into ? (
                  <LogIn aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2" />
                ) : (
                  <LogOut aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-2" />
                )}
                <span>
                  {`${isolated(nameOf(home))}: someone moves ${into ? "in" : "out"} on ${dayText(day)}. `}
                  <span className="text-ink-2">{into ? "Included." : "Not included."}</span>
                </span>
              </li>
            ))}
            {moves.length > MOVES_MAX && (
              <li className="pl-6.5 text-ink-2">{`${numberText(moves.length - MOVES_MAX)} more.`}</li>
            )}
          </ul>
        </section>
      )}
    </>
  );
}

const nameOf = ({ name }: Home) => name || "No unit";
const isUnreached = ({ people: living, channels }: Home) => living.length > 0 && channels.length === 0;

/** Floors by stacks with how many people live in each home; what has none of the two is beside it. */
function BuildingPlan({ plan }: { plan: Plan }) {
  const { property, building, homes, chosen } = plan;
  const { floors, stacks, elsewhere } = floorsAndStacks(homes);
  const others = elsewhere.filter(({ id }) => chosen.has(id));
  const isLit = (floor: number) => homes.some((home) => home.floor === floor && chosen.has(home.id));
  const shown = floors.some((floor) => isLit(floor));
  const title = [isolated(property), building && `Building ${isolated(building)}`].filter(Boolean).join(", ");
  return (
    <section aria-label={title}>
      <div className="flex items-baseline justify-between gap-3 pb-1.5">
        <h3 className="min-w-0 font-semibold break-words">{title}</h3>
        {shown && <span className="shrink-0 text-xs text-ink-3">People per home</span>}
      </div>
      {shown && (
        <table className="border-separate border-spacing-1 text-xs tabular">
          <thead>
            <tr>
              <th scope="col">
                <span className="sr-only">Floor</span>
              </th>
              {stacks.map((stack) => (
                <th key={stack} scope="col" className="font-normal text-ink-3">
                  <bdi translate="no">{stack}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {floors.map((floor) => (
              <tr key={floor}>
                <th
                  scope="row"
                  className={cx(
                    "pr-2 text-left whitespace-nowrap",
                    isLit(floor) ? "font-semibold" : "font-normal text-ink-3",
                  )}
                >
                  {floorText(floor)}
                </th>
                {stacks.map((stack) => (
                  <td key={stack} className="p-0">
                    <span className="flex gap-1">
                      {homes
                        .filter((home) => home.floor === floor && home.stack === stack)
                        .map((home) => (
                          <Cell key={home.id} home={home} chosen={chosen.has(home.id)} />
                        ))}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {others.length > 0 && (
        <ul className="flex flex-wrap gap-1.5 pt-1">
          {others.map((home) => (
            <li key={home.id} className="rounded-sm bg-card px-2 py-0.5">
              <bdi translate="no" className="font-medium">
                {nameOf(home)}
              </bdi>{" "}
              <span className="text-ink-3">{people(home.people.length)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Cell({ home, chosen }: { home: Home; chosen: boolean }) {
  const unreached = isUnreached(home);
  const said = [
    nameOf(home),
    chosen ? "chosen" : "not chosen",
    home.people.length === 0 ? "empty" : people(home.people.length),
    ...(unreached ? ["can't be reached"] : []),
  ].join(", ");
  return (
    <span
      title={said}
      className={cx(
        "grid h-6 min-w-8 flex-1 place-items-center rounded-sm border",
        home.people.length === 0 && "border-dashed border-line-strong",
        home.people.length > 0 && !chosen && "border-transparent bg-quiet-soft text-ink-3",
        home.people.length > 0 && chosen && !unreached && "border-ink bg-ink text-card",
        chosen && unreached && "border-warn bg-warn-soft text-warn",
      )}
    >
      <span className="sr-only">{said}</span>
      <span aria-hidden>
        {chosen && unreached ? <CircleAlert className="size-3.5" /> : home.people.length || ""}
      </span>
    </span>
  );
}
