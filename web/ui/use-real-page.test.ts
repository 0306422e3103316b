import { expect, test } from "vitest";
import { lastPage } from "#web/ui/use-real-page.ts";

test("a list has a first page even when there is nothing", () => {
  expect([0, 1, 25, 26].map((total) => lastPage(total, 25))).toEqual([1, 1, 1, 2]);
});
