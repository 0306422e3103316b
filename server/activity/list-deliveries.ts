import { sql, type RawBuilder } from "kysely";
import type { deliveries } from "#contract/calls/deliveries.ts";
import { personOutcomeMeaning, type Channel, type PersonOutcome, typedChannels } from "#contract/delivery.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { indexedSearch, matching } from "#server/audience/person-search.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { outcomeOf, outcomesOf } from "#server/delivery/runs/run-totals.ts";

/** `q`: words of a name or a unit, or part of an address. */
export type DeliveriesQuestion = QueryOf<typeof deliveries.list>;

type Counted = { outcome: PersonOutcome; waiting: boolean };

/** People who are next to each other in the list: from one value of `run_people.place` to another. */
type Stretch = {
  first: number;
  last: number;
  /** Of those who were reached, only those who have a receipt, or only those who have none. */
  delivered?: boolean;
  holds: (row: Counted) => boolean;
};

const stretch = {
  unreached: { first: 0, last: 1, holds: ({ outcome }) => personOutcomeMeaning[outcome] === "missed" },
  uncertain: { first: 2, last: 2, holds: ({ outcome }) => personOutcomeMeaning[outcome] === "open" },
  waiting: { first: 2, last: 3, holds: ({ waiting }) => waiting },
  sent: {
    first: 3,
    last: 4,
    delivered: false,
    holds: ({ outcome }) => personOutcomeMeaning[outcome] === "reached" && outcome !== "delivered",
  },
  delivered: { first: 3, last: 4, delivered: true, holds: ({ outcome }) => outcome === "delivered" },
  optedOut: { first: 5, last: 5, holds: ({ outcome }) => outcome === "opted-out" },
  cancelled: { first: 6, last: 6, holds: ({ outcome }) => outcome === "cancelled" },
} as const satisfies Record<string, Stretch>;

const everyone: readonly Stretch[] = [
  stretch.unreached,
  stretch.uncertain,
  stretch.sent,
  stretch.delivered,
  stretch.optedOut,
  stretch.cancelled,
];

/** Who is in each view, in its order: not reached first, then sent without a receipt, then delivered. */
const views: Record<DeliveriesQuestion["show"], readonly Stretch[]> = {
  all: everyone,
  unreached: [stretch.unreached],
  waiting: [stretch.waiting],
  reached: [stretch.sent, stretch.delivered],
  sent: [stretch.sent],
  delivered: [stretch.delivered],
  "opted-out": [stretch.optedOut],
  cancelled: [stretch.cancelled],
  // Those who wrote back are found as by a search.
  replied: everyone,
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

/** The counters know the totals, and an index holds the people in order. We walk each stretch from its nearer end. */
async function turnTo(
  db: Db,
  runId: number,
  { show, page, pageSize }: DeliveriesQuestion,
): Promise<{ total: number; people: number[] }> {
  const counts = await countOutcomes(db, runId);
  const people: number[] = [];
  let total = 0;
  for (const one of views[show]) {
    const count = countIn(one, counts);
    const before = Math.max(0, (page - 1) * pageSize - total);
    const wanted = Math.max(0, Math.min(count, page * pageSize - total) - before);
    // If all who were reached are alike in this, the index alone answers.
    const alike = countIn({ holds: ({ outcome }) => personOutcomeMeaning[outcome] === "reached" }, counts);
    const condition = count === alike ? { ...one, delivered: undefined } : one;
    if (wanted > 0) people.push(...(await walk(db, runId, condition, { count, before, wanted })));
    total += count;
  }
  return { total, people };
}

type Slice = { count: number; before: number; wanted: number };

async function walk(
  db: Db,
  runId: number,
  one: Pick<Stretch, "first" | "last"> & { delivered?: boolean | undefined },
  { count, before, wanted }: Slice,
): Promise<number[]> {
  const after = count - before - wanted;
  const backwards = after < before;
  const order = backwards ? sql`place DESC, user_id DESC` : sql`place, user_id`;
  const { rows } = await sql<{ id: number }>`
    SELECT user_id AS id FROM run_people p WHERE run_id = ${runId} AND ${isIn(one)}
    ORDER BY ${order} LIMIT ${wanted} OFFSET ${backwards ? after : before}`.execute(db);
  const people = rows.map(({ id }) => id);
  return backwards ? people.toReversed() : people;
}

type OutcomeCount = Counted & { count: number };

async function countOutcomes(db: Db, runId: number): Promise<OutcomeCount[]> {
  const { rows } = await sql<OutcomeCount>`${outcomesOf(sql`${runId}`)}`.execute(db);
  return rows;
}

const countIn = ({ holds }: Pick<Stretch, "holds">, counts: readonly OutcomeCount[]): number =>
  counts.filter(holds).reduce((sum, { count }) => sum + count, 0);

const isDelivered = sql`${outcomeOf(sql`p.tally`)} = 'delivered'`;

/** Of `run_people p`. */
function isIn({
  first,
  last,
  delivered,
}: Pick<Stretch, "first" | "last"> & { delivered?: boolean | undefined }): RawBuilder<unknown> {
  const places = sql`p.place BETWEEN ${first} AND ${last}`;
  if (delivered === undefined) return places;
  return delivered ? sql`${places} AND ${isDelivered}` : sql`${places} AND NOT ${isDelivered}`;
}

/** Of `run_people p`: the person is in this view. */
const isShown = (show: DeliveriesQuestion["show"]): RawBuilder<unknown> =>
  sql`(${sql.join(
    views[show].map((one) => sql`(${isIn(one)})`),
    sql` OR `,
  )})`;

/** Of `run_people p`: the order in which `views` has its stretches. */
const rank = sql`CASE WHEN p.place IN (3, 4) THEN 3 + (${isDelivered})::int ELSE p.place END`;

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
    SELECT d.user_id, ${rank} AS rank FROM deliveries d
    JOIN run_people p ON p.user_id = d.user_id AND p.run_id = d.run_id
    WHERE ${found} AND ${among} AND ${isShown(question.show)}`,
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
  const counts = await countOutcomes(db, runId);
  const inRun = views[show].reduce((sum, one) => sum + countIn(one, counts), 0);
  for (const first of EARLY) {
    if (inRun <= first) return null;
    const { total, people } = await pageOfFound(
      db,
      question,
      sql`
      SELECT d.user_id, ${rank} AS rank FROM (
        SELECT place, user_id, tally FROM run_people p WHERE run_id = ${runId} AND ${isShown(show)}
        ORDER BY place, user_id LIMIT ${first}) p
      CROSS JOIN LATERAL (SELECT * FROM deliveries d WHERE d.user_id = p.user_id AND ${found} OFFSET 0) d`,
    );
    if (total <= page * pageSize) continue;
    return { total: Math.max(total, Math.round((total * inRun) / first / 100) * 100), people, about: true };
  }
  return null;
}

/** `found`: the rows of user_id and rank that match, several for a person with several messages. */
async function pageOfFound(
  db: Db,
  { page, pageSize }: DeliveriesQuestion,
  found: RawBuilder<unknown>,
): Promise<Listed> {
  const { rows } = await sql<{ total: number; people: number[] }>`
    WITH shown AS MATERIALIZED (SELECT DISTINCT user_id, rank FROM (${found}) f)
    SELECT (SELECT count(*) FROM shown) AS total, ARRAY(
      SELECT user_id FROM shown ORDER BY rank, user_id
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
