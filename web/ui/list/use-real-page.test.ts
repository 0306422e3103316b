import { expect, test } from "vitest";
import { lastPage } from "#web/ui/list/use-real-page.ts";

test("even an empty list has a first page", () => {
  expect([0, 1, 25, 26].map((total) => lastPage(total, 25))).toEqual([1, 1, 1, 2]);
});
