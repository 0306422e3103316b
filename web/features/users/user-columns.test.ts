import { expect, test } from "vitest";
import type { User } from "#contract/calls/users.ts";
import { cardParts } from "#web/features/users/user-columns.tsx";

test("a card says an address once that is the username, too", () => {
  const ann = {
    username: "ann@example.com",
    email: "ann@example.com",
    phone: null,
    propertyUnit: "4B",
    standing: "now",
  } as User;
  expect(cardParts(ann)).toEqual(["4B", "ann@example.com"]);
  expect(cardParts({ ...ann, standing: "past" })).toEqual(["4B, moved out", "ann@example.com"]);
  expect(cardParts({ ...ann, username: "ann" })).toEqual(["4B", "ann@example.com", "ann"]);
});
