import { sql } from "kysely";
import type { Channel, DeliveryStatus, PersonOutcome } from "#contract/delivery.ts";
import {
  deliveryStatuses,
  deliveryStatusMeaning,
  personOutcomeOf,
  personOutcomes,
} from "#contract/delivery.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import type { Db } from "#server/db/database.ts";
import { fares } from "./shared-address.ts";
import { simulatedChannelsOf } from "#server/delivery/simulated-channels.ts";

export type CountedRun = {
  runId: number;
  channels: number;
  /** How often it was sent again: somebody may share another's address since, which no counter tells. */
  resends: number;
  /** As `run_counts` has it. */
  counts: readonly { channel: Channel; status: DeliveryStatus; reason: string; count: number }[];
};
type Outcomes = Pick<RunProgress, "outcomes" | "peopleWaiting" | "simulatedChannels">;

const REMEMBERED = 500;
const remembered = new WeakMap<Db, Map<number, { as: string; outcomes: Outcomes }>>();

/**
 * Of each of these runs, by its id, what became of its persons. On one channel the counters tell it. On several, and
 * where some share an address, a pass over the deliveries does, about 50 ms for 100,000 persons, twice that where a
 * fifth of them share; it is made once for each state of the counters, which every move moves, so that what has ended
 * is never counted twice. What went to the Sandbox beside what went out for real reached nobody: its channels are left
 * aside.
 */
export async function outcomesOf(db: Db, runs: readonly CountedRun[]): Promise<Map<number, Outcomes>> {
  const known = remembered.get(db) ?? new Map<number, { as: string; outcomes: Outcomes }>();
  remembered.set(db, known);
  const stateOf = ({ counts, resends }: CountedRun) => JSON.stringify([resends, counts]);
  const passed = runs.filter(({ channels, counts }) => tellsLess(channels, counts));
  const unknown = passed.filter((run) => known.get(run.runId)?.as !== stateOf(run));
  const counted = await countSeveral(db, unknown);
  for (const run of unknown) {
    known.delete(run.runId);
    known.set(run.runId, { as: stateOf(run), outcomes: counted.get(run.runId) ?? nobody() });
  }
  const answer = new Map(
    runs.map((run) => [run.runId, known.get(run.runId)?.outcomes ?? fromCounters(run.counts)]),
  );
  // The first keys are those that were counted longest ago.
  for (const runId of [...known.keys()].slice(0, Math.max(0, known.size - REMEMBERED))) known.delete(runId);
  return answer;
}

async function countSeveral(db: Db, runs: readonly CountedRun[]): Promise<Map<number, Outcomes>> {
  if (runs.length === 0) return new Map();
  const simulated = await simulatedChannelsOf(
    db,
    runs.map(({ runId }) => runId),
  );
  const judged = runs.map(({ runId, channels, counts }) => {
    const aside = simulated.get(runId) ?? [];
    const real = counts.filter(({ channel }) => !aside.includes(channel));
    return { runId, aside, real, byPerson: tellsLess(channels - aside.length, real) };
  });
  const counted = await countPersons(
    db,
    judged.filter(({ byPerson }) => byPerson),
  );
  return new Map(
    judged.map(({ runId, aside, real, byPerson }) => {
      const outcomes = byPerson ? (counted.get(runId) ?? nobody()) : fromCounters(real);
      return [runId, { ...outcomes, simulatedChannels: aside }];
    }),
  );
}

/** Whether the counters tell less than what became of each person. */
function tellsLess(channels: number, counts: CountedRun["counts"]): boolean {
  return channels > 1 || counts.some(({ reason }) => reason === "same-address");
}

const nobody = (): Outcomes => ({
  outcomes: Object.fromEntries(personOutcomes.map((outcome) => [outcome, 0])) as Outcomes["outcomes"],
  peopleWaiting: 0,
  simulatedChannels: [],
});

/** On a single channel each delivery is a person, unless some share an address. */
function fromCounters(counts: CountedRun["counts"]): Outcomes {
  const { outcomes } = nobody();
  let peopleWaiting = 0;
  for (const { status, count } of counts) {
    outcomes[personOutcomeOf[status]] += count;
    if (deliveryStatusMeaning[status].group === "waiting") peopleWaiting += count;
  }
  return { outcomes, peopleWaiting, simulatedChannels: [] };
}

const place = (outcome: PersonOutcome) => sql.lit(personOutcomes.indexOf(outcome));
const places = deliveryStatuses.map(
  (status) => sql`WHEN ${sql.lit(status)} THEN ${place(personOutcomeOf[status])}`,
);
const inGroup = (group: string) =>
  deliveryStatuses.filter((status) => deliveryStatusMeaning[status].group === group);

type PersonsOf = { runId: number; aside: readonly Channel[] };

async function countPersons(db: Db, runs: readonly PersonsOf[]): Promise<Map<number, Outcomes>> {
  const found = new Map<number, Outcomes>();
  if (runs.length === 0) return found;
  const runIds = runs.map(({ runId }) => runId);
  const aside = runs.flatMap(({ runId, aside }) => aside.map((channel) => ({ runId, channel })));
  const counts =
    aside.length === 0
      ? sql`true`
      : sql`(run_id, channel) NOT IN (SELECT * FROM unnest(
          ${aside.map(({ runId }) => runId)}::bigint[], ${aside.map(({ channel }) => channel)}::text[]))`;
  const { rows } = await sql<{ runId: number; place: number; people: number; open: number }>`
    SELECT run_id AS "runId", place, count(*) AS people, count(*) FILTER (WHERE open) AS open
    FROM (
      SELECT run_id, bool_or(fares = ANY(${inGroup("waiting")}::text[])) AS open,
        min(CASE WHEN reason = 'same-address' AND fares = ANY(${inGroup("reached")}::text[]) THEN ${place("shared")}
          ELSE CASE fares ${sql.join(places, sql` `)} END END) AS place
      -- OFFSET 0: looked up once, not once for each time that it is named.
      FROM (SELECT run_id, user_id, reason, ${fares} AS fares FROM deliveries d
        WHERE run_id = ANY(${runIds}::bigint[]) AND ${counts} OFFSET 0) d
      GROUP BY run_id, user_id
    ) persons GROUP BY run_id, place`.execute(db);
  for (const { runId, place: at, people, open } of rows) {
    const run = found.get(runId) ?? nobody();
    found.set(runId, run);
    run.outcomes[personOutcomes[at]!] = people;
    run.peopleWaiting += open;
  }
  return found;
}
