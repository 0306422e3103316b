import type { Db } from "#server/db/database.ts";
import { spelledProperty } from "#server/features/groups/properties.ts";
import type { Home } from "#server/features/people/stored-person.ts";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";

/** The form's values; undefined leaves a field alone, empty clears it. */
type HomeFields = {
  propertyUnit?: string | undefined;
  property?: string | undefined;
  unit?: string | undefined;
};

export const noHome: Home = { propertyUnit: null, property: null, unit: null, homeByHand: false };

const orNull = (text: string) => (text === "" ? null : text);

/**
 * The home after a form was saved. A property or unit from the form corrects what was recognized, and holds until
 * `propertyUnit` says something else. A form that sends both back unchanged, with a new `propertyUnit`, corrects
 * nothing.
 */
export function homeAfter(before: Home, form: HomeFields): Home {
  const propertyUnit = form.propertyUnit === undefined ? before.propertyUnit : orNull(form.propertyUnit);
  const moved = propertyUnit !== before.propertyUnit;
  const recognized = moved
    ? { ...splitPropertyUnit(propertyUnit ?? ""), homeByHand: false }
    : { property: before.property, unit: before.unit, homeByHand: before.homeByHand };

  const said = {
    property: form.property === undefined ? recognized.property : orNull(form.property),
    unit: form.unit === undefined ? recognized.unit : orNull(form.unit),
  };
  const asBefore =
    (form.property === undefined || orNull(form.property) === before.property) &&
    (form.unit === undefined || orNull(form.unit) === before.unit);
  const asRecognised = said.property === recognized.property && said.unit === recognized.unit;
  if (asRecognised || (moved && asBefore)) return { propertyUnit, ...recognized };
  return {
    // A home given only by its two parts is written as both together.
    propertyUnit: propertyUnit ?? orNull([said.property, said.unit].filter(Boolean).join(" / ")),
    ...said,
    homeByHand: true,
  };
}

/** The same with the property spelled as its group is: "MAPLE COURT" is not a second property. */
export async function spelled(db: Db, home: Home): Promise<Home> {
  return home.property === null ? home : { ...home, property: await spelledProperty(db, home.property) };
}
