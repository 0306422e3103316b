import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { deliveries } from "#contract/deliveries.ts";
import type { DeliveryStatus } from "#contract/delivery.ts";
import { deliveryStatuses, deliveryStatusMeaning } from "#contract/delivery.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { indexedSearch, matching } from "./person-search.ts";

/** `q`: words of a name or a unit, or part of an address. */
export type DeliveriesQuestion = QueryOf<typeof deliveries.list>;

const { unreached, waiting, reached, ...rest } = Object.groupBy(
  deliveryStatuses,
  (status) => deliveryStatusMeaning[status].group,
);

/** Deliveries that stand together in the list: by status, of each the oldest first. */
type Section = { show: DeliveriesQuestion["show"]; statuses: DeliveryStatus[]; missed: boolean | null };

const eachAlone = (show: Section["show"], statuses: DeliveryStatus[] = []): Section[] =>
  statuses.map((status) => ({ show, statuses: [status], missed: null }));

/**
 * The list's order: who got nothing, what may still change, what did not arrive at people who are reached otherwise,
 * what arrived, and what was stopped. `missed` parts the first from the third.
 */
const sectionsInOrder: Section[] = [
  { show: "unreached", statuses: unreached ?? [], missed: true },
  ...eachAlone("waiting", waiting),
  { show: "all", statuses: unreached ?? [], missed: false },
  ...eachAlone("reached", reached),
  ...eachAlone("all", rest["left-out"]),
];

const sectionsOf = (show: DeliveriesQuestion["show"]) =>
  sectionsInOrder.filter((section) => show === "all" || section.show === show);

/** The ids of one page of a run's deliveries, and how many there are on all pages. */
export function idsInOrder(
  db: Db,
  runId: number,
  question: DeliveriesQuestion,
): Promise<{ total: number; ids: number[] }> {
  return question.q === undefined || question.q.trim() === ""
    ? turnTo(db, runId, question)
    : search(db, runId, question, question.q);
}

/** Sections before the page are passed over by their size, so that the last page costs little more than the first. */
async function turnTo(
  db: Db,
  runId: number,
  { show, page, pageSize }: DeliveriesQuestion,
): Promise<{ total: number; ids: number[] }> {
  const sized = await sizesOf(db, runId, sectionsOf(show));
  const total = sized.reduce((sum, { size }) => sum + size, 0);
  let offset = (page - 1) * pageSize;
  let wanted = pageSize;
  const parts: RawBuilder<unknown>[] = [];
  for (const { section, size } of sized) {
    const rows = Math.min(wanted, size - offset);
    if (rows > 0) {
      parts.push(part(runId, section, { place: parts.length, offset, rows }));
      wanted -= rows;
    }
    offset = Math.max(0, offset - size);
  }
  if (parts.length === 0) return { total, ids: [] };
  const { rows } = await sql<{ id: number }>`${withMissed(runId)}
    SELECT id FROM (${sql.join(parts, sql` UNION ALL `)}) ids ORDER BY place, status, id`.execute(db);
  return { total, ids: rows.map(({ id }) => id) };
}

/** Where it does not matter whom nothing reached, `missed` is not named, and PostgreSQL does not look for them. */
function part(
  runId: number,
  { statuses, missed }: Section,
  { place, offset, rows }: { place: number; offset: number; rows: number },
): RawBuilder<unknown> {
  const only = missed === null ? sql`true` : sql`(d.user_id IN (SELECT user_id FROM missed)) = ${missed}`;
  // Status by status, because only then an index has them in order; none gives more than the page can want.
  return sql`(SELECT d.id, s.place AS status, ${place}::int AS place
    FROM unnest(${statuses}::text[]) WITH ORDINALITY s (status, place) CROSS JOIN LATERAL (
      SELECT d.id FROM deliveries d WHERE d.run_id = ${runId} AND d.status = s.status AND ${only}
      ORDER BY d.id LIMIT ${offset + rows}) d
    ORDER BY s.place, d.id LIMIT ${rows} OFFSET ${offset})`;
}

async function sizesOf(
  db: Db,
  runId: number,
  sections: readonly Section[],
): Promise<{ section: Section; size: number }[]> {
  const { rows } = await sql<{ status: DeliveryStatus; count: number }>`
    SELECT status, sum(count)::int AS count FROM run_counts WHERE run_id = ${runId} GROUP BY status`.execute(
    db,
  );
  const sumOf = (statuses: readonly DeliveryStatus[]) =>
    rows.reduce((sum, { status, count }) => sum + (statuses.includes(status) ? count : 0), 0);
  const parted = sections.some(({ missed, statuses }) => missed !== null && sumOf(statuses) > 0);
  const ofMissed = parted ? await missedMessages(db, runId) : 0;
  return sections.map((section) => {
    const all = sumOf(section.statuses);
    if (section.missed === null) return { section, size: all };
    return { section, size: section.missed ? ofMissed : Math.max(0, all - ofMissed) };
  });
}

/** Whoever is missed was missed on every channel. */
async function missedMessages(db: Db, runId: number): Promise<number> {
  const { rows } = await sql<{ messages: number }>`${withMissed(runId)}
    SELECT count(*) * ${channelsOf(runId)} AS messages FROM missed`.execute(db);
  return rows[0]!.messages;
}

async function search(
  db: Db,
  runId: number,
  { show, page, pageSize }: DeliveriesQuestion,
  q: string,
): Promise<{ total: number; ids: number[] }> {
  const persons = await personsFor(db, runId, q);
  const among = persons === null ? sql`true` : sql`user_id = ANY(${persons}::bigint[])`;
  const order = sectionsOf(show).flatMap(({ statuses, missed }) =>
    statuses.map((status) => ({ status, missed })),
  );
  const { rows } = await sql<{ total: number; ids: number[] }>`
    WITH missed AS MATERIALIZED (${missedOf(runId, among)}), shown AS MATERIALIZED (
      SELECT d.id, s.place FROM deliveries d
      JOIN ROWS FROM (unnest(${order.map(({ status }) => status)}::text[]),
        unnest(${order.map(({ missed }) => missed)}::boolean[])) WITH ORDINALITY s (status, missed, place)
      ON s.status = d.status AND (s.missed IS NULL OR s.missed = (d.user_id IN (SELECT user_id FROM missed)))
      WHERE d.run_id = ${runId} AND ${among} AND (
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

const channelsOf = (runId: number) => sql`(SELECT cardinality(channels) FROM runs WHERE id = ${runId})`;

/** Persons whom no message of the run reached or may still reach. Whoever shares an address was reached there. */
function missedOf(runId: number, among: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`SELECT user_id FROM deliveries
    WHERE run_id = ${runId} AND status = ANY(${unreached}::text[]) AND reason IS DISTINCT FROM 'same-address' AND ${among}
    GROUP BY user_id HAVING count(*) = ${channelsOf(runId)}`;
}

const withMissed = (runId: number) => sql`WITH missed AS MATERIALIZED (${missedOf(runId, sql`true`)})`;
