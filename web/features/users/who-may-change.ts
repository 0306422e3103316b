import { type Role, roles } from "#contract/calls/auth.ts";
import { allowsMore, principalOf } from "#contract/permissions.ts";

/** The server decides. These functions tell in advance what it would refuse. */

type Person = { id: number; role: Role };

/** Someone whose role allows more than the actor may do can be changed by no one but an administrator. */
const isAbove = (person: Person, actor: Person) => allowsMore(person.role, principalOf(actor.role));

/** Why this person cannot be changed; undefined if they can. */
export function changeRefusal(actor: Person, person: Person): string | undefined {
  return isAbove(person, actor) ? "Only an administrator can change an administrator." : undefined;
}

/** Why this person cannot be deleted; undefined if they can. */
export function deleteRefusal(actor: Person, person: Person): string | undefined {
  if (isAbove(person, actor)) return "Only an administrator can delete an administrator.";
  return person.id === actor.id
    ? "You cannot delete your own account. Ask another administrator."
    : undefined;
}

/** The restrictions on the role field, as a sentence. `person` is undefined for a new one. */
export function roleLimit(actor: Person, person: Person | undefined): string | undefined {
  if (person?.id === actor.id) return "You cannot change your own role. Ask another administrator.";
  return roles.some((role) => allowsMore(role, principalOf(actor.role)))
    ? "Only an administrator can make someone an administrator."
    : undefined;
}
