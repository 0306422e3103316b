import { expect, test } from "vitest";
import { scheduledFields, scheduledUses } from "#contract/text/scheduled-uses.ts";

test("reads back what a refused deletion lists, and no other field", () => {
  const uses = [
    { type: "notification" as const, id: 3, title: "Roof" },
    { type: "schedule" as const, id: 12, title: "Rent" },
  ];
  expect(scheduledUses({ ...scheduledFields(uses), name: "x" })).toEqual(uses);
});
