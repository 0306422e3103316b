import { expect, test } from "vitest";
import { questionBefore } from "#web/features/compose/confirm-many.tsx";

const group = { type: "group" } as const;
const person = { type: "user" } as const;

test.each([
  ["few", 999, [group], null],
  ["very many are typed", 1000, [group], 1000],
  ["a group couldn't be counted", "unknown", [person, group], "unknown"],
  ["the server that counts a group is away", "unreachable", [group], "unreachable"],
  ["who is named is counted already", "unknown", [person, person], null],
] as const)("%s", (_, reached, recipients, question) => {
  expect(questionBefore(reached, recipients)).toBe(question);
});
