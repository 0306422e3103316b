import { type RawBuilder, sql } from "kysely";
import { fold } from "#contract/text/fold.ts";
import { unitKey } from "#contract/text/unit-name.ts";
import { livesNow } from "#server/audience/homes.ts";
import type { Db } from "#server/db/database.ts";
import { wordsIn } from "#server/features/values/columns.ts";
import type { AddressKind, Keys } from "#server/features/values/read-row.ts";

/** Whom each address of the rows belongs to, and who lives in each home. All by their ids. */
export type Found = Readonly<Record<AddressKind, ReadonlyMap<string, ReadonlySet<number>>>> & {
  /** By `homeKey`. */
  homes: ReadonlyMap<string, FoundHome>;
  /** Those with one of the addresses who have a home. */
  housed: ReadonlySet<number>;
  /** The first word of the first name, folded, of those who share an address or a home. */
  firstNames: ReadonlyMap<number, string>;
};

export type FoundHome = {
  /** How many homes are called this. */
  units: number;
  /** Those who lease it; otherwise whoever lives there. */
  people: readonly number[];
  /** Everyone who has to do with it, such as its owner, or who moves in. */
  related: ReadonlySet<number>;
};

type Home = NonNullable<Keys["home"]>;

export const homeKey = ({ property, unit }: Home): string =>
  `${property === null ? "" : fold(property)}\n${unit === null ? "" : unitKey(unit)}`;

// A stranger can register with anyone's name, address and home.
const known = sql`u.deleted_at IS NULL AND u.address_confirmed_at IS NOT NULL`;
/** Of `residencies r`: it isn't over. */
const isNotOver = sql`(r.during IS NULL OR upper_inf(r.during) OR upper(r.during) > now())`;

/** Finds whom the rows are for, in a statement for each kind of key. */
export async function findPeople(db: Db, rows: readonly Keys[]): Promise<Found> {
  const texts = (kind: AddressKind) => [...new Set(rows.flatMap((one) => one[kind]?.texts ?? []))];
  const homes = await findHomes(
    db,
    rows.flatMap(({ home }) => home ?? []),
  );
  const [username, email, phone] = [
    await holders(db, texts("username"), byUsername),
    await holders(db, texts("email"), byAddress("email")),
    await holders(db, texts("phone"), byAddress("phone")),
  ];
  const held = [...email.values(), ...phone.values()];
  const found = held.flatMap((people) => [...people]);
  const shared = [...held, ...homes.values().map(({ related }) => related)];
  const sharing = shared.flatMap((people) => (people.size > 1 ? [...people] : []));
  return {
    username,
    email,
    phone,
    homes,
    housed: homes.size === 0 ? new Set() : await housed(db, found),
    firstNames: rows.some(({ name }) => name) ? await firstNames(db, sharing) : new Map(),
  };
}

type Texts = RawBuilder<readonly string[]>;

async function holders(
  db: Db,
  texts: readonly string[],
  holdersOf: (texts: Texts) => RawBuilder<unknown>,
): Promise<Map<string, Set<number>>> {
  if (texts.length === 0) return new Map();
  const { rows } = await sql<{ text: string; people: number[] }>`
    SELECT text, array_agg(DISTINCT id ORDER BY id) AS people FROM (${holdersOf(sql`${[...texts]}::text[]`)}) held
    GROUP BY text`.execute(db);
  return new Map(rows.map(({ text, people }) => [text, new Set(people)]));
}

const byUsername = (texts: Texts) => sql`
  SELECT lower(u.username) AS text, u.id FROM users u WHERE lower(u.username) = ANY(${texts}) AND ${known}`;

/** What someone has entered for themselves may be anyone's until they have confirmed it. */
const byAddress = (kind: "email" | "phone") => (texts: Texts) => {
  const own = kind === "email" ? sql`lower(trim(u.email))` : sql`trim(u.phone)`;
  const unconfirmed = kind === "email" ? sql`u.email_unconfirmed` : sql`u.phone_unconfirmed`;
  return sql`
    SELECT ${own} AS text, u.id FROM users u WHERE ${own} = ANY(${texts}) AND ${known} AND NOT ${unconfirmed}
    UNION ALL
    SELECT key, u.id FROM users u CROSS JOIN unnest(contact_keys(u.other_contacts)) key
    WHERE u.other_contacts <> '' AND contact_keys(u.other_contacts) && ${texts} AND key = ANY(${texts}) AND ${known}`;
};

async function housed(db: Db, people: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT r.person_id AS id FROM residencies r
    WHERE r.person_id = ANY(${[...new Set(people)]}::bigint[]) AND ${isNotOver}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

async function firstNames(db: Db, people: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    SELECT id, first_name AS name FROM users WHERE id = ANY(${[...new Set(people)]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, wordsIn(name)[0] ?? ""]));
}

async function findHomes(db: Db, homes: readonly Home[]): Promise<Map<string, FoundHome>> {
  const byKey = new Map(homes.map((home) => [homeKey(home), home]));
  if (byKey.size === 0) return new Map();
  const withProperty = [...byKey].filter(([, { property }]) => property !== null);
  const alone = [...byKey].filter(([, { property }]) => property === null);
  type Row = { key: string; units: number; leases: number[]; living: number[]; related: number[] };
  const { rows } = await sql<Row>`
    SELECT x.key, count(DISTINCT x.id) AS units,
      coalesce(array_agg(DISTINCT u.id) FILTER (WHERE r.role = 'leaseholder' AND ${livesNow}), '{}') AS leases,
      coalesce(array_agg(DISTINCT u.id) FILTER (WHERE ${livesNow}), '{}') AS living,
      coalesce(array_agg(DISTINCT u.id) FILTER (WHERE u.id IS NOT NULL), '{}') AS related
    FROM (
      SELECT x.key, h.id, h.property_id FROM ${unnested(withProperty)}
      JOIN property_names n ON n.folded = x.property
      JOIN units h ON h.property_id = n.property_id AND h.key = x.unit AND h.merged_into IS NULL
      UNION ALL
      SELECT x.key, h.id, h.property_id FROM ${unnested(alone)}
      JOIN units h ON h.key = x.unit AND h.merged_into IS NULL
    ) x
    JOIN properties p ON p.id = x.property_id AND p.archived_at IS NULL
    LEFT JOIN (residencies r JOIN users u ON u.id = r.person_id AND ${known}) ON r.unit_id = x.id AND ${isNotOver}
    GROUP BY x.key`.execute(db);
  return new Map(
    rows.map(({ key, units, leases, living, related }) => [
      key,
      { units, people: leases.length > 0 ? leases : living, related: new Set(related) },
    ]),
  );
}

const unnested = (homes: readonly (readonly [key: string, home: Home])[]) => sql`
  unnest(${homes.map(([key]) => key)}::text[], ${homes.map(([, { property }]) => fold(property ?? ""))}::text[],
    ${homes.map(([, { unit }]) => unitKey(unit ?? ""))}::text[]) AS x (key, property, unit)`;
