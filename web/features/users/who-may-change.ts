import type { Role } from "#contract/auth.ts";

/** The server decides; these say beforehand what it would refuse, so that no one has to try. */

type Actor = { id: number; role: Role };
type Person = { id: number; role: Role };

/** Why this person may not be changed; undefined when they may. */
export function changeRefusal(actor: Actor, person: Person): string | undefined {
  return actor.role !== "admin" && person.role === "admin"
    ? "Only an administrator can change an administrator."
    : undefined;
}

/** Why this person may not be deleted. */
export function deleteRefusal(actor: Actor, person: Person): string | undefined {
  if (actor.role !== "admin" && person.role === "admin")
    return "Only an administrator can delete an administrator.";
  return person.id === actor.id
    ? "You cannot delete your own account. Ask another administrator."
    : undefined;
}

/** What the role field cannot do, in a sentence; `person` is undefined for a new one. */
export function roleLimit(actor: Actor, person: Person | undefined): string | undefined {
  if (person?.id === actor.id) return "You cannot change your own role. Ask another administrator.";
  return actor.role === "admin" ? undefined : "Only an administrator can make someone an administrator.";
}
