import { sql } from "kysely";
import { channelMeaning, addressKind } from "#contract/delivery.ts";
import type { Delivery } from "#contract/calls/deliveries.ts";
import { MOST_PRINTED } from "#contract/calls/reports.ts";
import { numberText } from "#contract/text/locale.ts";
import { valueOf } from "#contract/text/message-fields.ts";
import { isolated } from "#contract/text/isolate.ts";
import type { Db } from "#server/db/database.ts";
import { sortKeyOf } from "#server/db/like.ts";
import { inMonthsOf } from "#server/db/months.ts";
import { deliveriesOfPeople } from "#server/activity/deliveries.ts";
import { formatAddress, timelinesOf } from "#server/activity/timeline.ts";
import type { FieldValues } from "#server/delivery/content/compiled.ts";
import type { Part, PrintedPerson, PrintedSection } from "./pdf/printed.ts";
import type { Times } from "./times.ts";

/** Values of `run_people.place` that belong together, in the report's order. */
const sections: { places: number[]; title: string; note: string }[] = [
  { places: [0, 1], title: "Not reached", note: "Listed first, with every attempt." },
  { places: [2], title: "Not certain yet", note: "Still waiting, or the provider never answered." },
  { places: [5, 6], title: "Opted out or cancelled", note: "We did not write to them." },
  { places: [3, 4], title: "Reached", note: "On at least one channel." },
];
const order = sections.flatMap(({ places }) => places);

const PAGE = 100;

type Listed = { userId: number; place: number };

/** The sections of a report and their people, a hundred at a time. */
export async function* readPeople(db: Db, runId: number, times: Times): AsyncGenerator<Part> {
  const totals = await countPlaces(db, runId);
  const listed = await listPeople(db, runId);
  let number = 0;
  for (const { places, title, note } of sections) {
    const people = listed.filter(({ place }) => places.includes(place));
    if (people.length === 0) continue;
    const total = places.reduce((sum, place) => sum + (totals.get(place) ?? 0), 0);
    yield { kind: "section", section: { title, note: `${counted(people.length, total)} ${note}` } };
    for (let from = 0; from < people.length; from += PAGE) {
      const ids = people.slice(from, from + PAGE).map(({ userId }) => userId);
      yield { kind: "people", people: await read(db, { runId, ids, times, after: number }) };
      number += ids.length;
    }
  }
}

function counted(listed: number, total: number): PrintedSection["note"] {
  const all = `${numberText(total)} ${total === 1 ? "person" : "people"}`;
  return listed < total ? `${numberText(listed)} of ${all}.` : `${all}.`;
}

async function countPlaces(db: Db, runId: number): Promise<Map<number, number>> {
  const { rows } = await sql<{ place: number; count: number }>`
    SELECT place, count(*)::int AS count FROM run_people WHERE run_id = ${runId} GROUP BY place`.execute(db);
  return new Map(rows.map(({ place, count }) => [place, count]));
}

/**
 * Who is listed, by section and name. Read at once, because a person whose outcome changes in the meantime would be
 * listed twice or not at all.
 */
async function listPeople(db: Db, runId: number): Promise<Listed[]> {
  const { rows } = await sql<Listed>`
    SELECT p.user_id AS "userId", p.place FROM run_people p
    JOIN runs r ON r.id = p.run_id
    JOIN deliveries d ON d.run_id = p.run_id AND d.user_id = p.user_id AND d.channel = r.channels[1]
    WHERE p.run_id = ${runId}
    ORDER BY array_position(${order}::smallint[], p.place), ${sortKeyOf(sql`d.person_name`)}, p.user_id
    LIMIT ${MOST_PRINTED}`.execute(db);
  return rows;
}

type Extra = { id: number; fields: string[]; values: FieldValues; earlier: string[] };

async function read(
  db: Db,
  { runId, ids, times, after }: { runId: number; ids: number[]; times: Times; after: number },
): Promise<PrintedPerson[]> {
  const deliveries = await deliveriesOfPeople(db, runId, ids);
  const [timelines, extras] = await Promise.all([
    timelinesOf(db, deliveries, { queued: false }),
    readExtras(db, deliveries),
  ]);
  const ofPerson = Map.groupBy(deliveries, ({ userId }) => userId);
  return ids.map((id, place) => {
    const own = ofPerson.get(id) ?? [];
    const [first] = own;
    const known = first && extras.get(first.id);
    return {
      number: after + place + 1,
      name: first?.name ?? "",
      unit: first?.propertyUnit ?? null,
      filled: (known?.fields ?? []).map(
        (field) => `${field}: ${isolated((known && valueOf(known.values, field)) ?? "")}`,
      ),
      channels: own.map((delivery) => ({
        label: channelMeaning[delivery.channel].label,
        address: addressOf(delivery),
        earlier: (extras.get(delivery.id)?.earlier ?? []).map((address) =>
          formatAddress({ ...delivery, address }),
        ),
        simulated: delivery.simulated,
        events: (timelines.get(delivery.id) ?? []).map(({ at, ...event }) => ({
          ...event,
          time: times.short(new Date(at)),
        })),
      })),
    };
  });
}

const addressOf = (delivery: Delivery) =>
  delivery.address === null && addressKind(delivery.channel) !== "device"
    ? "Not on file"
    : formatAddress(delivery);

/** What was filled in for each person, and the addresses of earlier attempts. */
async function readExtras(db: Db, deliveries: readonly Delivery[]): Promise<Map<number, Extra>> {
  const ids = deliveries.map(({ id }) => id);
  const { rows } = await sql<Extra>`
    SELECT d.id, v.field_values || d.field_values AS values,
      ARRAY(SELECT jsonb_array_elements_text(v.compiled -> 'fields')
        UNION ALL SELECT f ->> 'field' FROM jsonb_array_elements(coalesce(v.compiled -> 'details', '[]')
          || coalesce(v.compiled -> 'values', '[]')) f) AS fields,
      ARRAY(SELECT DISTINCT e.address FROM earlier_addresses e
        WHERE e.delivery_id = d.id AND e.address IS DISTINCT FROM d.address) AS earlier
    FROM deliveries d JOIN runs r ON r.id = d.run_id JOIN content_versions v ON v.id = r.content_version_id
    WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = ANY(${ids}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
