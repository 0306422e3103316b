import { identity, type Sign } from "#server/features/csv/find-known.ts";
import type { Entry } from "#server/features/csv/plan-import.ts";
import { type CellTrouble, trouble } from "#server/features/csv/read-row.ts";

/** Two rows that mean one person, and one row that may mean several people. */

const sameAsEarlier: Record<Sign, string> = {
  username: "An earlier row has the same user name",
  email: "An earlier row has the same e-mail address",
  phone: "An earlier row has the same phone number",
  likeness: "An earlier row is the same person",
};

/** Leaves out every row but the first that means a person. */
export function markDuplicates(entries: readonly Entry[], sign: Sign): void {
  const seen = new Set<string | number>();
  for (const { person, troubles, found } of entries) {
    // Two spellings may still mean one person who exists already, and housemates who share an address are two.
    const shareable = (sign === "email" || sign === "phone") && person[sign] !== undefined;
    const own = found.person && shareable ? undefined : identity(person, sign);
    const keys = [own, found.person?.id].filter((key) => key !== undefined);
    if (keys.some((key) => seen.has(key))) {
      const by = sign !== "likeness" && person[sign] !== undefined ? sign : "likeness";
      const meaning = by === "likeness" ? "lastName" : by;
      troubles.push(trouble(meaning, person[meaning] ?? "", "duplicate", sameAsEarlier[by]));
    }
    for (const key of keys) seen.add(key);
  }
}

/** Nothing in the row tells which of the people who have its address it means, or whether it means them at all. */
export function doubtTrouble({ person, found }: Entry, sign: Sign): CellTrouble[] {
  const [first, ...others] = found.holders ?? [];
  if (!first || (sign !== "email" && sign !== "phone")) return [];
  const what = sign === "email" ? "e-mail address" : "phone number";
  const rename = found.mayRename ? "have people renamed, or give" : "give";
  const reason =
    others.length > 0
      ? `${others.length + 1} people have this ${what}. Give the user name or the full name of the one who is meant.`
      : `This ${what} is ${first.firstName} ${first.lastName}'s. For a new name of that person ${rename} the user name too, ${first.username}; somebody else who shares it goes in when people are known by user name.`;
  return [trouble(sign, person[sign] ?? "", "taken", reason)];
}
