import type { Db } from "#server/db/database.ts";
import { type PersonRecord, takenUsernames } from "#server/features/csv/find-people.ts";
import { generateUsernames } from "#server/features/csv/generate-usernames.ts";
import type { Entry } from "#server/features/csv/plan-import.ts";
import { trouble } from "#server/features/csv/read-row.ts";

/** Leaves out new people whose user name is somebody else's: of this house, or of an earlier row. */
export async function refuseTakenNames(db: Db, entries: readonly Entry[]): Promise<void> {
  const named = entries.filter(({ person, found }) => !found.person && person.username !== undefined);
  if (named.length === 0) return;
  const taken = await takenUsernames(
    db,
    named.map(({ person }) => person.username as string),
  );
  for (const { person, troubles } of named) {
    const name = (person.username as string).toLowerCase();
    if (taken.has(name)) {
      const reason = "This user name is somebody else's. Choose another, or leave it blank.";
      troubles.push(trouble("username", person.username as string, "taken", reason));
    }
    taken.add(name);
  }
}

/** Makes up a user name for every new person who has none. */
export async function nameNewPeople(db: Db, creates: readonly { person: PersonRecord }[]): Promise<void> {
  const nameless = creates.map(({ person }) => person).filter((person) => person.username === "");
  if (nameless.length === 0) return;
  const given = creates.map(({ person }) => person.username.toLowerCase()).filter(Boolean);
  const usernames = await generateUsernames(db, nameless, new Set(given));
  for (const [place, person] of nameless.entries()) person.username = usernames[place] ?? "";
}
