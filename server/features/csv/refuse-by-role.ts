import type { Role } from "#contract/auth.ts";
import type { HeaderReading } from "#contract/csv-header.ts";
import type { KnownPerson } from "#server/features/csv/queries.ts";
import { type CellTrouble, type PersonCells, trouble } from "#server/features/csv/read-row.ts";

export type Actor = { id: number; role: Role };

/** Why this row may not be imported by this person; empty when it may. */
export function refuseByRole(
  actor: Actor,
  person: PersonCells,
  known: KnownPerson | undefined,
  header: HeaderReading,
): CellTrouble[] {
  const after = person.role ?? known?.role ?? "tenant";
  const refuse = (reason: string) => {
    const meaning = person.role ? "role" : header.columns.has("username") ? "username" : "lastName";
    const value = { role: person.role, username: person.username, lastName: person.lastName }[meaning] ?? "";
    return [trouble(meaning, value, "not-allowed", reason)];
  };
  if (actor.role !== "admin" && (after === "admin" || known?.role === "admin")) {
    return refuse("Only an administrator may create or change an administrator");
  }
  // So a file cannot lock its sender out, nor leave the house without an administrator.
  if (known?.id === actor.id && known.role !== after) {
    return refuse("You cannot change your own role. Ask another administrator.");
  }
  return [];
}
