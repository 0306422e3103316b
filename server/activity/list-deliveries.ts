import { sql, type RawBuilder } from "kysely";
import type { deliveries } from "#contract/deliveries.ts";
import { personOutcomeMeaning, type Channel, type PersonOutcome } from "#contract/delivery.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { indexedSearch, matching } from "#server/audience/person-search.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { outcomesOf } from "#server/delivery/run-totals.ts";

/** `q`: words of a name or a unit, or part of an address. */
export type DeliveriesQuestion = QueryOf<typeof deliveries.list>;

/** Which values of `run_people.place` each view shows. People not reached come first in all of them. */
const places: Record<DeliveriesQuestion["show"], { first: number; last: number }> = {
  all: { first: 0, last: 6 },
  unreached: { first: 0, last: 1 },
  waiting: { first: 2, last: 3 },
  reached: { first: 3, last: 4 },
  "opted-out": { first: 5, last: 5 },
  cancelled: { first: 6, last: 6 },
  replied: { first: 0, last: 6 },
};

type Run = { id: number; channels: Channel[]; simulatedChannels: Channel[] };

/** `about`: the total is an estimate. */
type Listed = { total: number; ids: number[]; about?: boolean };

/** The ids of one page of a run's deliveries, person by person, and how many there are on all pages. */
export async function listDeliveries(db: Db, runId: number, question: DeliveriesQuestion): Promise<Listed> {
  const { rows } = await sql<Run>`
    SELECT id, channels, simulated_channels AS "simulatedChannels" FROM runs WHERE id = ${runId}`.execute(db);
  const parts = partsOf(rows[0]!, question.show);
  const q = question.q?.trim() ?? "";
  return q === "" && question.show !== "replied"
    ? turnTo(db, runId, parts, question)
    : search(db, runId, parts, question, q);
}

/** The channels to list: those that count for people, then, if everything is shown, the simulated ones. */
function partsOf({ channels, simulatedChannels }: Run, show: DeliveriesQuestion["show"]): Channel[][] {
  if (simulatedChannels.length === channels.length) return [channels];
  const real = channels.filter((channel) => !simulatedChannels.includes(channel));
  return show === "all" && simulatedChannels.length > 0 ? [real, simulatedChannels] : [real];
}

/** Everyone has one delivery per channel, so the number of people before a page is known without reading them. */
async function turnTo(
  db: Db,
  runId: number,
  parts: readonly Channel[][],
  { show, page, pageSize }: DeliveriesQuestion,
): Promise<{ total: number; ids: number[] }> {
  const people = await countPeople(db, runId, show);
  const ids: number[] = [];
  let offset = (page - 1) * pageSize;
  let total = 0;
  for (const channels of parts) {
    const size = people * channels.length;
    const wanted = Math.min(pageSize - ids.length, size - offset);
    if (wanted > 0) ids.push(...(await pageOf(db, { runId, show, channels, people, offset, wanted })));
    offset = Math.max(0, offset - size);
    total += size;
  }
  return { total, ids };
}

async function countPeople(db: Db, runId: number, show: DeliveriesQuestion["show"]): Promise<number> {
  const { rows } = await sql<{ outcome: PersonOutcome; waiting: boolean; count: number }>`
    ${outcomesOf(sql`${runId}`)}`.execute(db);
  const shown: Record<typeof show, (row: (typeof rows)[number]) => boolean> = {
    all: () => true,
    unreached: ({ outcome }) => personOutcomeMeaning[outcome] === "missed",
    waiting: ({ waiting }) => waiting,
    reached: ({ outcome }) => personOutcomeMeaning[outcome] === "reached",
    "opted-out": ({ outcome }) => outcome === "opted-out",
    cancelled: ({ outcome }) => outcome === "cancelled",
    // Those who wrote back are found as by a search.
    replied: () => true,
  };
  return rows.filter(shown[show]).reduce((sum, { count }) => sum + count, 0);
}

type Wanted = {
  runId: number;
  show: DeliveriesQuestion["show"];
  channels: readonly Channel[];
  people: number;
  offset: number;
  wanted: number;
};

/** An index holds the people in order. We walk it from the nearer end. */
async function pageOf(db: Db, { runId, show, channels, people, offset, wanted }: Wanted): Promise<number[]> {
  const before = Math.floor(offset / channels.length);
  const persons = Math.ceil((offset + wanted) / channels.length) - before;
  const after = Math.max(0, people - before - persons);
  const backwards = after < before;
  const order = backwards ? sql`place DESC, user_id DESC` : sql`place, user_id`;
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM (
      SELECT place, user_id FROM run_people WHERE run_id = ${runId} AND ${placesOf(show)}
      ORDER BY ${order} LIMIT ${persons} OFFSET ${backwards ? after : before}) p
    -- OFFSET 0: person by person, whatever the planner assumes about the run's size.
    CROSS JOIN LATERAL (SELECT id, channel FROM deliveries
      WHERE run_id = ${runId} AND user_id = p.user_id AND channel = ANY(${channels}::text[]) OFFSET 0) d
    ORDER BY p.place, p.user_id, array_position(${channels}::text[], d.channel)
    LIMIT ${wanted} OFFSET ${offset - before * channels.length}`.execute(db);
  return rows.map(({ id }) => id);
}

function placesOf(show: DeliveriesQuestion["show"]): RawBuilder<unknown> {
  const { first, last } = places[show];
  return sql`place BETWEEN ${first} AND ${last}`;
}

async function search(
  db: Db,
  runId: number,
  parts: readonly Channel[][],
  question: DeliveriesQuestion,
  q: string,
): Promise<Listed> {
  const persons = await personsFor(db, runId, q);
  const replied = question.show === "replied" ? await repliedIn(db, runId) : null;
  const found = sql`d.run_id = ${runId} AND d.channel = ANY(${parts.flat()}::text[]) AND (
    ${matching(q, sql`lower(d.person_name || ' ' || coalesce(d.person_unit, ''))`)}
    OR d.channel <> 'push' AND ${matching(q, sql`lower(d.address)`)})
    AND ${replied === null ? sql`true` : sql`d.id = ANY(${replied}::bigint[])`}`;
  const many = persons === null || persons.length > SOME;
  const early =
    many && replied === null && parts.length === 1 && (await findEarly(db, runId, parts, question, found));
  if (early) return early;
  const among = persons === null ? sql`true` : sql`d.user_id = ANY(${persons}::bigint[])`;
  return pageOfFound(
    db,
    parts,
    question,
    sql`
    SELECT d.id, d.user_id, p.place, d.channel FROM deliveries d
    JOIN run_people p ON p.user_id = d.user_id AND p.run_id = d.run_id
    WHERE ${found} AND ${among} AND p.${placesOf(question.show)}`,
  );
}

/** The run's deliveries that were replied to. An index holds all replies of the month, which are few. */
async function repliedIn(db: Db, runId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT d.id FROM (
      SELECT DISTINCT delivery_id AS id FROM delivery_events
      WHERE ${inMonthsOf(sql`delivery_id`, [runId])} AND kind = 'replied') e
    -- OFFSET 0: each by its id, whatever the planner assumes about the run's size.
    CROSS JOIN LATERAL (SELECT id FROM deliveries WHERE run_id = ${runId} AND id = e.id OFFSET 0) d`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** How many of the run's people are searched for a page, before searching all of them. */
const EARLY = [500, 4000];
/** Looking up more people than this in the run takes too long for a page. */
const SOME = 1000;

/**
 * If many people match, the first people in the run fill the first pages, and their number of matches gives an estimate
 * of the total. Null if these pages are not full, or the run is short.
 */
async function findEarly(
  db: Db,
  runId: number,
  parts: readonly Channel[][],
  question: DeliveriesQuestion,
  found: RawBuilder<unknown>,
): Promise<Listed | null> {
  const { show, page, pageSize } = question;
  const people = await countPeople(db, runId, show);
  for (const first of EARLY) {
    if (people <= first) return null;
    const { total, ids } = await pageOfFound(
      db,
      parts,
      question,
      sql`
      SELECT d.id, d.user_id, p.place, d.channel FROM (
        SELECT place, user_id FROM run_people WHERE run_id = ${runId} AND ${placesOf(show)}
        ORDER BY place, user_id LIMIT ${first}) p
      CROSS JOIN LATERAL (SELECT * FROM deliveries d WHERE d.user_id = p.user_id AND ${found} OFFSET 0) d`,
    );
    if (total <= page * pageSize) continue;
    return { total: Math.max(total, Math.round((total * people) / first / 100) * 100), ids, about: true };
  }
  return null;
}

async function pageOfFound(
  db: Db,
  parts: readonly Channel[][],
  { page, pageSize }: DeliveriesQuestion,
  found: RawBuilder<unknown>,
): Promise<Listed> {
  const channels = parts.flat();
  const simulated = parts[1] ?? [];
  const { rows } = await sql<{ total: number; ids: number[] }>`
    WITH shown AS MATERIALIZED (${found})
    SELECT (SELECT count(*) FROM shown) AS total, ARRAY(
      SELECT id FROM shown
      ORDER BY channel = ANY(${simulated}::text[]), place, user_id, array_position(${channels}::text[], channel)
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) AS ids`.execute(db);
  return rows[0]!;
}

// Beyond this many, reading the whole run is faster than looking each person up.
const FEW = 2000;

/**
 * The people that a search may mean; null when there are too many to list. A run keeps each person's name, home and
 * address as they were. The current list of people has an index for this search, so we use it first, and check the
 * run's own copy for people who have changed since.
 */
async function personsFor(db: Db, runId: number, q: string): Promise<number[] | null> {
  if (!indexedSearch(q)) return null;
  const { rows } = await sql<{ id: number }>`
    SELECT u.id FROM users u WHERE u.deleted_at IS NULL AND ${matching(q)}
    UNION ALL
    SELECT u.id FROM users u WHERE u.updated_at >= (SELECT created_at FROM runs WHERE id = ${runId})
    LIMIT ${FEW + 1}`.execute(db);
  return rows.length > FEW ? null : [...new Set(rows.map(({ id }) => id))];
}
