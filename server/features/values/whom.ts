import type { StoredTrouble } from "#server/db/schema.ts";
import { type Found, homeKey } from "#server/features/values/find-people.ts";
import { addressKinds, type Keys } from "#server/features/values/read-row.ts";

export type Whom = { people: readonly number[] } | { trouble: StoredTrouble };

type Given = { column: number; people: ReadonlySet<number> };

const MOST_CANDIDATES = 10;

/**
 * Whom a row is for: the person with its username, email and phone, all of them; a row without any is for the
 * leaseholders of its home. Where several people share an address or a home, the home and the name tell them apart.
 */
export function whom(keys: Keys, found: Found): Whom {
  const given = addressKinds.flatMap((kind): Given[] => {
    const key = keys[kind];
    // Of several addresses in a cell, the first one on file counts.
    const people = key?.texts.map((text) => found[kind].get(text)).find((some) => some !== undefined);
    return key ? [{ column: key.column, people: people ?? new Set() }] : [];
  });
  if (given.length === 0) return inHome(keys, found);
  const unknown = given.find(({ people }) => people.size === 0);
  if (unknown) return notOnFile(unknown.column, given, keys, found);
  const all = shared(given);
  if (all.people.size === 0) return trouble("disagree", all.column, given);
  return amongThem(all, keys, found);
}

/** The people of all of these; if there are none, the column that differs. */
function shared([first, ...others]: readonly Given[]): Given {
  let { column, people } = first!;
  for (const one of others) {
    if (people.size === 0) break;
    people = people.intersection(one.people);
    if (people.size === 0) ({ column } = one);
  }
  return { column, people };
}

/** An address of no one. What else the row says may tell who is meant. */
function notOnFile(column: number, given: readonly Given[], keys: Keys, found: Found): Whom {
  const known = given.filter(({ people }) => people.size > 0);
  const home = keys.home && found.homes.get(homeKey(keys.home));
  const people = known.length > 0 ? shared(known).people : new Set(home?.people);
  return trouble("not-on-file", column, [{ column, people }]);
}

/** The home and the name tell those apart who share an address. */
function amongThem({ column, people }: Given, keys: Keys, found: Found): Whom {
  const home = keys.home && found.homes.get(homeKey(keys.home));
  const related = home ? people.intersection(home.related) : new Set<number>();
  const living = related.size > 0 ? related : people;
  const named = living.size > 1 && keys.name ? withName(living, keys.name, found) : living;
  const [one, another] = named.size > 0 ? named : living;
  if (one === undefined || another !== undefined)
    return trouble("several-match", column, [{ column, people: living }]);
  // An email that moved out with its person, beside the home of someone else. A username says who is meant.
  if (home?.units === 1 && related.size === 0 && found.housed.has(one) && !keys.username)
    return trouble("disagree", keys.home!.column, [
      { column, people: new Set([one]) },
      { column, people: new Set(home.people) },
    ]);
  return { people: [one] };
}

function withName(people: ReadonlySet<number>, words: readonly string[], { firstNames }: Found): Set<number> {
  return new Set([...people].filter((id) => words.includes(firstNames.get(id) ?? "")));
}

function trouble(kind: StoredTrouble["kind"], column: number, given: readonly Given[]): Whom {
  const people = given.flatMap((one) => [...one.people.values().take(MOST_CANDIDATES)]);
  const candidates = [...new Set(people)].slice(0, MOST_CANDIDATES);
  return { trouble: { kind, column, ...(candidates.length > 0 && { candidates }) } };
}

function inHome({ home, name }: Keys, found: Found): Whom {
  if (!home) return { trouble: { kind: "no-one-named", column: null } };
  const { column } = home;
  const known = found.homes.get(homeKey(home));
  if (!known) return { trouble: { kind: "no-such-home", column } };
  if (known.units > 1) return { trouble: { kind: "several-match", column } };
  if (known.people.length === 0) return { trouble: { kind: "no-one-there", column } };
  // Someone who only lives there may have a row of their own, too.
  const named = [new Set(known.people), known.related].map((people) => withName(people, name ?? [], found));
  const [one] = named.find(({ size }) => size === 1) ?? [];
  return { people: one === undefined ? known.people : [one] };
}
