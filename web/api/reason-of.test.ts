import { expect, test } from "vitest";
import { ApiError } from "#web/api/call-errors.ts";
import { reasonOf, reasonWithoutStatus } from "#web/api/reason-of.ts";

// spec 256
test("a failure that says nothing is given a sentence", () => {
  expect(reasonOf(new ApiError(500, "The cellar is flooded"))).toBe("500: The cellar is flooded");
  for (const silent of [new Error(""), "thrown text", undefined]) {
    expect(reasonOf(silent)).toBe("Something went wrong");
    expect(reasonOf(silent, "Invalid credentials")).toBe("Invalid credentials");
  }
});

test("a server's reason can be told without its status", () => {
  expect(reasonWithoutStatus(new ApiError(500, "The cellar is flooded"))).toBe("The cellar is flooded");
  expect(reasonWithoutStatus(new Error("No passkey"))).toBe("No passkey");
  expect(reasonWithoutStatus(new Error(""), "The upload failed.")).toBe("The upload failed.");
});
