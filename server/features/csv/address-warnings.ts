import { sql } from "kysely";
import type { AddressWarning } from "#contract/calls/csv.ts";
import { addressKind, channelMeaning, channels } from "#contract/delivery.ts";
import { addressText } from "#contract/delivery-reasons.ts";
import { holdsOn, isOptOut, nameOf } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import type { Chosen } from "#server/features/people/contacts.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";

const SHOWN = 200;

type Planned = {
  creates: readonly (PersonRecord & { row: number })[];
  updates: readonly (PersonRecord & { row: number; id: number; before: KnownPerson })[];
};

type OneOfSeveral = Chosen & { row: number; value: string; what: string };

type Found = { row: number; value: string; optedOut: string | null; other: string | null; twice: boolean };

/**
 * The addresses that people get with these rows and that were opted out of, that someone else on file or in these
 * rows has too, or that were one of several. In the order of the rows.
 */
export async function addressWarnings(
  db: Db,
  { creates, updates }: Planned,
  chosen: readonly OneOfSeveral[],
): Promise<AddressWarning[]> {
  const warnings: AddressWarning[] = [];
  for (const channel of channels) {
    const kind = addressKind(channel);
    if (kind === "device") continue;
    const given = [
      ...creates.map((person) => ({ row: person.row, id: 0, value: person[kind] })),
      ...updates
        .filter((person) => person[kind] !== person.before[kind])
        .map((person) => ({ row: person.row, id: person.id, value: person[kind] })),
    ].filter(({ value }) => value !== null);
    if (given.length === 0) continue;
    const { rows } = await sql<Found>`
      WITH given AS MATERIALIZED (
        SELECT g.row, g.id, g.value, lower(trim(g.value)) AS address,
          count(*) OVER (PARTITION BY lower(trim(g.value))) > 1 AS twice
        FROM unnest(${given.map(({ row }) => row)}::int[], ${given.map(({ id }) => id)}::bigint[],
          ${given.map(({ value }) => value)}::text[]) AS g (row, id, value)
      )
      SELECT s.row, s.value, o.reason AS "optedOut", h.name AS other, s.twice FROM given s
      LEFT JOIN suppressions o ON o.channel = ${channel} AND o.address = s.address AND ${isOptOut("o")}
      LEFT JOIN LATERAL (SELECT name FROM (
        -- OFFSET 0: the index of addresses finds them. For the first by id, PostgreSQL may read all people in that order.
        SELECT h.id, ${nameOf("h")} AS name FROM users h
        WHERE ${holdsOn[channel]} AND h.deleted_at IS NULL AND h.id <> s.id OFFSET 0) h
        ORDER BY id LIMIT 1) h ON true
      WHERE o.address IS NOT NULL OR h.name IS NOT NULL OR s.twice
      ORDER BY s.row LIMIT ${SHOWN}`.execute(db);
    const address = addressText(channel);
    for (const { row, value, optedOut, other, twice } of rows) {
      if (optedOut !== null) {
        const reason = `This ${address} gets no ${channelMeaning[channel].many}. ${optedOut}`;
        warnings.push({ row, value, kind: "opted-out", reason });
      }
      if (other !== null || twice) {
        const reason = `${other ?? "Another row"} has this ${address} too, so one message covers both.`;
        warnings.push({ row, value, kind: "shared", reason });
      }
    }
  }
  const several = chosen.map(({ row, value, what, which, of }): AddressWarning => {
    const reason = `${of === 2 ? "Two" : of} ${what} in one cell. We keep the ${which} one.`;
    return { row, value, kind: "several", reason };
  });
  return [...warnings.toSorted((a, b) => a.row - b.row), ...several].slice(0, SHOWN);
}
