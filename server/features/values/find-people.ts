import { sql } from "kysely";
import { fold } from "#contract/text/fold.ts";
import { unitKey } from "#contract/text/unit-name.ts";
import { livesNow } from "#server/audience/homes.ts";
import type { Db } from "#server/db/database.ts";
import type { Keys } from "#server/features/values/read-row.ts";

/** Whom each address of the rows belongs to, and who lives in each home. All by their ids. */
export type Found = {
  username: ReadonlyMap<string, readonly number[]>;
  email: ReadonlyMap<string, readonly number[]>;
  phone: ReadonlyMap<string, readonly number[]>;
  /** By `homeKey`. */
  homes: ReadonlyMap<string, FoundHome>;
};

/** `units`: how many homes are called this. `leases`: those who lease it; otherwise whoever lives there. */
export type FoundHome = { units: number; people: readonly number[] };

export const homeKey = ({ property, unit }: NonNullable<Keys["home"]>): string =>
  `${property === null ? "" : fold(property)}\n${unit === null ? "" : unitKey(unit)}`;

/** Finds whom the rows are for, in a statement for each kind of key. */
export async function findPeople(db: Db, rows: readonly Keys[]): Promise<Found> {
  const texts = (key: "username" | "email" | "phone") => [
    ...new Set(rows.flatMap((one) => one[key]?.text ?? [])),
  ];
  const [username, email, phone, homes] = await Promise.all([
    byUsername(db, texts("username")),
    byAddress(db, texts("email"), "email"),
    byAddress(db, texts("phone"), "phone"),
    findHomes(
      db,
      rows.flatMap(({ home }) => home ?? []),
    ),
  ]);
  return { username, email, phone, homes };
}

type Holder = { text: string; people: number[] };
const byText = (rows: readonly Holder[]) => new Map(rows.map(({ text, people }) => [text, people]));

async function byUsername(db: Db, texts: readonly string[]) {
  if (texts.length === 0) return new Map<string, number[]>();
  const { rows } = await sql<Holder>`
    SELECT lower(username) AS text, array_agg(id) AS people FROM users
    WHERE lower(username) = ANY(${[...texts]}::text[]) AND deleted_at IS NULL GROUP BY 1`.execute(db);
  return byText(rows);
}

/** A stranger can register with anyone's address, so theirs count once they are confirmed. */
async function byAddress(db: Db, texts: readonly string[], of: "email" | "phone") {
  if (texts.length === 0) return new Map<string, number[]>();
  const own = of === "email" ? sql`lower(trim(u.email))` : sql`trim(u.phone)`;
  const living = sql`u.deleted_at IS NULL AND u.address_confirmed_at IS NOT NULL`;
  const given = sql`${[...texts]}::text[]`;
  const { rows } = await sql<Holder>`
    SELECT text, array_agg(DISTINCT id ORDER BY id) AS people FROM (
      SELECT ${own} AS text, u.id FROM users u WHERE ${own} = ANY(${given}) AND ${living}
      UNION ALL
      SELECT key, u.id FROM users u CROSS JOIN unnest(contact_keys(u.other_contacts)) key
      WHERE u.other_contacts <> '' AND contact_keys(u.other_contacts) && ${given} AND key = ANY(${given}) AND ${living}
    ) holders GROUP BY text`.execute(db);
  return byText(rows);
}

async function findHomes(
  db: Db,
  homes: readonly NonNullable<Keys["home"]>[],
): Promise<Map<string, FoundHome>> {
  const byKey = new Map(homes.map((home) => [homeKey(home), home]));
  if (byKey.size === 0) return new Map();
  const named = [...byKey.values()];
  const { rows } = await sql<{ key: string; units: number; leases: number[]; living: number[] }>`
    SELECT x.key, count(DISTINCT h.id) AS units,
      coalesce(array_agg(DISTINCT r.person_id) FILTER (WHERE r.role = 'leaseholder'), '{}') AS leases,
      coalesce(array_agg(DISTINCT r.person_id) FILTER (WHERE r.person_id IS NOT NULL), '{}') AS living
    FROM unnest(${[...byKey.keys()]}::text[], ${named.map(({ property }) => (property === null ? null : fold(property)))}::text[],
      ${named.map(({ unit }) => unitKey(unit ?? ""))}::text[]) AS x (key, property, unit)
    JOIN units h ON h.key = x.unit AND h.merged_into IS NULL
      AND (x.property IS NULL OR h.property_id IN (SELECT n.property_id FROM property_names n WHERE n.folded = x.property))
    JOIN properties p ON p.id = h.property_id AND p.archived_at IS NULL
    LEFT JOIN (residencies r JOIN users u ON u.id = r.person_id AND u.deleted_at IS NULL) ON r.unit_id = h.id AND ${livesNow}
    GROUP BY x.key`.execute(db);
  return new Map(
    rows.map(({ key, units, leases, living }) => [
      key,
      { units, people: leases.length > 0 ? leases : living },
    ]),
  );
}
