import { expect, test } from "vitest";
import { sameFix } from "#web/features/csv/sheet/same-fix.ts";

test.each([
  ["555-0164", "(415) 555-0164", "555-0171", "(415) 555-0171"],
  ["ann@example,com", "ann@example.com", "bo@elm,org", "bo@elm.org"],
  ["ann@example", "ann@example.com", "bo@elm", "bo@elm.com"],
  ["ann@example,com", "ann@example.com", "a,b,c", null],
  ["n/a.", "(415) 555-0101", "n/a.", "(415) 555-0101"],
  ["n/a.", "(415) 555-0101", "?", null],
  ["555-0164", "555-0164", "555-0171", null],
  ["12 34", "12-34", "56", null],
])("%j corrected to %j makes %j %j", (before, after, other, expected) => {
  expect(sameFix(before, after, other)).toBe(expected);
});
