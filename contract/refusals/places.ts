import { isolated } from "#contract/text/isolate.ts";
import { people } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { says } from "#contract/refusals/says.ts";

/** Properties, homes and moves. */
export const places = {
  "no-such-property": says("not-found", "This property no longer exists"),
  "no-such-home": says("not-found", "This home no longer exists"),
  "no-such-residency": says("not-found", "This entry no longer exists"),
  "property-name-taken": says<{ name: string }>(
    "conflict",
    ({ name }) => `“${isolated(name)}” is a property already. Merge the two, or choose another name.`,
    { field: "name" },
  ),
  "property-lived-in": says<{ people: number }>(
    "conflict",
    ({ people: living }) =>
      `${people(living)} ${living === 1 ? "lives" : "live"} here or will. Move them out first.`,
  ),
  "property-merged-into-itself": says("conflict", "Choose another property to merge into", { field: "into" }),
  "nothing-merged": says("conflict", "Nothing has been merged into this property."),
  "lives-there-already": says("conflict", "This person is already on file for this home at that time", {
    field: "personId",
  }),
  "moved-out-already": says("conflict", "This person has moved out of this home already"),
  "moved-out-before-moving-in": says("invalid-input", "The last day is before the first", {
    field: "lastDay",
  }),
  "moved-before-moving-in": says<{ day: string }>(
    "invalid-input",
    ({ day }) =>
      `They have lived here only since ${dayText(day)}. Enter a later day, or correct that one first.`,
    { field: "day" },
  ),
  "move-not-undoable": says(
    "conflict",
    "This person's homes have changed since, so the move can't be undone.",
  ),
};
