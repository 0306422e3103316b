import type { Role } from "#contract/auth.ts";
import type { HeaderReading } from "#contract/csv-header.ts";
import type { KnownPerson } from "#server/features/csv/find-people.ts";
import { type CellTrouble, type PersonCells, trouble } from "#server/features/csv/read-row.ts";
import { type Actor, roleRefusal } from "#server/features/people/who-may-change.ts";

/** Why this row may not be imported by this person; empty when it may. A file never locks its sender out. */
export function refuseByRole(
  actor: Actor,
  { person, known, after }: { person: PersonCells; known: KnownPerson | undefined; after: Role },
  header: HeaderReading,
): CellTrouble[] {
  const refusal = roleRefusal(actor, { before: known, after });
  if (!refusal) return [];
  const meaning = person.role ? "role" : header.columns.has("username") ? "username" : "lastName";
  const value = { role: person.role, username: person.username, lastName: person.lastName }[meaning] ?? "";
  return [trouble(meaning, value, "not-allowed", refusal.message)];
}
