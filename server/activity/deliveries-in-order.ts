import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { deliveries } from "#contract/deliveries.ts";
import type { Channel, DeliveryStatus } from "#contract/delivery.ts";
import { deliveryStatuses, deliveryStatusMeaning } from "#contract/delivery.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { indexedSearch, matching } from "#server/audience/person-search.ts";
import { fares } from "./shared-address.ts";
import { simulatedChannelsOf } from "#server/delivery/simulated-channels.ts";

/** `q`: words of a name or a unit, or part of an address. */
export type DeliveriesQuestion = QueryOf<typeof deliveries.list>;

const { unreached, waiting, reached, ...rest } = Object.groupBy(
  deliveryStatuses,
  (status) => deliveryStatusMeaning[status].group,
);

/** Deliveries that stand together in the list: by status, of each the oldest first. */
type Section = {
  show: DeliveriesQuestion["show"];
  statuses: readonly DeliveryStatus[];
  missed: boolean | null;
  /** Those that went to the Sandbox while others went out for real. */
  aside?: boolean;
};

const eachAlone = (show: Section["show"], statuses: DeliveryStatus[] = []): Section[] =>
  statuses.map((status) => ({ show, statuses: [status], missed: null }));

const inOrder = [unreached, waiting, reached, rest["left-out"]].flatMap((statuses) => statuses ?? []);

/**
 * The list's order: who got nothing, what may still change, what did not arrive at people who are reached otherwise,
 * what arrived, what was stopped, and what was only simulated. `missed` parts the first from the third.
 */
const sectionsInOrder: Section[] = [
  { show: "unreached", statuses: unreached ?? [], missed: true },
  ...eachAlone("waiting", waiting),
  { show: "all", statuses: unreached ?? [], missed: false },
  ...eachAlone("reached", reached),
  ...eachAlone("all", rest["left-out"]),
  { show: "all", statuses: inOrder, missed: null, aside: true },
];

const sectionsOf = (show: DeliveriesQuestion["show"], { simulated }: Run) =>
  sectionsInOrder.filter(
    (section) => (show === "all" || section.show === show) && (!section.aside || simulated.length > 0),
  );

/** `simulated`: its channels as `simulatedChannelsOf` has them. */
type Run = { id: number; simulated: Channel[] };

/** The ids of one page of a run's deliveries, and how many there are on all pages. */
export async function idsInOrder(
  db: Db,
  runId: number,
  question: DeliveriesQuestion,
): Promise<{ total: number; ids: number[] }> {
  const run = { id: runId, simulated: (await simulatedChannelsOf(db, [runId])).get(runId) ?? [] };
  return question.q === undefined || question.q.trim() === ""
    ? turnTo(db, run, question)
    : search(db, run, question, question.q);
}

/** Sections before the page are passed over by their size, so that the last page costs little more than the first. */
async function turnTo(
  db: Db,
  run: Run,
  { show, page, pageSize }: DeliveriesQuestion,
): Promise<{ total: number; ids: number[] }> {
  const sized = await sizesOf(db, run, sectionsOf(show, run));
  const total = sized.reduce((sum, { size }) => sum + size, 0);
  let offset = (page - 1) * pageSize;
  let wanted = pageSize;
  const parts: RawBuilder<unknown>[] = [];
  for (const { section, size } of sized) {
    const rows = Math.min(wanted, size - offset);
    if (rows > 0) {
      parts.push(part(run, section, { place: parts.length, offset, rows }));
      wanted -= rows;
    }
    offset = Math.max(0, offset - size);
  }
  if (parts.length === 0) return { total, ids: [] };
  const { rows } = await sql<{ id: number }>`${withMissed(run)}
    SELECT id FROM (${sql.join(parts, sql` UNION ALL `)}) ids ORDER BY place, status, id`.execute(db);
  return { total, ids: rows.map(({ id }) => id) };
}

/** Where it does not matter whom nothing reached, `missed` is not named, and PostgreSQL does not look for them. */
function part(
  run: Run,
  { statuses, missed, aside }: Section,
  { place, offset, rows }: { place: number; offset: number; rows: number },
): RawBuilder<unknown> {
  const only = missed === null ? sql`true` : sql`(d.user_id IN (SELECT user_id FROM missed)) = ${missed}`;
  // Status by status, because only then an index has them in order; none gives more than the page can want.
  return sql`(SELECT d.id, s.place AS status, ${place}::int AS place
    FROM unnest(${statuses}::text[]) WITH ORDINALITY s (status, place) CROSS JOIN LATERAL (
      SELECT d.id FROM deliveries d WHERE d.run_id = ${run.id} AND d.status = s.status AND ${only} AND ${channelsFor(run, aside)}
      ORDER BY d.id LIMIT ${offset + rows}) d
    ORDER BY s.place, d.id LIMIT ${rows} OFFSET ${offset})`;
}

/** Deliveries of these channels are meant. Where none is simulated no column is named, and the index does alone. */
function channelsFor({ simulated }: Run, aside = false): RawBuilder<unknown> {
  if (simulated.length === 0) return sql`true`;
  return sql`(channel = ANY(${simulated}::text[])) = ${aside}`;
}

async function sizesOf(
  db: Db,
  run: Run,
  sections: readonly Section[],
): Promise<{ section: Section; size: number }[]> {
  const { rows } = await sql<{ channel: Channel; status: DeliveryStatus; count: number }>`
    SELECT channel, status, sum(count)::int AS count FROM run_counts WHERE run_id = ${run.id}
    GROUP BY channel, status`.execute(db);
  const sumOf = ({ statuses, aside = false }: Section) =>
    rows
      .filter(({ channel, status }) => statuses.includes(status) && run.simulated.includes(channel) === aside)
      .reduce((sum, { count }) => sum + count, 0);
  const parted = sections.some((section) => section.missed !== null && sumOf(section) > 0);
  const ofMissed = parted ? await missedMessages(db, run) : 0;
  return sections.map((section) => {
    const all = sumOf(section);
    if (section.missed === null) return { section, size: all };
    return { section, size: section.missed ? ofMissed : Math.max(0, all - ofMissed) };
  });
}

/** Whoever is missed was missed on every channel. */
async function missedMessages(db: Db, run: Run): Promise<number> {
  const { rows } = await sql<{ messages: number }>`${withMissed(run)}
    SELECT count(*) * ${channelsOf(run)} AS messages FROM missed`.execute(db);
  return rows[0]!.messages;
}

async function search(
  db: Db,
  run: Run,
  { show, page, pageSize }: DeliveriesQuestion,
  q: string,
): Promise<{ total: number; ids: number[] }> {
  const persons = await personsFor(db, run.id, q);
  const among = persons === null ? sql`true` : sql`user_id = ANY(${persons}::bigint[])`;
  const order = sectionsOf(show, run).flatMap(({ statuses, missed, aside = false }) =>
    statuses.map((status) => ({ status, missed, aside })),
  );
  const { rows } = await sql<{ total: number; ids: number[] }>`
    WITH missed AS MATERIALIZED (${missedOf(run, among)}), shown AS MATERIALIZED (
      SELECT d.id, s.place FROM deliveries d
      JOIN ROWS FROM (unnest(${order.map(({ status }) => status)}::text[]),
        unnest(${order.map(({ missed }) => missed)}::boolean[]),
        unnest(${order.map(({ aside }) => aside)}::boolean[])) WITH ORDINALITY s (status, missed, aside, place)
      ON s.status = d.status AND s.aside = (d.channel = ANY(${run.simulated}::text[]))
        AND (s.missed IS NULL OR s.missed = (d.user_id IN (SELECT user_id FROM missed)))
      WHERE d.run_id = ${run.id} AND ${among} AND (
        ${matching(q, sql`lower(d.person_name || ' ' || coalesce(d.person_unit, ''))`)}
        OR d.channel <> 'push' AND ${matching(q, sql`lower(d.address)`)})
    )
    SELECT (SELECT count(*) FROM shown) AS total, ARRAY(
      SELECT id FROM shown ORDER BY place, id LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}) AS ids`.execute(
    db,
  );
  return rows[0]!;
}

// For more, reading the whole run is quicker than looking each of them up in it.
const FEW = 2000;

/**
 * Who may be meant; null: too many to name. A run has each person's name, home and address as they were. They stand
 * in the list of persons, too, which has an index for it, unless the person has changed since: of those the run's own
 * words decide.
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

/** On so many channels a person may be reached. */
const channelsOf = ({ id, simulated }: Run) =>
  sql`(SELECT cardinality(channels) - ${simulated.length}::int FROM runs WHERE id = ${id})`;

/** Persons whom no message of the run reached or may still reach. */
function missedOf(run: Run, among: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT user_id FROM deliveries d
    WHERE run_id = ${run.id} AND status = ANY(${unreached}::text[]) AND ${fares} = ANY(${unreached}::text[])
      AND ${among} AND ${channelsFor(run)}
    GROUP BY user_id HAVING count(*) = ${channelsOf(run)}`;
}

const withMissed = (run: Run) => sql`WITH missed AS MATERIALIZED (${missedOf(run, sql`true`)})`;
