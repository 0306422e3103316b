import { expect, test } from "vitest";
import { noOptions, optionsQuery, optionsSentence } from "#web/features/csv/import-options.ts";

const chosen = {
  ...noOptions,
  match: "email" as const,
  defaultRole: "staff" as const,
  groups: [
    { id: 4, name: "Board" },
    { id: 9, name: "Pool keys" },
  ],
};

test("options are said in a line and sent with every part of the file", () => {
  expect(optionsSentence(noOptions, { usernames: true })).toBe("new people are tenants, known by username");
  for (const usernames of [true, false]) {
    expect(optionsSentence(chosen, { usernames })).toBe(
      "new people are staff, known by email address, into Board and Pool keys",
    );
  }
  expect(optionsQuery(chosen)).toEqual({
    match: "email",
    existing: "update",
    renames: "leave-out",
    defaultRole: "staff",
    groupIds: [4, 9],
  });
});

test("a file without user names says by what people are known instead", () => {
  expect(optionsSentence(noOptions, { usernames: false })).toBe(
    "new people are tenants, known by name and contact",
  );
});
