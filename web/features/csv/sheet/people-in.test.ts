import { expect, test } from "vitest";
import { peopleIn } from "#web/features/csv/sheet/people-in.ts";

const headers = ["Unit", "Tenant", "Co-Tenant"];
const roll = ["propertyUnit", "fullName", "fullName 2"] as const;

test.each([
  [["4B", "Doe, Jane", "Doe, Jim"], roll, "Jane Doe and Jim Doe"],
  [["4B", "Jane Doe", ""], roll, "Jane Doe"],
  [["4B", "Cher", ""], roll, "Cher"],
  [["4B", "", ""], roll, ""],
  [["4B", "Lee", "Ann"], ["propertyUnit", "lastName", "firstName"] as const, "Ann Lee"],
  [["4B", "Lee", "Ann"], [null, null, null] as const, ""],
] as const)("%j is %s", (cells, mapping, people) => {
  expect(peopleIn(headers, mapping, cells)).toBe(people);
});
