import type { Db } from "#server/db/database.ts";
import { type Stay, showing } from "./residencies.ts";
import { readToday } from "./settle.ts";
import { readHomes, writeHomes } from "./store.ts";

/** Sets the days of the homes that these people's details name and named before. Call it after `settleHomes`. */
export async function setDays(tx: Db, people: readonly { id: number; days: Stay | null }[]): Promise<void> {
  const dated = new Map(people.flatMap(({ id, days }) => (days ? [[id, days] as const] : [])));
  if (dated.size === 0) return;
  const [homes, today] = [await readHomes(tx, [...dated.keys()]), await readToday(tx)];
  const changes = [...homes].flatMap(([personId, before]) => {
    const shown = before.find((one) => one.shown);
    if (!shown) return [];
    const after = before.map((one) => (one === shown ? { ...one, ...dated.get(personId)! } : one));
    return [{ personId, before, after: showing(after, today(shown.propertyId)) }];
  });
  await writeHomes(tx, changes);
}
