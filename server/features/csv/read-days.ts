import type { ResidencyRole } from "#contract/homes.ts";
import { homeRoleIn } from "#contract/text/home-role.ts";
import { cellExample } from "#server/features/csv/detail-cell.ts";
import { readDay } from "#server/features/csv/read-day.ts";
import { NOTHING, type ReadCell, type Reading } from "#server/features/csv/reading.ts";
import type { Stay } from "#server/places/residencies.ts";

/** A lease without an end: "MTM", "Month-to-month". */
const NO_END =
  /^(?:m\W?t\W?m|month\W*to\W*month|monthly(?:\W+tenancy)?|periodic(?:\W+tenancy)?|rolling|open\W?ended|indefinite|unbefristet|indefinid[oa])$/i;

/** What programs write where there is no day: their first day, or one that never comes. */
const NEVER =
  /^(?:tbd|tba|never|0{1,4}[./-]0{1,2}[./-]0{1,4}|.*\b(?:9999|1899)\b.*|(?:1[./-]0|0[./-]1|0?1[./-]0?1)[./-]1900)(?:\s.*)?$/i;

const UNKNOWN_ROLE = "Enter leaseholder, occupant, owner, guarantor or contact";

/**
 * What someone is to their home and when they live there, as far as the row says it; undefined: it says nothing of it. A lease may be a renewed one,
 * so its start says since when only of whom it is the first lease of: who is still to come.
 */
export function readDays(read: ReadCell, movingIn: boolean): Partial<Stay> | undefined {
  const firstDay = read("moveIn", day) ?? (movingIn ? read("leaseStart", day) : undefined);
  const lastDay = read("moveOut", (text) => {
    const found = day(text);
    const early = "value" in found && found.value && firstDay && found.value < firstDay;
    return early ? { reason: "They can’t move out before they move in" } : found;
  });
  const leaseEnds = read<string | null | undefined>("leaseEnd", (text) =>
    NO_END.test(text) ? { value: null } : day(text),
  );
  const role = read<ResidencyRole>("homeRole", (text) => {
    const value = homeRoleIn(text);
    return value === null ? { reason: UNKNOWN_ROLE } : { value };
  });
  const said = {
    ...(role && { role }),
    ...(firstDay && { firstDay }),
    ...(lastDay && { lastDay }),
    ...(leaseEnds !== undefined && { leaseEnds }),
  };
  return Object.keys(said).length > 0 ? said : undefined;
}

function day(text: string): Reading<string | undefined> {
  if (NOTHING.test(text) || NEVER.test(text)) return { value: undefined };
  const value = readDay(text, { ofHome: true });
  return value === null ? { reason: `Enter ${cellExample("date")}` } : { value };
}
