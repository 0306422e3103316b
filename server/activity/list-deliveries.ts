import { sql, type RawBuilder } from "kysely";
import type { deliveries } from "#contract/calls/deliveries.ts";
import { personOutcomeMeaning, type Channel, type PersonOutcome, typedChannels } from "#contract/delivery.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { indexedSearch, matching } from "#server/audience/person-search.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { outcomesOf } from "#server/delivery/runs/run-totals.ts";

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
type Listed = { total: number; people: number[]; about?: boolean };

/** The ids of one page of a run's people, how many there are on all pages, and the channels to list for each of them. */
export async function listPeople(
  db: Db,
  runId: number,
  question: DeliveriesQuestion,
): Promise<Listed & { channels: Channel[] }> {
  const { rows } = await sql<Run>`
    SELECT id, channels, simulated_channels AS "simulatedChannels" FROM runs WHERE id = ${runId}`.execute(db);
  const channels = channelsOf(rows[0]!, question.show);
  const q = question.q?.trim() ?? "";
  const listed =
    q === "" && question.show !== "replied"
      ? await turnTo(db, runId, question)
      : await search(db, runId, channels, question, q);
  return { ...listed, channels };
}

/** Those that count for people, then, if everything is shown, the simulated ones. */
function channelsOf({ channels, simulatedChannels }: Run, show: DeliveriesQuestion["show"]): Channel[] {
  if (simulatedChannels.length === channels.length) return channels;
  const real = channels.filter((channel) => !simulatedChannels.includes(channel));
  return show === "all" ? [...real, ...simulatedChannels] : real;
}

/** The counters know the total, and an index holds the people in order. We walk it from the nearer end. */
async function turnTo(
  db: Db,
  runId: number,
  { show, page, pageSize }: DeliveriesQuestion,
): Promise<{ total: number; people: number[] }> {
  const total = await countPeople(db, runId, show);
  const before = (page - 1) * pageSize;
  const wanted = Math.max(0, Math.min(pageSize, total - before));
  const after = Math.max(0, total - before - wanted);
  const backwards = after < before;
  const order = backwards ? sql`place DESC, user_id DESC` : sql`place, user_id`;
  const { rows } = await sql<{ id: number }>`
    SELECT user_id AS id FROM run_people WHERE run_id = ${runId} AND ${placesOf(show)}
    ORDER BY ${order} LIMIT ${wanted} OFFSET ${backwards ? after : before}`.execute(db);
  const people = rows.map(({ id }) => id);
  return { total, people: backwards ? people.toReversed() : people };
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

function placesOf(show: DeliveriesQuestion["show"]): RawBuilder<unknown> {
  const { first, last } = places[show];
  return sql`place BETWEEN ${first} AND ${last}`;
}

const typed = sql.join(typedChannels.map((channel) => sql.lit(channel)));

async function search(
  db: Db,
  runId: number,
  channels: readonly Channel[],
  question: DeliveriesQuestion,
  q: string,
): Promise<Listed> {
  const persons = await personsFor(db, runId, q);
  const replied = question.show === "replied" ? await repliedIn(db, runId) : null;
  // As the run kept them, and as they can be reached now: someone who got a text is also found by their email address.
  const name = sql`fold(d.person_name || ' ' || coalesce(d.person_unit, ''))`;
  const contact = sql`fold(concat_ws(' ', CASE WHEN d.channel IN (${typed}) THEN d.address END,
    (SELECT concat_ws(' ', u.username, u.email, u.phone, u.other_contacts) FROM users u WHERE u.id = d.user_id)))`;
  const found = sql`d.run_id = ${runId} AND d.channel = ANY(${channels}::text[])
    AND (${matching(q, name)} OR ${matching(q, contact)})
    AND ${replied === null ? sql`true` : sql`d.id = ANY(${replied}::bigint[])`}`;
  const many = persons === null || persons.length > SOME;
  const early = many && replied === null && (await findEarly(db, runId, question, found));
  if (early) return early;
  const among = persons === null ? sql`true` : sql`d.user_id = ANY(${persons}::bigint[])`;
  return pageOfFound(
    db,
    question,
    sql`
    SELECT d.user_id, p.place FROM deliveries d
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
  question: DeliveriesQuestion,
  found: RawBuilder<unknown>,
): Promise<Listed | null> {
  const { show, page, pageSize } = question;
  const inRun = await countPeople(db, runId, show);
  for (const first of EARLY) {
    if (inRun <= first) return null;
    const { total, people } = await pageOfFound(
      db,
      question,
      sql`
      SELECT d.user_id, p.place FROM (
        SELECT place, user_id FROM run_people WHERE run_id = ${runId} AND ${placesOf(show)}
        ORDER BY place, user_id LIMIT ${first}) p
      CROSS JOIN LATERAL (SELECT * FROM deliveries d WHERE d.user_id = p.user_id AND ${found} OFFSET 0) d`,
    );
    if (total <= page * pageSize) continue;
    return { total: Math.max(total, Math.round((total * inRun) / first / 100) * 100), people, about: true };
  }
  return null;
}

/** `found`: the rows of user_id and place that match, several for a person with several messages. */
async function pageOfFound(
  db: Db,
  { page, pageSize }: DeliveriesQuestion,
  found: RawBuilder<unknown>,
): Promise<Listed> {
  const { rows } = await sql<{ total: number; people: number[] }>`
    WITH shown AS MATERIALIZED (SELECT DISTINCT user_id, place FROM (${found}) f)
    SELECT (SELECT count(*) FROM shown) AS total, ARRAY(
      SELECT user_id FROM shown ORDER BY place, user_id
      LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) AS people`.execute(db);
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
