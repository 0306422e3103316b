import type { Role } from "#contract/calls/auth.ts";

/** The server decides. These functions tell in advance what it would refuse. */

type Actor = { id: number; role: Role };
type Person = { id: number; role: Role };

/** Why this person cannot be changed; undefined if they can. */
export function changeRefusal(actor: Actor, person: Person): string | undefined {
  return actor.role !== "admin" && person.role === "admin"
    ? "Only an administrator can change an administrator."
    : undefined;
}

/** Why this person cannot be deleted; undefined if they can. */
export function deleteRefusal(actor: Actor, person: Person): string | undefined {
  if (actor.role !== "admin" && person.role === "admin")
    return "Only an administrator can delete an administrator.";
  return person.id === actor.id
    ? "You cannot delete your own account. Ask another administrator."
    : undefined;
}

/** The restrictions on the role field, as a sentence. `person` is undefined for a new one. */
export function roleLimit(actor: Actor, person: Person | undefined): string | undefined {
  if (person?.id === actor.id) return "You cannot change your own role. Ask another administrator.";
  return actor.role === "admin" ? undefined : "Only an administrator can make someone an administrator.";
}
