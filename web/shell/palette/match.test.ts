import { expect, test } from "vitest";
import { bestMatches, markedParts } from "#web/shell/palette/match.ts";

const best = (search: string) =>
  bestMatches(
    ["Dashboard", "New Notification", "Notifications", "Blocked Addresses"],
    search,
    (text) => text,
  );

test("what starts with the search comes first, then words that do, then the rest", () => {
  expect(best("no")).toEqual(["Notifications", "New Notification"]);
  expect(best("ad")).toEqual(["Blocked Addresses"]);
  expect(best("NEW not")).toEqual(["New Notification"]);
  expect(best("boards")).toEqual([]);
  expect(best(" ")).toHaveLength(4);
});

const marked = (text: string, search: string) =>
  markedParts(text, search)
    .map((part) => (part.marked ? `[${part.text}]` : part.text))
    .join("");

test("every occurrence of every word is marked, as it is written", () => {
  expect(marked("Water off: hot WATER", "water ho")).toBe("[Water] off: [ho]t [WATER]");
  expect(marked("C++ (4B)", "(4b) +")).toBe("C[+][+] [(4B)]");
  expect(marked("Plain", "")).toBe("Plain");
});
