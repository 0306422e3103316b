import { sql } from "kysely";
import { fold } from "#contract/text/fold.ts";
import type { Db } from "#server/db/database.ts";

type Named = { firstName: string; lastName: string; email: string | null };

const MIN = 3;
const MAX = 60;
const MAX_NAMES_A_QUERY = 20_000;

/**
 * Makes up a free username for each person: "maria.lopez", and for the next of that name "maria.lopez2". It is unique
 * among existing people, within the result, and not in `reserved`. It reserves nothing: the insert decides.
 */
export async function generateUsernames(
  db: Db,
  people: readonly Named[],
  reserved: readonly string[],
): Promise<string[]> {
  const waiting = Map.groupBy(people.keys(), (place) => baseOf(people[place] as Named));
  const names: string[] = Array.from({ length: people.length });
  const given = new Set<string>();
  const tried = new Map<string, number>();
  // Each round asks for twice as many names for those who are left, so the 500th John Smith needs nine rounds.
  for (let factor = 1; waiting.size > 0; factor *= 2) {
    const candidates = new Map<string, string[]>();
    for (const [base, places] of waiting) {
      const from = tried.get(base) ?? 0;
      const count = Math.min(places.length * factor, MAX_NAMES_A_QUERY);
      candidates.set(
        base,
        Array.from({ length: count }, (_, n) => numbered(base, from + n + 1)),
      );
      tried.set(base, from + count);
    }
    const taken = await takenUsernames(db, [...candidates.values()].flat(), reserved);
    for (const [base, list] of candidates) {
      const places = waiting.get(base) ?? [];
      for (const name of list) {
        if (places.length === 0) break;
        if (taken.has(name) || given.has(name)) continue;
        given.add(name);
        names[places.shift() as number] = name;
      }
      if (places.length === 0) waiting.delete(base);
    }
  }
  return names;
}

function numbered(base: string, n: number): string {
  return n === 1 ? base : `${base}${n}`;
}

function baseOf({ firstName, lastName, email }: Named): string {
  const fromName = [firstName, lastName].map(plain).filter(Boolean).join(".").slice(0, MAX);
  if (fromName.length >= MIN) return fromName;
  const fromEmail = plain(email?.split("@")[0] ?? "").slice(0, MAX);
  if (fromEmail.length >= MIN) return fromEmail;
  return `person.${fromName || fromEmail}`.replace(/\.$/, "");
}

/** Letters a to z and digits; accents and other scripts are dropped. */
function plain(text: string): string {
  return fold(text).replaceAll(/[^a-z0-9]/g, "");
}

/** Those of the usernames, in lower case, that people have or that are among `given`. */
async function takenUsernames(
  db: Db,
  usernames: readonly string[],
  given: readonly string[],
): Promise<Set<string>> {
  const found = await sql<{ name: string }>`
    SELECT lower(username) AS name FROM users
    WHERE deleted_at IS NULL AND lower(username) = ANY(${[...usernames]}::text[])
    UNION ALL SELECT lower(name) FROM unnest(${[...given]}::text[]) AS name`.execute(db);
  return new Set(found.rows.map((row) => row.name));
}
