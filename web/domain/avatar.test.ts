import { expect, test } from "vitest";
import { Avatar, initials, personName } from "#web/domain/avatar.tsx";

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

// spec 40
test("an avatar that is loading is gray, pulses and shows dots", () => {
  const { className, children } = Avatar({ person: undefined, loading: true }).props as {
    className: string;
    children: string;
  };
  expect(className).toMatch(/\banimate-pulse bg-quiet-soft text-quiet\b/);
  expect(children).toBe("...");
});

// spec 36, 41, 42
test("no one is ?? and Guest, not known yet is Loading...", () => {
  expect(initials(undefined)).toBe("??");
  expect(personName(undefined)).toBe("Guest");
  expect(personName(undefined, true)).toBe("Loading...");
});
