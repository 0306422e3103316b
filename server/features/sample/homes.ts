import { sql } from "kysely";
import { dayAfter } from "#contract/homes.ts";
import type { Db } from "#server/db/database.ts";
import type { SamplePerson } from "#server/features/sample/people.ts";
import { findUnits } from "#server/places/find-units.ts";
import { movedIn, movedTo, type Residency, showing } from "#server/places/residencies.ts";
import { readToday } from "#server/places/settle.ts";
import { readHomes, writeHomes } from "#server/places/store.ts";

/** Where the properties are: in a town that no map has. */
const addresses = {
  "Maple Court": "214 Maple Street, Eastmere, NY 10999",
  "Harbor View": "8 Quay Road, Eastmere, NY 10999",
  "Cedar Lofts": "61 Foundry Lane, Eastmere, NY 10999",
  "Garden Row": "Garden Row, Eastmere, NY 10997",
};

/** Tenants, by their place, who leave in so many days. */
const leaving: Record<number, number> = { 34: 6, 109: 19, 190: 3 };
/** Who moves to another home of their property in so many days. */
const moving: Record<number, { inDays: number; unit: string }> = { 15: { inDays: 11, unit: "10D" } };
/** And who has, so many days ago. */
const moved: Record<number, { daysAgo: number; unit: string }> = {
  40: { daysAgo: 100, unit: "10G" },
  101: { daysAgo: 45, unit: "10E" },
};
/** Who owns a home that others live in. */
const owning = { k: 230, property: "Cedar Lofts", unit: "3B" };

/** Someone moves out on the day; it is their last. */
export async function moveOut(tx: Db, personId: number, day: string): Promise<void> {
  await rewrite(tx, [personId], (_id, homes) => homes.map((one) => ({ ...one, lastDay: day })));
}

/**
 * What is known of the homes once the history has been played: since when each person lives there, as what, and until
 * when; what comes next; and how the houses are divided. Messages of the history go to all who lived there, and their
 * homes had no days then.
 */
export async function dateHomes(
  tx: Db,
  people: readonly SamplePerson[],
  ids: ReadonlyMap<number, number>,
): Promise<void> {
  const places = new Map([...ids].map(([k, id]) => [id, k]));
  const today = (await readToday(tx))(undefined);
  const named = (property: string, unit: string) => ({ property, unit });
  const find = await findUnits(tx, [
    named(owning.property, owning.unit),
    ...Object.entries({ ...moving, ...moved }).map(([k, { unit }]) =>
      named(people[Number(k)]!.property!, unit),
    ),
  ]);
  await rewrite(tx, [...places.keys()], (id, homes) => {
    const k = places.get(id)!;
    const person = people[k]!;
    const before = people[k - 1];
    const second = before?.property === person.property && before?.unit === person.unit;
    const since = dayAfter(today, person.movesInDays ?? -person.joinedDaysAgo);
    const here = homes.map((one) => ({
      ...one,
      firstDay: moved[k] === undefined ? since : dayAfter(today, -moved[k].daysAgo),
      lastDay: one.lastDay ?? (leaving[k] === undefined ? null : dayAfter(today, leaving[k])),
      role: second && k % 3 === 0 ? ("occupant" as const) : one.role,
      leaseEnds: one.lastDay ?? leaseEnd(since, today),
    }));
    const another = (home: { property: string; unit: string }) => ({ ...find(home), said: null, home: null });
    const to = (unit: string) => another(named(person.property!, unit));
    if (moving[k]) return movedTo(here, here[0]!, to(moving[k].unit), dayAfter(today, moving[k].inDays));
    if (moved[k]) {
      const time = { firstDay: since, lastDay: dayAfter(today, -moved[k].daysAgo - 1) };
      return movedIn(here, to(moved[k].unit), { ...time, role: "leaseholder", leaseEnds: null });
    }
    const owns = { firstDay: "2019-06-01", lastDay: null, leaseEnds: null, role: "owner" as const };
    return k === owning.k ? movedIn(here, another(owning), owns) : here;
  });
  for (const [name, address] of Object.entries(addresses)) {
    await sql`UPDATE properties SET address = ${address} WHERE name = ${name}`.execute(tx);
  }
  // Two wings of three stacks each.
  await sql`UPDATE units h SET building = CASE WHEN h.stack < 'D' THEN 'A' ELSE 'B' END, corrected = true
    FROM properties p WHERE p.id = h.property_id AND p.name = 'Harbor View' AND h.stack IS NOT NULL`.execute(
    tx,
  );
}

/** Leases run for a year, again and again. */
function leaseEnd(firstDay: string, today: string): string {
  let end = Temporal.PlainDate.from(firstDay).add({ years: 1 }).subtract({ days: 1 });
  while (Temporal.PlainDate.compare(end, today) < 0) end = end.add({ years: 1 });
  return end.toString();
}

async function rewrite(
  tx: Db,
  personIds: readonly number[],
  after: (personId: number, homes: readonly Residency[]) => Residency[],
): Promise<void> {
  const today = (await readToday(tx))(undefined);
  const homes = await readHomes(tx, personIds);
  await writeHomes(
    tx,
    [...homes].map(([personId, before]) => ({
      personId,
      before,
      after: showing(after(personId, before), today),
    })),
  );
}
