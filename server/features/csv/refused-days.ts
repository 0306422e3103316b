import { isColleague } from "#contract/permissions.ts";
import type { CellError, PersonCells } from "#server/features/csv/read-row.ts";
import type { KnownPerson, PersonRecord } from "#server/features/csv/find-people.ts";
import { livesNow } from "#server/features/csv/later-move.ts";
import { type Columns, nameOf } from "#server/features/csv/refused-rows.ts";
import type { LaterMove } from "#server/places/move-later.ts";

type Row = {
  known: KnownPerson | undefined;
  after: PersonRecord;
  /** They live elsewhere until then. */
  later: LaterMove | null;
  today: string;
};

/** Why a row's days can't be: they contradict its status, each other, or what is on file. Each is a cell to correct. */
export function refusedDays(
  person: PersonCells,
  { known, after, later, today }: Row,
  columns: Columns,
): CellError[] {
  const days = later?.days ?? after.days;
  const name = nameOf(person) || (known ? nameOf(known) : "this person");
  const wrong = (field: "moveIn" | "moveOut", reason: string): CellError[] => {
    const shown = ([field, "moveIn", "moveOut"] as const).find((one) => columns.has(one));
    const value = (shown && days?.[shown === "moveIn" ? "firstDay" : "lastDay"]) ?? "";
    return [{ field: shown ?? "status", value, kind: "invalid", reason }];
  };
  const [comes, goes] = [person.days?.firstDay ?? "", person.days?.lastDay ?? "9999"];
  if (comes > today && after.property === null && !isColleague(after.role)) {
    const field = (["property", "propertyUnit"] as const).find((one) => columns.has(one)) ?? "fullName";
    const reason = `Name the property and unit, so that we know where ${name} moves in`;
    return [{ field, value: "", kind: "missing", reason }];
  }
  if (person.movingIn && !days?.firstDay)
    return wrong(
      "moveIn",
      "Enter the day they move in, or choose “Lives here” for their status in the first step",
    );
  if (days?.firstDay && days.lastDay && days.firstDay > days.lastDay)
    return wrong("moveOut", "They can’t move out before they move in");
  if (comes > today && !later && known && livesNow(known, today))
    return wrong("moveIn", `By what is on file, ${name} lives there already. Correct this day or clear it`);
  if (goes < today)
    return wrong("moveOut", `${name} has left by this day, but lives there by this row. Correct or clear it`);
  return [];
}
