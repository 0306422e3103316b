import { expect, test } from "vitest";
import { initials, personName } from "#web/domain/avatar.tsx";

const person = (firstName: string, lastName: string) => ({ firstName, lastName, role: "staff" });

// spec 35
test.each([
  ["Ada", "Owner", "AO"],
  ["émile", "zola", "ÉZ"],
  ["𝒜da", "O", "𝒜O"],
  ["A\u0301da", "o\u0308", "A\u0301O\u0308"],
  ["Ada", "", "A"],
  ["", "", "??"],
])("%s %s → %s", (first, last, expected) => expect(initials(person(first, last))).toBe(expected));

// spec 36, 41, 42
test("no one is ?? and Guest, not known yet is Loading...", () => {
  expect(initials(undefined)).toBe("??");
  expect(personName(undefined)).toBe("Guest");
  expect(personName(undefined, true)).toBe("Loading...");
});
