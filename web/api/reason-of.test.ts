import { expect, test } from "vitest";
import { ApiError } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";

// spec 256
test("a failure that says nothing is given a sentence", () => {
  expect(reasonOf(new ApiError(500, "The cellar is flooded"))).toBe("500: The cellar is flooded");
  for (const silent of [new Error(""), "thrown text", undefined]) {
    expect(reasonOf(silent)).toBe("Something went wrong");
    expect(reasonOf(silent, "Invalid credentials")).toBe("Invalid credentials");
  }
});
