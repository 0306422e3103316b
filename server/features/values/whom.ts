import type { RowTrouble } from "#contract/calls/values.ts";
import { type Found, homeKey } from "#server/features/values/find-people.ts";
import type { Keys } from "#server/features/values/read-row.ts";

/** A trouble whose candidates are still ids. */
export type FoundTrouble = Omit<RowTrouble, "candidates"> & { candidates?: readonly number[] };
export type Whom = { people: readonly number[] } | { trouble: FoundTrouble };

const addresses = ["username", "email", "phone"] as const;

/**
 * Whom a row is for: the person with its username, email and phone, all of them; a row without any is for the
 * leaseholders of its home. Where several people share an address, the home tells them apart.
 * @param decision the person that someone chose for the row
 */
export function whom(keys: Keys, found: Found, decision: number | undefined): Whom {
  if (decision !== undefined) return { people: [decision] };
  const given = addresses.flatMap((kind) => {
    const key = keys[kind];
    return key ? [{ column: key.column, people: (key.text && found[kind].get(key.text)) || [] }] : [];
  });
  const unknown = given.find(({ people }) => people.length === 0);
  if (unknown) return { trouble: { kind: "not-on-file", column: unknown.column } };
  const [first, ...others] = given;
  if (!first) return inHome(keys, found);
  let { people } = first;
  for (const { column, people: also } of others) {
    const both = people.filter((id) => also.includes(id));
    if (both.length === 0) {
      return { trouble: { kind: "disagree", column, candidates: [...people, ...also] } };
    }
    people = both;
  }
  if (people.length === 1) return { people };
  const atHome = keys.home ? (found.homes.get(homeKey(keys.home))?.people ?? []) : [];
  const there = people.filter((id) => atHome.includes(id));
  if (there.length === 1) return { people: there };
  return { trouble: { kind: "several-match", column: first.column, candidates: people } };
}

function inHome({ home }: Keys, { homes }: Found): Whom {
  if (!home) return { trouble: { kind: "no-one-named", column: null } };
  const { column } = home;
  const known = homes.get(homeKey(home));
  if (!known) return { trouble: { kind: "no-such-home", column } };
  if (known.units > 1) return { trouble: { kind: "several-match", column } };
  return known.people.length === 0 ? { trouble: { kind: "no-one-there", column } } : known;
}
