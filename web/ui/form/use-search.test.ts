import { expect, test } from "vitest";
import { bestFirst } from "#web/ui/form/use-search.ts";

test("names that begin with the text come first, then those with such a word, otherwise as they were found", async () => {
  const labels = ["Current tenants", "Late Rent Notice", "Rent Reminder", "Parents", "rental rules"];
  const search = bestFirst(() => Promise.resolve({ options: labels.map((label) => ({ label })), total: 9 }));
  const found = await search("Rent", new AbortController().signal);
  expect(found.options.map(({ label }) => label)).toEqual([
    "Rent Reminder",
    "rental rules",
    "Late Rent Notice",
    "Current tenants",
    "Parents",
  ]);
  expect(found.total).toBe(9);
});
